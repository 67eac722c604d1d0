/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A batch of jobs in one launch, where they lie if that is one stretch of the device's memory, else from a copy. Each
 * list has room for so many elements there, which are claimed by one count; where there were more, what the batch
 * appended and reduced is dropped. What it appended stays there: the host sees counts and values of reductions, one
 * copy each way for a launch.
 */
#include "place.h"
#include "trace/record.h"
#include "transfer/pipeline.h"
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROOM = 4 /* elements for each job */,
    SOME = 1024,
    SHARE = 2 /* of the cores that help with a large copy, one for so many */
};
enum { BATCH_BYTES = 256 << 20 /* where nobody knows how much memory is free */ };

/* Where things lie for one batch: in the head, and elsewhere in the device's memory. */
struct layout {
    size_t lists, partials, head, bytes;
    struct heddle__jobs_buffer **output; /* of each output's elements */
    size_t *at;                          /* ... and where in it */
    long *room, npartials;
    char *records;
    double moved; /* seconds in which records came from elsewhere */
};

static size_t aligned(size_t n) { return (n + 255) / 256 * 256; }

bool heddle__jobs_given_up(struct heddle__jobs_device *d) {
    pthread_mutex_lock(&d->engine->lock);
    const bool gone = d->gone;
    pthread_mutex_unlock(&d->engine->lock);
    return gone;
}

/* ---- once ----------------------------------------------------------------------------------------------------------
 */
static long tuned(const char *name) {
    char option[HEDDLE__OPTION_MAX];
    heddle__option_read(name, option, sizeof option);
    const long n = strtol(option, NULL, 10);
    return n > 0 ? n : 0;
}

static bool make_kind(const struct heddle__jobs_place *p, int type) {
    const struct heddle__jobs_kind *kind = &p->d->engine->kind[type];
    const int outputs = kind->call->noutputs;
    struct heddle__jobs_there *k = &p->kind[type];
    k->env = malloc(kind->loop->env_bytes + 1);
    k->each = calloc((size_t)outputs + 1, sizeof *k->each);
    k->seen = calloc((size_t)outputs + 1, sizeof *k->seen);
    k->need = calloc((size_t)outputs + 1, sizeof *k->need);
    if (!k->env || !k->each || !k->seen || !k->need)
        return false;
    memcpy(k->env, kind->call->env, kind->loop->env_bytes);
    for (int o = 0; o < outputs; o++)
        k->each[o] = heddle__jobs_room_recall(kind->loop, o, FIRST_ROOM);
    return true;
}

/* All batches of an execution were seen: the next one needs no more. */
static void keep_rooms(const struct heddle__jobs_place *p) {
    const struct heddle__jobs_engine *e = p->d->engine;
    for (int t = 0; p->kind && t < e->types; t++)
        for (int o = 0; p->d->done[t] && p->kind[t].seen && o < e->kind[t].call->noutputs; o++)
            heddle__jobs_room_keep(e->kind[t].loop, o, p->kind[t].seen[o]);
}

void heddle__jobs_free_place(struct heddle__jobs_place *p) {
    if (!p)
        return;
    keep_rooms(p);
    for (int t = 0; p->kind && t < p->d->engine->types; t++) {
        const struct heddle_jobs_type *call = p->d->engine->kind[t].call;
        if (p->kind[t].entered)
            heddle__maps_exit(call->maps, call->nmaps, p->d->device, true);
        free(p->kind[t].env);
        free(p->kind[t].each);
        free(p->kind[t].seen);
        free(p->kind[t].need);
    }
    heddle__jobs_leave_arrays(p);
    heddle__jobs_leave_memory(p->d, p->there);
    heddle__jobs_leave_memory(p->d, p->copy);
    if (p->channel && heddle__jobs_given_up(p->d))
        heddle__channel_drop(p->d->device, p->channel);
    else if (p->channel)
        heddle__channel_give(p->d->device, p->channel);
    free(p->kind);
    free(p->heap);
    free(p->piece);
    free(p);
}

struct heddle__jobs_place *heddle__jobs_make_place(struct heddle__jobs_device *d) {
    const struct heddle__jobs_engine *e = d->engine;
    struct heddle__jobs_place *p = calloc(1, sizeof *p);
    bool whole = p && (p->kind = calloc((size_t)e->types, sizeof *p->kind));
    if (!p)
        return NULL;
    p->d = d;
    p->batch = tuned("jobs-batch");
    p->room = tuned("jobs-room");
    p->channel = heddle__channel_take(d->device);
    const size_t room = heddle_device_room(d->device);
    d->budget = room < SIZE_MAX ? room / 2 : BATCH_BYTES;
    for (int t = 0; whole && t < e->types; t++)
        whole = make_kind(p, t);
    if (whole)
        return p;
    heddle__jobs_free_place(p);
    return NULL;
}

