/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread of an offload device: brings a batch of jobs, runs it in one launch, and fetches what it appended. Each
 * list has room for so many elements there, which are claimed by one count; where there were more, what the batch
 * appended and reduced is dropped, and it runs again with more room, or in halves.
 */
#include "engine.h"
#include "trace/record.h"
#include <heddle/gpu.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    OVERFLOWN = 1,
    TOO_LARGE = 2 /* beside negative errors */,
    FIRST_ROOM = 4 /* elements for each job */,
    SOME = 1024
};
enum { BATCH_BYTES = 256 << 20 /* where nobody knows how much memory is free */ };

struct kind_there { /* a type on the device */
    char *env;      /* with device pointers of its arrays */
    bool entered;
    double *each; /* elements that a job appends to each of its outputs, at most so far */
    long *need;   /* ... that the last batch did */
};

struct heddle__jobs_place {
    struct heddle__jobs_device *d;
    char *memory; /* the device's */
    size_t bytes, budget;
    char *head, *red; /* on the host: what stands before the records, and values that a batch starts from */
    size_t head_bytes;
    struct kind_there *kind;
    long batch, room; /* HEDDLE_TUNE; 0: chosen */
};

/* Where things lie in the device's memory, for one batch. */
struct layout {
    size_t lists, partials, head, records, end;
    size_t *output; /* of each output's elements */
    long *room;
    long npartials;
};

static size_t aligned(size_t n) { return (n + 255) / 256 * 256; }

