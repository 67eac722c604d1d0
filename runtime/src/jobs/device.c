/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread of an offload device: runs batches of jobs in as many launches as they take, with more room or in halves
 * where a launch was not enough, and gives the device up when it fails.
 */
#include "device/cuda.h"
#include "place.h"
#include <heddle/gpu.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>

/* ---- a batch, in as many launches as it takes ----------------------------------------------------------------------
 */
/* More room by what was needed; false: the batch has to be smaller. */
static bool learn(struct heddle__jobs_place *p, int type, long count) {
    const struct heddle__jobs_engine *e = p->d->engine;
    struct heddle__jobs_there *k = &p->kind[type];
    size_t bytes = 0;
    for (int o = 0; o < e->kind[type].call->noutputs; o++) {
        const double each = (double)k->need[o] / (double)count;
        k->each[o] = each > k->each[o] ? each : k->each[o];
        heddle__jobs_room_keep(e->kind[type].loop, o, k->each[o]);
        bytes += (size_t)(k->each[o] * 1.25 * (double)count) * e->list[e->kind[type].call->outputs[o].list].record;
    }
    return count == 1 || (!p->room && bytes < p->d->budget / 2);
}

/* Its blocks as they are now: they are others' when the device is given up meanwhile. */
static bool list_pieces(struct heddle__jobs_place *p) {
    p->pieces = 0;
    for (const struct heddle__jobs_block *b = p->d->batch.first; b; b = b->next) {
        if (p->pieces == p->piece_room) {
            const int room = p->piece_room ? 2 * p->piece_room : 16;
            struct heddle__jobs_piece *more = realloc(p->piece, (size_t)room * sizeof *more);
            if (!more)
                return false;
            p->piece = more;
            p->piece_room = room;
        }
        p->piece[p->pieces++] = (struct heddle__jobs_piece){.at = b->at, .count = b->count, .on = b->buffer->on};
    }
    return true;
}

/* A stretch that lies here and is not much shorter than what could be gathered runs where it lies. */
static long stretch_of(const struct heddle__jobs_device *d, long size) {
    const struct heddle__jobs_block *first = d->rest.first;
    return first->buffer->on == d && first->count < size && first->count >= size / 4 ? first->count : size;
}

/* Jobs of the part; 0: the device is gone, or has to stop. */
static long begin_part(struct heddle__jobs_place *p, long size, int *error) {
    struct heddle__jobs_device *d = p->d;
    struct heddle__jobs_engine *e = d->engine;
    pthread_mutex_lock(&e->lock);
    if (!d->gone && !e->over && d->rest.count) {
        size = size < d->rest.count ? size : d->rest.count;
        heddle__jobs_move(e, &d->batch, &d->rest, stretch_of(d, size));
        d->begun = heddle__now();
        d->expected = d->costs[d->type].setup + d->costs[d->type].each * (double)d->batch.count;
        *error = list_pieces(p) ? HEDDLE_OK : HEDDLE_ENOMEM;
    }
    const long count = d->gone ? 0 : d->batch.count;
    pthread_mutex_unlock(&e->lock);
    return count;
}

static void take_back(struct heddle__jobs_device *d, bool ran) {
    struct heddle__jobs_engine *e = d->engine;
    pthread_mutex_lock(&e->lock);
    if (!d->gone) {
        heddle__jobs_move(e, &d->rest, &d->batch, d->batch.count);
        d->again += ran;
    }
    pthread_mutex_unlock(&e->lock);
}

static int run_batch(struct heddle__jobs_place *p) {
    struct heddle__jobs_device *d = p->d;
    long size = p->batch ? p->batch : LONG_MAX, count;
    int tries = 0, error = HEDDLE_OK;
    while ((count = begin_part(p, size, &error))) {
        error = error ? error : heddle__jobs_launch(p, d->type, count);
        if (!error) {
            tries = 0;
            continue;
        }
        if (error != HEDDLE__JOBS_OVERFLOWN && error != HEDDLE__JOBS_TOO_LARGE &&
            (error != HEDDLE_ENOMEM || count == 1))
            return error;
        if (count == 1 && ++tries > 3)
            return HEDDLE_ENOMEM;
        take_back(d, error == HEDDLE__JOBS_OVERFLOWN);
        if (error != HEDDLE__JOBS_OVERFLOWN || !learn(p, d->type, count) || ++tries > 8)
            size = count > 1 ? (count + 1) / 2 : 1;
        error = HEDDLE_OK;
    }
    return heddle__jobs_given_up(d) ? HEDDLE_ETIMEDOUT : HEDDLE_OK;
}