/* Arrays that the jobs read stay until the end. */
static int enter(struct heddle__jobs_place *p, int type) {
    const struct heddle_jobs_type *call = p->d->engine->kind[type].call;
    struct heddle__jobs_there *k = &p->kind[type];
    if (k->entered)
        return HEDDLE_OK;
    int error = heddle__jobs_enter_arrays(p);
    if (error != HEDDLE_ENOMEM)
        return error;
    error = heddle__maps_enter(call->maps, call->nmaps, p->d->device, k->env);
    k->entered = !error;
    return error;
}

/* ---- one launch ----------------------------------------------------------------------------------------------------
 */
static long room_for(const struct heddle__jobs_place *p, int type, int output, long count, size_t record) {
    const struct heddle__jobs_there *k = &p->kind[type];
    const size_t some = p->d->budget / 64 / record;
    if (p->room)
        return count > 1 || k->need[output] < p->room ? p->room : k->need[output];
    return (long)(k->each[output] * 1.25 * (double)count) + (some < SOME ? (long)some : SOME) + 1;
}

static bool is_here(const struct heddle__jobs_place *p) { return p->pieces == 1 && p->piece->on == p->d; }

static void lay_out(const struct heddle__jobs_place *p, int type, long count, struct layout *l) {
    const struct heddle__jobs_engine *e = p->d->engine;
    const struct heddle__jobs_kind *kind = &e->kind[type];
    l->npartials = !kind->loop->partials ? 0 : count < HEDDLE_LOOP_PARTIALS ? count : HEDDLE_LOOP_PARTIALS;
    l->lists = aligned(kind->loop->env_bytes);
    l->partials = aligned(l->lists + (size_t)kind->call->noutputs * sizeof(struct heddle_jobs_any_list));
    l->head = aligned(l->partials + (size_t)l->npartials * kind->loop->red_bytes);
    l->bytes = l->head + (is_here(p) ? 0 : (size_t)count * kind->record);
    for (int o = 0; o < kind->call->noutputs; o++) {
        const size_t record = e->list[kind->call->outputs[o].list].record;
        l->room[o] = room_for(p, type, o, count, record);
        l->bytes += (size_t)l->room[o] * record;
    }
}

static int at_least(struct heddle__jobs_device *d, struct heddle__jobs_buffer **b, size_t bytes, bool must) {
    int error = HEDDLE_OK;
    if (*b && (*b)->bytes >= bytes)
        return HEDDLE_OK;
    heddle__jobs_leave_memory(d, *b);
    *b = heddle__jobs_take_memory(d, bytes, must, &error);
    return *b ? HEDDLE_OK : error ? error : HEDDLE_ENOMEM;
}

static int reserve_head(struct heddle__jobs_place *p, size_t bytes) {
    char *pinned = p->channel ? p->channel->pinned[0] : NULL;
    if (pinned && bytes <= HEDDLE__BLOCK_BYTES) {
        p->head = pinned;
        return HEDDLE_OK;
    }
    if (p->heap_bytes < bytes) {
        free(p->heap);
        p->heap = malloc(bytes);
        p->heap_bytes = p->heap ? bytes : 0;
    }
    p->head = p->heap;
    return p->head ? HEDDLE_OK : HEDDLE_ENOMEM;
}

static int reserve(struct heddle__jobs_place *p, int type, long count, struct layout *l) {
    const struct heddle__jobs_engine *e = p->d->engine;
    const struct heddle__jobs_kind *kind = &e->kind[type];
    int error = reserve_head(p, l->head);
    error = error ? error : at_least(p->d, &p->there, l->head, true);
    if (is_here(p))
        l->records = (char *)(uintptr_t)p->piece->at;
    else if (!error && !(error = at_least(p->d, &p->copy, (size_t)count * kind->record, count == 1)))
        l->records = p->copy->memory;
    for (int o = 0; !error && o < kind->call->noutputs; o++) {
        l->output[o] = heddle__jobs_open(p->d, kind->call->outputs[o].list, l->room[o], count == 1, &l->at[o], &error);
        error = l->output[o] ? HEDDLE_OK : error ? error : HEDDLE_ENOMEM;
    }
    return error;
}