static bool is_gone(struct heddle__jobs_device *d) {
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

static struct heddle__jobs_place *make_place(struct heddle__jobs_device *d) {
    const struct heddle__jobs_engine *e = d->engine;
    struct heddle__jobs_place *p = calloc(1, sizeof *p);
    if (!p || !(p->kind = calloc((size_t)e->types, sizeof *p->kind)))
        return p;
    p->d = d;
    p->batch = tuned("jobs-batch");
    p->room = tuned("jobs-room");
    const size_t room = heddle_device_room(d->device);
    p->budget = room < SIZE_MAX ? room / 2 : BATCH_BYTES;
    for (int t = 0; t < e->types; t++) {
        const int outputs = e->kind[t].call->noutputs;
        struct kind_there *k = &p->kind[t];
        k->env = malloc(e->kind[t].loop->env_bytes + 1);
        k->each = calloc((size_t)outputs + 1, sizeof *k->each);
        k->need = calloc((size_t)outputs + 1, sizeof *k->need);
        if (!k->env || !k->each || !k->need)
            return p;
        memcpy(k->env, e->kind[t].call->env, e->kind[t].loop->env_bytes);
        for (int o = 0; o < outputs; o++)
            k->each[o] = heddle__jobs_room_recall(e->kind[t].loop, o, FIRST_ROOM);
    }
    p->red = malloc(1);
    return p;
}

static bool is_whole(const struct heddle__jobs_place *p) { return p && p->red; }

static void free_place(struct heddle__jobs_place *p) {
    if (!p)
        return;
    for (int t = 0; p->kind && t < p->d->engine->types; t++) {
        const struct heddle_jobs_type *call = p->d->engine->kind[t].call;
        if (p->kind[t].entered)
            heddle__maps_exit(call->maps, call->nmaps, p->d->device, true);
        free(p->kind[t].env);
        free(p->kind[t].each);
        free(p->kind[t].need);
    }
    if (p->memory)
        heddle__device_free(p->d->device, p->memory);
    free(p->kind);
    free(p->head);
    free(p->red);
    free(p);
}

/* Arrays that the jobs read stay until the end. */
static int enter(struct heddle__jobs_place *p, int type) {
    const struct heddle_jobs_type *call = p->d->engine->kind[type].call;
    struct kind_there *k = &p->kind[type];
    if (k->entered)
        return HEDDLE_OK;
    const int error = heddle__maps_enter(call->maps, call->nmaps, p->d->device, k->env);
    k->entered = !error;
    return error;
}

/* ---- one launch
 * ------------------------------------------------------------------------------------------------------ */
static long room_for(const struct heddle__jobs_place *p, int type, int output, long count) {
    const struct kind_there *k = &p->kind[type];
    if (p->room)
        return count > 1 || k->need[output] < p->room ? p->room : k->need[output];
    return (long)(k->each[output] * 1.25 * (double)count) + SOME;
}

static void lay_out(const struct heddle__jobs_place *p, int type, long count, struct layout *l) {
    const struct heddle__jobs_engine *e = p->d->engine;
    const struct heddle__jobs_kind *kind = &e->kind[type];
    l->npartials = !kind->loop->partials ? 0 : count < HEDDLE_LOOP_PARTIALS ? count : HEDDLE_LOOP_PARTIALS;
    l->lists = aligned(kind->loop->env_bytes);
    l->partials = aligned(l->lists + (size_t)kind->call->noutputs * sizeof(struct heddle_jobs_any_list));
    l->head = aligned(l->partials + (size_t)l->npartials * kind->loop->red_bytes);
    l->records = l->head;
    l->end = aligned(l->records + (size_t)count * kind->record);
    for (int o = 0; o < kind->call->noutputs; o++) {
        l->output[o] = l->end;
        l->room[o] = room_for(p, type, o, count);
        l->end = aligned(l->end + (size_t)l->room[o] * e->list[kind->call->outputs[o].list].record);
    }
}

static int reserve(struct heddle__jobs_place *p, const struct layout *l) {
    if (p->head_bytes < l->head) {
        free(p->head);
        p->head = malloc(l->head);
        p->head_bytes = p->head ? l->head : 0;
    }
    if (p->bytes < l->end) {
        heddle__device_free(p->d->device, p->memory);
        p->memory = heddle__device_alloc(p->d->device, l->end + l->end / 4);
        p->bytes = p->memory ? l->end + l->end / 4 : l->end;
        p->memory = p->memory ? p->memory : heddle__device_alloc(p->d->device, l->end);
        p->bytes = p->memory ? p->bytes : 0;
    }
    return p->head && p->memory ? HEDDLE_OK : HEDDLE_ENOMEM;
}

static void fill_head(struct heddle__jobs_place *p, int type, const struct layout *l, const char *start) {
    const struct heddle__jobs_kind *kind = &p->d->engine->kind[type];
    memcpy(p->head, p->kind[type].env, kind->loop->env_bytes);
    for (int o = 0; o < kind->call->noutputs; o++) {
        const size_t at = l->lists + (size_t)o * sizeof(struct heddle_jobs_any_list);
        const struct heddle_jobs_any_list list = {.room = -1 - l->room[o], .at = p->memory + l->output[o]};
        const char *there = p->memory + at;
        memcpy(p->head + at, &list, sizeof list);
        memcpy(p->head + kind->call->outputs[o].slot, &there, sizeof there);
    }
    for (long k = 0; k < l->npartials; k++)
        memcpy(p->head + l->partials + (size_t)k * kind->loop->red_bytes, start, kind->loop->red_bytes);
}

static int bring(struct heddle__jobs_place *p, int type, const struct layout *l) {
    const size_t record = p->d->engine->kind[type].record;
    size_t at = l->records;
    int error = heddle__device_copy_in(p->d->device, p->memory, p->head, l->head);
    for (const struct heddle__jobs_block *b = p->d->batch.first; !error && b; b = b->next) {
        error = heddle__device_copy_in(p->d->device, p->memory + at, b->at, (size_t)b->count * record);
        at += (size_t)b->count * record;
        if (!error && is_gone(p->d))
            return HEDDLE_ETIMEDOUT;
    }
    return error;
}

static int launch(struct heddle__jobs_place *p, int type, const struct layout *l, long count, char *red) {
    const struct heddle__jobs_kind *kind = &p->d->engine->kind[type];
    const int64_t begin = heddle__trace_on() ? heddle__trace_now() : 0;
    if (!p->d->cuda && !heddle__kernel_teams_fit())
        return HEDDLE_ENOMEM;
    heddle__launch_begin();
    kind->loop->kernel(&(struct heddle_loop_launch){.device = p->d->device,
                                                    .env = p->memory,
                                                    .host_env = kind->call->env,
                                                    .lo = (long)(uintptr_t)(p->memory + l->records),
                                                    .step = (long)kind->record,
                                                    .count = count,
                                                    .red = red,
                                                    .partial = l->npartials ? p->memory + l->partials : NULL});
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
    struct kind_there *k = &p->kind[type];
    bool enough = true;
    const int error = l->head > l->lists ? heddle__device_copy_out(p->d->device, p->head + l->lists,
                                                                   p->memory + l->lists, l->head - l->lists)
                                         : HEDDLE_OK;
    for (int o = 0; !error && o < kind->call->noutputs; o++) {
        struct heddle_jobs_any_list list;
        memcpy(&list, p->head + l->lists + (size_t)o * sizeof list, sizeof list);
        k->need[o] = list.count;
        enough &= list.count <= l->room[o];
    }
    return error ? error : enough ? HEDDLE_OK : OVERFLOWN;
}

static int fetch(struct heddle__jobs_place *p, int type, const struct layout *l, struct heddle_jobs_any_list *out) {
    const struct heddle__jobs_engine *e = p->d->engine;
    const struct heddle_jobs_type *call = e->kind[type].call;
    for (int o = 0; o < call->noutputs; o++) {
        const long n = p->kind[type].need[o];
        const size_t bytes = (size_t)n * e->list[call->outputs[o].list].record;
        if (!n)
            continue;
        out[o] = (struct heddle_jobs_any_list){.count = n, .room = n, .at = malloc(bytes)};
        if (!out[o].at)
            return HEDDLE_ENOMEM;
        const int error = heddle__device_copy_out(p->d->device, out[o].at, p->memory + l->output[o], bytes);
        if (error)
            return error;
    }
    return HEDDLE_OK;
}

/* Under the lock, the batch is done. */
static void commit(struct heddle__jobs_place *p, int type, const struct layout *l, struct heddle_jobs_any_list *out,
                   char *red, double seconds) {
    struct heddle__jobs_device *d = p->d;
    struct heddle__jobs_engine *e = d->engine;
    const struct heddle__jobs_kind *kind = &e->kind[type];
    const long count = d->batch.count;
    long made[HEDDLE__JOBS_TYPES + 1] = {0}; /* of no type, and of each */
    for (int o = 0; o < kind->call->noutputs; o++)
        if (out[o].count) {
            made[e->list[kind->call->outputs[o].list].type + 1] += out[o].count;
            heddle__jobs_append(e, kind->call->outputs[o].list, &out[o]);
            out[o].at = NULL;
        }
    for (long k = 0; k < l->npartials; k++)
        kind->loop->red_join(kind->call->red, p->head + l->partials + (size_t)k * kind->loop->red_bytes);
    if (!l->npartials)
        kind->loop->red_join(kind->call->red, red);
    heddle__jobs_note(&d->costs[type], count, seconds);
    heddle__jobs_record(e, type, count, made + 1);
    d->done[type] += count;
    d->running[type] -= count;
    d->busy += seconds;
    d->batches++;
    e->kind[type].done += count;
    heddle__jobs_drop(e, &d->batch);
}

/* The jobs in d->batch, in one launch. */
static int run_once(struct heddle__jobs_place *p, int type) {
    struct heddle__jobs_device *d = p->d;
    const struct heddle__jobs_kind *kind = &d->engine->kind[type];
    const int outputs = kind->call->noutputs;
    const long count = d->batch.count;
    size_t at[outputs + 1];
    long room[outputs + 1];
    struct heddle_jobs_any_list out[outputs + 1];
    char start[kind->loop->red_bytes + 1], red[kind->loop->red_bytes + 1];
    struct layout l = {.output = at, .room = room};
    const double begun = heddle__now();
    memset(out, 0, sizeof out);
    memcpy(start, kind->call->red, kind->loop->red_bytes);
    kind->loop->red_start(start);
    memcpy(red, start, kind->loop->red_bytes);
    lay_out(p, type, count, &l);
    int error = l.end > p->budget && count > 1 ? TOO_LARGE : enter(p, type);
    error = error ? error : reserve(p, &l);
    if (!error)
        fill_head(p, type, &l, start);
    error = error ? error : bring(p, type, &l);
    error = error ? error : launch(p, type, &l, count, red);
    if (!error && is_gone(d))
        return HEDDLE_ETIMEDOUT;
    error = error ? error : look(p, type, &l);
    error = error ? error : fetch(p, type, &l, out);
    heddle__jobs_slow_down(d, heddle__now() - begun);
    pthread_mutex_lock(&d->engine->lock);
    error = d->gone ? HEDDLE_ETIMEDOUT : error;
    if (!error)
        commit(p, type, &l, out, red, heddle__now() - begun);
    pthread_mutex_unlock(&d->engine->lock);
    for (int o = 0; o < outputs; o++)
        free(out[o].at);
    return error;
}

/* ---- a batch, in as many launches as it takes
 * ------------------------------------------------------------------------ */
/* More room by what was needed; false: the batch has to be smaller. */
static bool learn(struct heddle__jobs_place *p, int type, long count) {
    struct kind_there *k = &p->kind[type];
    size_t bytes = 0;
    for (int o = 0; o < p->d->engine->kind[type].call->noutputs; o++) {
        const double each = (double)k->need[o] / (double)count;
        k->each[o] = each > k->each[o] ? each : k->each[o];
        heddle__jobs_room_keep(p->d->engine->kind[type].loop, o, k->each[o]);
        bytes += (size_t)(k->each[o] * 1.25 * (double)count) *
                 p->d->engine->list[p->d->engine->kind[type].call->outputs[o].list].record;
    }
    return count == 1 || (!p->room && bytes < p->budget / 2);
}

static void begin_part(struct heddle__jobs_device *d, long size) {
    struct heddle__jobs_engine *e = d->engine;
    pthread_mutex_lock(&e->lock);
    if (!d->gone) {
        heddle__jobs_move(e, &d->batch, &d->rest, size, e->kind[d->type].record);
        d->begun = heddle__now();
        d->expected = d->costs[d->type].setup + d->costs[d->type].each * (double)d->batch.count;
    }
    pthread_mutex_unlock(&e->lock);
}

static void take_back(struct heddle__jobs_device *d, bool ran) {
    struct heddle__jobs_engine *e = d->engine;
    pthread_mutex_lock(&e->lock);
    if (!d->gone) {
        heddle__jobs_move(e, &d->rest, &d->batch, d->batch.count, e->kind[d->type].record);
        d->again += ran;
    }
    pthread_mutex_unlock(&e->lock);
}

static int run_batch(struct heddle__jobs_place *p) {
    struct heddle__jobs_device *d = p->d;
    long size = p->batch && p->batch < d->rest.count ? p->batch : d->rest.count;
    int tries = 0;
    while (d->rest.count) {
        begin_part(d, size);
        const long count = d->batch.count;
        const int error = run_once(p, d->type);
        if (!error) {
            tries = 0;
            continue;
        }
        if (error != OVERFLOWN && error != TOO_LARGE && (error != HEDDLE_ENOMEM || count == 1))
            return error;
        if (count == 1 && ++tries > 3)
            return HEDDLE_ENOMEM;
        take_back(d, error == OVERFLOWN);
        if (error != OVERFLOWN || !learn(p, d->type, count) || ++tries > 8)
            size = count > 1 ? (count + 1) / 2 : 1;
    }
    return HEDDLE_OK;
}

/* ---- the thread
 * -------------------------------------------------------------------------------------------------------- */
static void take(struct heddle__jobs_device *d) {
    struct heddle__jobs_engine *e = d->engine;
    const struct heddle_jobs_batch b = heddle__jobs_choose_batch(e, d);
    d->type = b.type;
    heddle__jobs_move(e, &d->rest, &d->queue[b.type], b.count, e->kind[b.type].record);
    e->left -= b.count;
    d->running[b.type] += b.count;
    e->busy++;
    if (e->idle) /* the others may have what it leaves */
        pthread_cond_signal(&e->ask);
}

/* False: the device failed, or was given up. */
static bool serve(struct heddle__jobs_place *p) {
    struct heddle__jobs_device *d = p->d;
    struct heddle__jobs_engine *e = d->engine;
    bool waiting = true;
    pthread_mutex_lock(&e->lock);
    while (waiting && !d->gone) {
        if (!heddle__jobs_queued(d)) {
            waiting = heddle__jobs_wait(d);
            continue;
        }
        take(d);
        pthread_mutex_unlock(&e->lock);
        const int error = run_batch(p);
        pthread_mutex_lock(&e->lock);
        if (error)
            heddle__jobs_lose(d, heddle_strerror(error));
        else
            heddle__jobs_rested(e);
    }
    const bool fine = !d->gone;
    pthread_mutex_unlock(&e->lock);
    return fine;
}

void heddle__jobs_serve_device(void *with) {
    struct heddle__jobs_device *d = with;
    struct heddle__jobs_engine *e = d->engine;
    const bool inside = d->cuda && !heddle_gpu_enter(d->device);
    struct heddle__jobs_place *p = !d->cuda || inside ? make_place(d) : NULL;
    heddle__cores_use(&e->cores, true);
    omp_set_default_device(d->device);
    if (is_whole(p)) {
        serve(p);
    } else {
        pthread_mutex_lock(&e->lock);
        heddle__jobs_lose(d, heddle_strerror(HEDDLE_ENOMEM));
        pthread_mutex_unlock(&e->lock);
    }
    pthread_mutex_lock(&e->lock);
    const bool abandoned = d->hangs;
    pthread_mutex_unlock(&e->lock);
    if (!abandoned)
        free_place(p);
    if (inside)
        heddle_gpu_leave();
    heddle__cores_leave(&e->cores);
    pthread_mutex_lock(&e->lock);
    e->living -= !abandoned;
    pthread_cond_signal(&e->ask);
    pthread_mutex_unlock(&e->lock);
}
