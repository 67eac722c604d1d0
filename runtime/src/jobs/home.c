/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What devices appended, on its way to the host: because processors do it next, the device's memory is full, the device
 * is to be given up, or it is a result.
 */
#include "engine.h"
#include "transfer/pipeline.h"
#include <stdlib.h>
#include <string.h>

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
/* What a device has of a list, to its places; or what is here already. */
struct fetching {
    const struct heddle__jobs_engine *engine;
    int list, device; /* device: as the engine counts them; -1: the host's memory */
    pthread_mutex_t *lock;
    pthread_cond_t *ended;
    int *left, error;
    struct heddle__jobs_device *lost;
};

static void fetch_some(void *with) {
    struct fetching *f = with;
    const struct heddle__jobs_engine *e = f->engine;
    const struct heddle_jobs_any_list *list = e->call->lists[f->list].list;
    const struct heddle__jobs_list *l = &e->list[f->list];
    char *here = (char *)list->at + (size_t)list->count * l->record;
    for (const struct heddle__jobs_block *b = l->result.first; b && !f->error; b = b->next) {
        const size_t bytes = (size_t)b->count * l->record;
        struct heddle__jobs_device *on = b->buffer->on;
        if ((on ? on->number : -1) == f->device) {
            if (on)
                f->error = copy_out(e, b, here);
            else
                memcpy(here, b->at, bytes);
            f->lost = f->error ? on : NULL;
        }
        here += bytes;
    }
    pthread_mutex_lock(f->lock);
    --*f->left;
    pthread_cond_signal(f->ended);
    pthread_mutex_unlock(f->lock);
}

/* Devices side by side. */
static int fetch_list(const struct heddle__jobs_engine *e, int number) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
    struct fetching f[HEDDLE__JOBS_DEVICES + 1];
    bool there[HEDDLE__JOBS_DEVICES + 1] = {false};
    int count = 0, left, error = HEDDLE_OK;
    for (const struct heddle__jobs_block *b = e->list[number].result.first; b; b = b->next)
        there[b->buffer->on ? b->buffer->on->number + 1 : 0] = true;
    for (int k = 0; k <= e->devices; k++)
        if (there[k])
            f[count++] = (struct fetching){
                .engine = e, .list = number, .device = k - 1, .lock = &lock, .ended = &ended, .left = &left};
    left = count;
    for (int k = 1; k < count; k++)
        if (heddle__thread_run(fetch_some, &f[k], true))
            fetch_some(&f[k]);
    if (count)
        fetch_some(&f[0]);
    pthread_mutex_lock(&lock);
    while (left)
        pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
    for (int k = 0; k < count; k++)
        if (f[k].error) {
            if (f[k].lost->gone)
                heddle__jobs_start_again(f[k].lost);
            heddle__jobs_lose(f[k].lost, heddle_strerror(f[k].error), false);
            error = f[k].error;
        }
    return error;
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