static void fill_head(struct heddle__jobs_place *p, int type, const struct layout *l, const char *start) {
    const struct heddle__jobs_kind *kind = &p->d->engine->kind[type];
    memcpy(p->head, p->kind[type].env, kind->loop->env_bytes);
    for (int o = 0; o < kind->call->noutputs; o++) {
        const size_t at = l->lists + (size_t)o * sizeof(struct heddle_jobs_any_list);
        const struct heddle_jobs_any_list list = {.room = -1 - l->room[o], .at = l->output[o]->memory + l->at[o]};
        const char *there = p->there->memory + at;
        memcpy(p->head + at, &list, sizeof list);
        memcpy(p->head + kind->call->outputs[o].slot, &there, sizeof there);
    }
    for (long k = 0; k < l->npartials; k++)
        memcpy(p->head + l->partials + (size_t)k * kind->loop->red_bytes, start, kind->loop->red_bytes);
}

/* Through the host, where one device cannot read the other's memory. */
static int bring_by_host(struct heddle__jobs_place *p, const struct heddle__jobs_piece *from, char *to, size_t bytes) {
    char *here = malloc(bytes);
    if (!here)
        return HEDDLE_ENOMEM;
    int error = heddle__device_copy_out(from->on->device, here, from->at, bytes);
    if (error)
        p->waits_for = from->on;
    error = error ? HEDDLE__JOBS_ELSEWHERE : heddle__device_copy_in(p->d->device, to, here, bytes);
    free(here);
    return error;
}

static int bring_across(struct heddle__jobs_place *p, const struct heddle__jobs_piece *from, char *to, size_t bytes) {
    const int error = heddle__device_copy_across(p->d->device, to, from->on->device, from->at, bytes);
    return error && from->on != p->d ? bring_by_host(p, from, to, bytes) : error;
}

/* So many pieces that lie on the host travel as one. */
static int bring_from_host(struct heddle__jobs_place *p, const struct heddle__jobs_piece *from, int pieces, char *to,
                           size_t record) {
    struct heddle__segment segment[pieces];
    size_t bytes = 0;
    for (int k = 0; k < pieces; k++) {
        segment[k] = (struct heddle__segment){
            .host = (char *)(uintptr_t)from[k].at, .at = bytes, .bytes = (size_t)from[k].count * record};
        bytes += segment[k].bytes;
    }
    const double begin = heddle__now();
    const int error =
        heddle__transfer_range(p->d->device, false, &p->d->engine->cores.all, SHARE, segment, pieces, to, 0, bytes);
    pthread_mutex_lock(&p->d->engine->lock);
    if (!error)
        heddle__jobs_note_copy(p->d, bytes, heddle__now() - begin);
    pthread_mutex_unlock(&p->d->engine->lock);
    return error;
}

/* So much came; true: others have the device's jobs meanwhile. */
static bool is_late(struct heddle__jobs_device *d, size_t bytes) {
    pthread_mutex_lock(&d->engine->lock);
    d->moved += (double)bytes;
    const bool gone = d->gone;
    pthread_mutex_unlock(&d->engine->lock);
    return gone;
}

/* What is not in the device's memory as one stretch is copied there. */
static int bring(struct heddle__jobs_place *p, int type, struct layout *l) {
    enum { FEW = 1024 }; /* host threads hand over some 4096 jobs at a time */
    const size_t record = p->d->engine->kind[type].record;
    char *to = l->records;
    int error = HEDDLE_OK;
    for (int k = 0, some; !is_here(p) && !error && k < p->pieces; k += some) {
        const struct heddle__jobs_device *on = p->piece[k].on;
        const double begin = heddle__now();
        size_t bytes = (size_t)p->piece[k].count * record;
        for (some = 1; !on && some < FEW && k + some < p->pieces && !p->piece[k + some].on; some++)
            bytes += (size_t)p->piece[k + some].count * record;
        error = on ? bring_across(p, &p->piece[k], to, bytes) : bring_from_host(p, &p->piece[k], some, to, record);
        to += bytes;
        l->moved += on == p->d ? 0 : heddle__now() - begin;
        if (!error && is_late(p->d, on == p->d ? 0 : bytes))
            return HEDDLE_ETIMEDOUT;
    }
    return error ? error : heddle__device_copy_in(p->d->device, p->there->memory, p->head, l->head);
}

static int launch(struct heddle__jobs_place *p, int type, const struct layout *l, long count, char *red) {
    const struct heddle__jobs_kind *kind = &p->d->engine->kind[type];
    const int64_t begin = heddle__trace_on() ? heddle__trace_now() : 0;
    if (!p->d->cuda && !heddle__kernel_teams_fit())
        return HEDDLE_ENOMEM;
    heddle__launch_begin();
    kind->loop->kernel(&(struct heddle_loop_launch){.device = p->d->device,
                                                    .env = p->there->memory,
                                                    .host_env = kind->call->env,
                                                    .lo = (long)(uintptr_t)l->records,
                                                    .step = (long)kind->record,
                                                    .count = count,
                                                    .spread = heddle__device_spread(p->d->device, (double)count, 1),
                                                    .red = red,
                                                    .partial = l->npartials ? p->there->memory + l->partials : NULL});
    const int error = heddle__launch_end();
    if (begin) {
        char group[32];
        snprintf(group, sizeof group, "device %d", p->d->device);
        heddle__trace_span(heddle__trace_track(group, "jobs"), kind->trace_name, begin, heddle__trace_now());
    }
    return error;
}

