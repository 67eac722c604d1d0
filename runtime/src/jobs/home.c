/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What devices appended, on its way to the host: because processors do it next, the device's memory is full, the device
 * is to be given up, or it is a result.
 */
#include "engine.h"
#include "transfer/pipeline.h"
#include <stdlib.h>

enum { SHARE = 2 /* of the cores that help with a large copy, one for so many */ };

/* Only copies that are long enough to tell the link's rate. */
void heddle__jobs_note_copy(struct heddle__jobs_device *d, size_t bytes, double seconds) {
    enum { LEAST = 256 << 10 };
    if (bytes < LEAST || seconds <= 0)
        return;
    d->copied = 0.9 * d->copied + (double)bytes;
    d->copying = 0.9 * d->copying + seconds;
}

static int copy_out(const struct heddle__jobs_engine *e, const struct heddle__jobs_block *b, char *here) {
    const struct heddle__jobs_buffer *from = b->buffer;
    const size_t bytes = (size_t)b->count * from->record;
    return heddle__transfer_range(from->on->device, true, &e->cores.all, SHARE,
                                  &(struct heddle__segment){.host = here, .bytes = bytes}, 1, b->at, 0, bytes);
}

static struct heddle__jobs_buffer *make_buffer(const struct heddle__jobs_engine *e, size_t bytes, size_t record) {
    struct heddle__jobs_buffer *b = malloc(sizeof *b);
    char *memory = malloc(bytes);
    if (!b || !memory)
        heddle__lost(&e->site, "no memory for the queues of jobs: the jobs in them cannot be done any more");
    *b = (struct heddle__jobs_buffer){
        .source = e->home, .memory = memory, .bytes = bytes, .record = record, .blocks = 1, .own = true};
    return b;
}

static int fetch_block(struct heddle__jobs_engine *e, struct heddle__jobs_block *b) {
    struct heddle__jobs_buffer *from = b->buffer, *to;
    struct heddle__jobs_device *on = from->on;
    const double begin = heddle__now();
    to = make_buffer(e, (size_t)b->count * from->record, from->record);
    const int error = copy_out(e, b, to->memory);
    if (error) {
        free(to->memory);
        free(to);
        return error;
    }
    pthread_mutex_lock(&e->lock);
    heddle__jobs_note_copy(on, to->bytes, heddle__now() - begin);
    on->moved += (double)to->bytes;
    on->held--;
    b->buffer = to;
    b->at = to->memory;
    heddle__jobs_let_go(e, from);
    heddle__jobs_grow(e, to->bytes);
    pthread_mutex_unlock(&e->lock);
    return HEDDLE_OK;
}

int heddle__jobs_fetch(struct heddle__jobs_engine *e, struct heddle__jobs_queue *q) {
    for (struct heddle__jobs_block *b = q->first; b; b = b->next) {
        struct heddle__jobs_device *on = b->buffer->on;
        const int error = on ? fetch_block(e, b) : HEDDLE_OK;
        if (error) {
            pthread_mutex_lock(&e->lock);
            if (on->gone) /* it was thought to be readable */
                heddle__jobs_start_again(on);
            pthread_mutex_unlock(&e->lock);
            return error;
        }
    }
    return HEDDLE_OK;
}

/* ---- by the device's thread -------------------------------------------------------------------------------------- */
static void take_there(const struct heddle__jobs_device *d, struct heddle__jobs_queue *from,
                       struct heddle__jobs_queue *to) {
    struct heddle__jobs_block **at = &from->first, *b;
    while ((b = *at)) {
        if (b->buffer->on != d) {
            at = &b->next;
            continue;
        }
        *at = b->next;
        from->count -= b->count;
        b->next = to->first;
        to->first = b;
        to->count += b->count;
    }
}

/* Out of a queue, and into the same or another one. */
static int fetch_from(struct heddle__jobs_device *d, struct heddle__jobs_queue *from, struct heddle__jobs_queue *to) {
    struct heddle__jobs_engine *e = d->engine;
    struct heddle__jobs_queue mine = {0};
    pthread_mutex_lock(&e->lock);
    if (!d->gone)
        take_there(d, from, &mine);
    d->copies = mine.first;
    pthread_mutex_unlock(&e->lock);
    if (!mine.first)
        return HEDDLE_OK;
    const int error = heddle__jobs_fetch(e, &mine);
    pthread_mutex_lock(&e->lock);
    heddle__jobs_move(e, error ? from : to, &mine, mine.count);
    d->copies = false;
    d->begun = heddle__now();
    pthread_mutex_unlock(&e->lock);
    return error;
}

static bool spill_queue(struct heddle__jobs_device *d, struct heddle__jobs_queue *from, struct heddle__jobs_queue *to,
                        int *error) {
    const long held = d->held;
    *error = fetch_from(d, from, to);
    return d->held < held;
}

bool heddle__jobs_spill(struct heddle__jobs_device *d, int *error) {
    struct heddle__jobs_engine *e = d->engine;
    bool any = false;
    *error = HEDDLE_OK;
    for (int l = 0; l < e->lists && !any && !*error; l++)
        any = spill_queue(d, &e->list[l].result, &e->list[l].result, error);
    for (int t = 0; t < e->types && !any && !*error; t++)
        any = spill_queue(d, &e->kind[t].unassigned[d->number + 1], &e->kind[t].unassigned[e->home + 1], error);
    for (int t = 0; t < e->types && !any && !*error; t++)
        any = spill_queue(d, &d->queue[t], &d->queue[t], error);
    return any;
}

int heddle__jobs_rescue(struct heddle__jobs_device *d) {
    int error;
    while (heddle__jobs_spill(d, &error))
        ;
    error = error ? error : fetch_from(d, &d->batch, &d->batch);
    return error ? error : fetch_from(d, &d->rest, &d->rest);
}

/* ---- at the end -------------------------------------------------------------------------------------------------- */
static int fetch_list(const struct heddle__jobs_engine *e, int number) {
    const struct heddle_jobs_any_list *list = e->call->lists[number].list;
    const struct heddle__jobs_list *l = &e->list[number];
    char *here = (char *)list->at + (size_t)list->count * l->record;
    for (const struct heddle__jobs_block *b = l->result.first; b; b = b->next) {
        const size_t bytes = (size_t)b->count * l->record;
        if (!b->buffer->on)
            memcpy(here, b->at, bytes);
        const int error = b->buffer->on ? copy_out(e, b, here) : HEDDLE_OK;
        if (error) {
            if (b->buffer->on->gone)
                heddle__jobs_start_again(b->buffer->on);
            heddle__jobs_lose(b->buffer->on, heddle_strerror(error), false);
            return error;
        }
        here += bytes;
    }
    return HEDDLE_OK;
}

static bool reserve(struct heddle_jobs_any_list *list, long count, size_t record) {
    if (list->room >= count)
        return true;
    char *larger = realloc(list->at, (size_t)count * record);
    if (!larger)
        return false;
    list->at = larger;
    list->room = count;
    return true;
}

int heddle__jobs_fetch_results(struct heddle__jobs_engine *e) {
    int error = HEDDLE_OK;
    for (int l = 0; l < e->lists && !error; l++) {
        struct heddle_jobs_any_list *list = e->call->lists[l].list;
        const long count = e->list[l].result.count;
        if (!count)
            continue;
        if (!reserve(list, list->count + count, e->list[l].record))
            heddle__lost(&e->site, "no memory for the %ld elements of '%s'", list->count + count,
                         e->call->lists[l].name);
        error = fetch_list(e, l);
    }
    return error;
}