/* ---- the thread ----------------------------------------------------------------------------------------------------
 */
static void take(struct heddle__jobs_device *d) {
    struct heddle__jobs_engine *e = d->engine;
    const struct heddle_jobs_batch b = heddle__jobs_choose_batch(e, d);
    d->type = b.type;
    heddle__jobs_move(e, &d->rest, &d->queue[b.type], b.count);
    e->left -= b.count;
    d->running[b.type] += b.count;
    e->busy++;
    if (e->idle) /* the others may have what it leaves */
        pthread_cond_signal(&e->ask);
}

/* What another device keeps and cannot be read waits until that one is given up. */
static void wait_for_other(struct heddle__jobs_place *p) {
    struct heddle__jobs_device *d = p->d, *other = p->waits_for;
    struct heddle__jobs_engine *e = d->engine;
    if (d->gone || e->over)
        return;
    heddle__jobs_move(e, &d->rest, &d->batch, d->batch.count);
    e->left += d->rest.count;
    d->running[d->type] -= d->rest.count;
    heddle__jobs_unassign(e, d->type, &d->rest);
    heddle__jobs_rested(e);
    if (other->gone)
        heddle__jobs_start_again(other);
    other->bad = true;
    pthread_cond_broadcast(&e->work);
    while (!other->gone && !d->gone && !e->over)
        pthread_cond_wait(&e->work, &e->lock);
}

/* Under the lock, which is not held while what lies there comes home. */
static void fail(struct heddle__jobs_device *d, int error) {
    struct heddle__jobs_engine *e = d->engine;
    if (d->gone || e->over)
        return;
    pthread_mutex_unlock(&e->lock);
    const bool kept = error != HEDDLE_ETIMEDOUT && !heddle__jobs_rescue(d);
    pthread_mutex_lock(&e->lock);
    heddle__jobs_lose(d, heddle_strerror(error), kept);
}

/* False: the device failed, or was given up. */
static bool serve(struct heddle__jobs_place *p) {
    struct heddle__jobs_device *d = p->d;
    struct heddle__jobs_engine *e = d->engine;
    bool waiting = true;
    pthread_mutex_lock(&e->lock);
    while (waiting && !d->gone && !e->over) {
        if (d->bad) {
            fail(d, HEDDLE_ELAUNCH);
            continue;
        }
        if (!heddle__jobs_queued(d)) {
            waiting = heddle__jobs_ask_alone(d) || heddle__jobs_wait(d);
            continue;
        }
        take(d);
        pthread_mutex_unlock(&e->lock);
        const int error = run_batch(p);
        pthread_mutex_lock(&e->lock);
        if (error == HEDDLE__JOBS_ELSEWHERE)
            wait_for_other(p);
        else if (error)
            fail(d, error);
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
    /* A thread that sleeps is told 50 to 100 us after the kernel's end. */
    const int asleep = inside && CPU_COUNT(&e->cores.all) > e->devices ? heddle_gpu_wait_awake() : -1;
    struct heddle__jobs_place *p = !d->cuda || inside ? heddle__jobs_make_place(d) : NULL;
    heddle__cores_use(&e->cores, true);
    omp_set_default_device(d->device);
    if (p) {
        serve(p);
    } else {
        pthread_mutex_lock(&e->lock);
        heddle__jobs_lose(d, heddle_strerror(HEDDLE_ENOMEM), true);
        pthread_mutex_unlock(&e->lock);
    }
    pthread_mutex_lock(&e->lock);
    const bool abandoned = d->hangs;
    pthread_mutex_unlock(&e->lock);
    if (!abandoned)
        heddle__jobs_free_place(p);
    if (inside) {
        heddle_gpu_wait_as(asleep);
        heddle_gpu_leave();
    }
    heddle__cores_leave(&e->cores);
    pthread_mutex_lock(&e->lock);
    e->living -= !abandoned;
    pthread_cond_signal(&e->ask);
    pthread_mutex_unlock(&e->lock);
}
