/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device's memory for jobs: buffers to which launch after launch appends, one for each list at a time. Those that
 * nobody needs any more wait for the next use, since a driver takes its time to allocate.
 */
#include "engine.h"
#include <stdlib.h>

enum { LEAST = 1 << 20 /* bytes of a buffer, where there is enough */ };

/* The smallest that is large enough. */
static struct heddle__jobs_buffer *reuse(struct heddle__jobs_device *d, size_t bytes) {
    struct heddle__jobs_buffer **best = NULL, *b;
    pthread_mutex_lock(&d->engine->lock);
    for (struct heddle__jobs_buffer **at = &d->spare; *at; at = &(*at)->next)
        if ((*at)->bytes >= bytes && (!best || (*at)->bytes < (*best)->bytes))
            best = at;
    b = best ? *best : NULL;
    if (b) {
        *best = b->next;
        b->blocks = 1;
        b->used = 0;
    }
    pthread_mutex_unlock(&d->engine->lock);
    return b;
}

static struct heddle__jobs_buffer *make(struct heddle__jobs_device *d, size_t bytes) {
    struct heddle__jobs_buffer *b = malloc(sizeof *b);
    char *memory = b ? heddle__device_alloc(d->device, bytes) : NULL;
    if (!memory) {
        free(b);
        return NULL;
    }
    *b = (struct heddle__jobs_buffer){.on = d, .source = d->number, .memory = memory, .bytes = bytes, .blocks = 1};
    d->memory += bytes;
    d->most = d->memory > d->most ? d->memory : d->most;
    return b;
}

static void free_spares(struct heddle__jobs_device *d) {
    pthread_mutex_lock(&d->engine->lock);
    struct heddle__jobs_buffer *b = d->spare, *next;
    d->spare = NULL;
    pthread_mutex_unlock(&d->engine->lock);
    for (; b; b = next) {
        next = b->next;
        d->memory -= b->bytes;
        heddle__device_free(d->device, b->memory);
        free(b);
    }
}

/* ---- from execution to execution --------------------------------------------------------------------------------- */
static struct heddle__jobs_buffer *kept[HEDDLE__DEVICES]; /* no more of several at once than of one */
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

void heddle__jobs_recall_memory(struct heddle__jobs_device *d) {
    pthread_mutex_lock(&kept_lock);
    d->spare = kept[d->device];
    kept[d->device] = NULL;
    pthread_mutex_unlock(&kept_lock);
    for (struct heddle__jobs_buffer *b = d->spare; b; b = b->next) {
        b->on = d;
        b->source = d->number;
        d->memory += b->bytes;
    }
    d->most = d->memory;
}

/* As much as an idle arena, or an eighth of what may be used: a driver takes milliseconds for gigabytes. */
void heddle__jobs_keep_memory(struct heddle__jobs_device *d) {
    const size_t share = d->budget / 8, most = share > HEDDLE__ARENA_KEEP ? share : HEDDLE__ARENA_KEEP;
    size_t bytes = 0;
    pthread_mutex_lock(&kept_lock);
    for (const struct heddle__jobs_buffer *b = d->spare ? kept[d->device] : NULL; b; b = b->next)
        bytes += b->bytes;
    while (d->spare) {
        struct heddle__jobs_buffer *b = d->spare;
        d->spare = b->next;
        if (!d->gone && bytes + b->bytes <= most) {
            bytes += b->bytes;
            b->next = kept[d->device];
            kept[d->device] = b;
        } else {
            heddle__device_free(d->device, b->memory);
            free(b);
        }
    }
    pthread_mutex_unlock(&kept_lock);
}

/* ---- within one
 * ------------------------------------------------------------------------------------------------------ */
/* What the batch has not begun may lie there, and be much. */
static void give_rest_back(struct heddle__jobs_device *d) {
    struct heddle__jobs_engine *e = d->engine;
    pthread_mutex_lock(&e->lock);
    if (!d->gone) {
        e->left += d->rest.count;
        d->running[d->type] -= d->rest.count;
        heddle__jobs_move(e, &d->queue[d->type], &d->rest, d->rest.count);
    }
    pthread_mutex_unlock(&e->lock);
}

static struct heddle__jobs_buffer *within_budget(struct heddle__jobs_device *d, size_t bytes) {
    return d->memory + bytes <= d->budget ? make(d, bytes) : NULL;
}

struct heddle__jobs_buffer *heddle__jobs_take_memory(struct heddle__jobs_device *d, size_t bytes, bool must,
                                                     int *error) {
    const size_t generous = 2 * bytes > LEAST ? 2 * bytes : LEAST, part = d->budget / 8;
    const size_t fair = generous < part ? generous : part, want = fair > bytes ? fair : bytes;
    struct heddle__jobs_buffer *b = reuse(d, bytes);
    b = b ? b : within_budget(d, want);
    if (b)
        return b;
    free_spares(d);
    b = within_budget(d, want);
    b = b ? b : within_budget(d, bytes);
    if (!b)
        give_rest_back(d);
    while (!b && !*error && heddle__jobs_spill(d, error)) {
        free_spares(d);
        b = within_budget(d, bytes);
    }
    return b || !must || *error ? b : make(d, bytes);
}

void heddle__jobs_leave_memory(struct heddle__jobs_device *d, struct heddle__jobs_buffer *b) {
    if (!b)
        return;
    pthread_mutex_lock(&d->engine->lock);
    heddle__jobs_let_go(d->engine, b);
    pthread_mutex_unlock(&d->engine->lock);
}

struct heddle__jobs_buffer *heddle__jobs_open(struct heddle__jobs_device *d, int list, long room, bool must, size_t *at,
                                              int *error) {
    struct heddle__jobs_engine *e = d->engine;
    const size_t record = e->list[list].record, bytes = (size_t)room * record;
    struct heddle__jobs_buffer *b = d->open[list];
    pthread_mutex_lock(&e->lock);
    if (b && b->blocks == 1) /* nothing lies in it any more */
        b->used = 0;
    const bool full = !b || b->bytes - b->used < bytes;
    pthread_mutex_unlock(&e->lock);
    if (full) {
        d->open[list] = NULL;
        heddle__jobs_leave_memory(d, b);
        b = d->open[list] = heddle__jobs_take_memory(d, bytes ? bytes : 1, must, error);
    }
    if (!b)
        return NULL;
    pthread_mutex_lock(&e->lock);
    if (b->record != record) /* of another list before; nobody looks at it now */
        b->record = record;
    *at = b->used;
    pthread_mutex_unlock(&e->lock);
    return b;
}