/* The counts, and whether all had room. */
static int look(struct heddle__jobs_place *p, int type, const struct layout *l) {
    const struct heddle__jobs_kind *kind = &p->d->engine->kind[type];
    struct heddle__jobs_there *k = &p->kind[type];
    bool enough = true;
    const int error = l->head > l->lists ? heddle__device_copy_out(p->d->device, p->head + l->lists,
                                                                   p->there->memory + l->lists, l->head - l->lists)
                                         : HEDDLE_OK;
    for (int o = 0; !error && o < kind->call->noutputs; o++) {
        struct heddle_jobs_any_list list;
        memcpy(&list, p->head + l->lists + (size_t)o * sizeof list, sizeof list);
        k->need[o] = list.count;
        enough &= list.count <= l->room[o];
    }
    return error ? error : enough ? HEDDLE_OK : HEDDLE__JOBS_OVERFLOWN;
}

/* Under the lock, the batch is done. */
static void commit(struct heddle__jobs_place *p, int type, const struct layout *l, char *red, double seconds) {
    struct heddle__jobs_device *d = p->d;
    struct heddle__jobs_engine *e = d->engine;
    const struct heddle__jobs_kind *kind = &e->kind[type];
    const long count = d->batch.count;
    long made[HEDDLE__JOBS_TYPES + 1] = {0}; /* of no type, and of each */
    for (int o = 0; o < kind->call->noutputs; o++) {
        struct heddle__jobs_list *list = &e->list[kind->call->outputs[o].list];
        const long n = p->kind[type].need[o];
        double *seen = &p->kind[type].seen[o];
        if (n > SOME / 2 && (double)n / (double)count > *seen)
            *seen = (double)n / (double)count;
        struct heddle__jobs_queue *to = list->type < 0 ? &list->result : &e->kind[list->type].unassigned[d->number + 1];
        made[list->type + 1] += n;
        e->left += list->type < 0 ? 0 : n;
        if (n)
            heddle__jobs_add_there(e, to, l->output[o], l->at[o], n);
        if (n && list->type >= 0 && e->idle)
            pthread_cond_signal(&e->ask);
    }
    for (long k = 0; k < l->npartials; k++)
        kind->loop->red_join(kind->red, p->head + l->partials + (size_t)k * kind->loop->red_bytes);
    if (!l->npartials)
        kind->loop->red_join(kind->red, red);
    e->cold |= d->costs[type].first;
    heddle__jobs_note(&d->costs[type], count, seconds > l->moved ? seconds - l->moved : 0);
    heddle__jobs_record(e, type, count, made + 1);
    d->done[type] += count;
    d->running[type] -= count;
    d->busy += seconds;
    d->batches++;
    e->kind[type].done += count;
    heddle__jobs_drop(e, &d->batch);
}

int heddle__jobs_launch(struct heddle__jobs_place *p, int type, long count) {
    struct heddle__jobs_device *d = p->d;
    const struct heddle__jobs_kind *kind = &d->engine->kind[type];
    const int outputs = kind->call->noutputs;
    struct heddle__jobs_buffer *output[outputs + 1];
    size_t at[outputs + 1];
    long room[outputs + 1];
    char start[kind->loop->red_bytes + 1], red[kind->loop->red_bytes + 1];
    struct layout l = {.output = output, .at = at, .room = room};
    const double begun = heddle__now();
    memcpy(start, kind->call->red, kind->loop->red_bytes);
    kind->loop->red_start(start);
    memcpy(red, start, kind->loop->red_bytes);
    lay_out(p, type, count, &l);
    int error = l.bytes > d->budget && count > 1 ? HEDDLE__JOBS_TOO_LARGE : enter(p, type);
    error = error ? error : reserve(p, type, count, &l);
    if (!error)
        fill_head(p, type, &l, start);
    error = error ? error : bring(p, type, &l);
    error = error ? error : launch(p, type, &l, count, red);
    if (!error && heddle__jobs_given_up(d))
        return HEDDLE_ETIMEDOUT;
    error = error ? error : look(p, type, &l);
    heddle__jobs_slow_down(d, heddle__now() - begun);
    pthread_mutex_lock(&d->engine->lock);
    error = d->gone ? HEDDLE_ETIMEDOUT : error;
    if (!error)
        commit(p, type, &l, red, heddle__now() - begun);
    pthread_mutex_unlock(&d->engine->lock);
    return error;
}
