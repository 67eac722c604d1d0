/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread of the host: takes some of the jobs that are placed there, runs them, and appends to lists of its own. What
 * it appended becomes jobs for others when it has nothing to do, or others have not. Jobs that lie on a device it
 * fetches for all threads, a stretch at a time, while the others run what is there.
 */
#include "engine.h"
#include "trace/record.h"
#include <stdlib.h>
#include <string.h>

enum { PARTS = 4 /* of what is queued, for each thread */, MANY = 4096 /* appended jobs, which others may want */ };
enum { STRETCH = 1000000 /* bytes that are fetched at once, by this thread alone */ };
static const double QUICK = 20e-6; /* seconds of a batch at least: taking one is not for nothing */

struct worker {
    struct heddle__jobs_device *d;
    struct heddle_jobs_any_list *list; /* its own, of each list */
    long *before;                      /* elements in each when the batch began */
    char **env, **red;                 /* of each type */
    bool inside, turn;                 /* turns.h, from its first batch on until it waits */
};

static void free_worker(struct worker *w, const struct heddle__jobs_engine *e) {
    for (int t = 0; t < e->types; t++) {
        if (w->env)
            free(w->env[t]);
        if (w->red)
            free(w->red[t]);
    }
    free(w->env);
    free(w->red);
    free(w->list);
    free(w->before);
}

static bool make_worker(struct worker *w, const struct heddle__jobs_engine *e) {
    w->list = calloc((size_t)e->lists, sizeof *w->list);
    w->before = calloc((size_t)e->lists, sizeof *w->before);
    w->env = calloc((size_t)e->types, sizeof *w->env);
    w->red = calloc((size_t)e->types, sizeof *w->red);
    for (int t = 0; w->list && w->before && w->env && w->red && t < e->types; t++) {
        const struct heddle_jobs_type *call = e->kind[t].call;
        const struct heddle_loop_type *loop = e->kind[t].loop;
        w->env[t] = malloc(loop->env_bytes + 1);
        w->red[t] = malloc(loop->red_bytes + 1);
        if (!w->env[t] || !w->red[t])
            return false;
        memcpy(w->env[t], call->env, loop->env_bytes);
        memcpy(w->red[t], call->red, loop->red_bytes);
        loop->red_start(w->red[t]);
        for (int k = 0; k < call->noutputs; k++) {
            struct heddle_jobs_any_list *own = &w->list[call->outputs[k].list];
            memcpy(w->env[t] + call->outputs[k].slot, &own, sizeof own);
        }
    }
    return w->list && w->before && w->env && w->red;
}

/* ---- under the lock ---------------------------------------------------------------------------------------------- */
static bool take(struct worker *w, struct heddle__jobs_queue *mine, int *type) {
    struct heddle__jobs_device *d = w->d;
    struct heddle__jobs_engine *e = d->engine;
    if (e->over || d->gone || !heddle__jobs_queued(d))
        return false;
    const struct heddle_jobs_batch b = heddle__jobs_choose_batch(e, d);
    const long queued = d->queue[b.type].count, share = queued / (PARTS * d->threads);
    const double each = d->costs[b.type].each * d->threads; /* by one thread */
    long some = each > 0 ? (long)(QUICK / each) : 1;
    some = some > share ? some : share;
    some = some < 1 ? 1 : some > b.count ? b.count : some;
    *type = b.type;
    const struct heddle__jobs_block *first = d->queue[b.type].first;
    if (first->buffer->on) {
        const long stretch = STRETCH / (long)e->kind[b.type].record;
        some = some > stretch ? some : stretch;
        some = some < first->count ? some : first->count;
        heddle__jobs_move(e, mine, &d->queue[b.type], some);
        d->coming += some;
        return true;
    }
    long here = 0;
    for (; first && !first->buffer->on && here < some; first = first->next)
        here += first->count;
    some = some < here ? some : here;
    heddle__jobs_move(e, mine, &d->queue[b.type], some);
    e->left -= some;
    d->running[b.type] += some;
    if (heddle__jobs_queued(d)) /* the others may have what it leaves */
        heddle__jobs_call(e, b.type, heddle__jobs_queued(d));
    return true;
}

static long appended(const struct worker *w) {
    long sum = 0;
    for (int l = 0; l < w->d->engine->lists; l++)
        if (w->d->engine->list[l].type >= 0)
            sum += w->list[l].count;
    return sum;
}

static void hand_over(struct worker *w) {
    struct heddle__jobs_engine *e = w->d->engine;
    for (int l = 0; l < e->lists; l++) {
        if (!w->list[l].count)
            continue;
        heddle__jobs_append(e, l, &w->list[l]);
        w->list[l] = (struct heddle_jobs_any_list){0};
    }
}

/* What a batch made is what there is now and was not before it. */
static void record(struct worker *w, int type, long count) {
    struct heddle__jobs_engine *e = w->d->engine;
    long made[HEDDLE__JOBS_TYPES] = {0};
    if (!e->record)
        return;
    for (int l = 0; l < e->lists; l++)
        if (e->list[l].type >= 0)
            made[e->list[l].type] = w->list[l].count - w->before[l];
    heddle__jobs_record(e, type, count, made);
}

static void account(struct worker *w, int type, struct heddle__jobs_queue *mine, double seconds) {
    struct heddle__jobs_device *d = w->d;
    const long count = mine->count;
    d->running[type] -= count;
    d->done[type] += count;
    d->busy += seconds;
    d->batches++;
    d->engine->kind[type].done += count;
    heddle__jobs_note(&d->costs[type], count, seconds / d->threads);
    record(w, type, count);
    heddle__jobs_drop(d->engine, mine);
    if (appended(w) >= MANY || (d->engine->idle && appended(w)))
        hand_over(w);
}

/* ---- not under it ------------------------------------------------------------------------------------------------ */
static void leave_turn(struct worker *w) {
    if (w->inside)
        heddle__turn_end(w->turn);
    w->inside = false;
}

static double run(struct worker *w, int type, const struct heddle__jobs_queue *mine) {
    const struct heddle__jobs_kind *kind = &w->d->engine->kind[type];
    w->turn = w->inside ? heddle__turn_go_on(w->turn) : heddle__turn_begin();
    w->inside = true;
    const int64_t begin = heddle__trace_on() ? heddle__trace_now() : 0;
    const double start = heddle__now();
    for (int l = 0; l < w->d->engine->lists; l++)
        w->before[l] = w->list[l].count;
    for (const struct heddle__jobs_block *b = mine->first; b; b = b->next)
        kind->loop->host(w->env[type], (long)(uintptr_t)b->at, (long)kind->record, b->count, w->red[type]);
    if (w->d->slow > 1) /* others do not wait while it sleeps */
        leave_turn(w);
    heddle__jobs_slow_down(w->d, heddle__now() - start);
    if (begin)
        heddle__trace_span(heddle__trace_thread(), kind->trace_name, begin, heddle__trace_now());
    return heddle__now() - start;
}

/* From a device, into the queue; false: that device failed, and its own thread has to tell. */
static bool fetch(struct worker *w, int type, struct heddle__jobs_queue *mine) {
    struct heddle__jobs_device *d = w->d;
    struct heddle__jobs_engine *e = d->engine;
    const long count = mine->count;
    pthread_mutex_unlock(&e->lock);
    const int error = heddle__jobs_fetch(e, mine);
    pthread_mutex_lock(&e->lock);
    for (const struct heddle__jobs_block *b = mine->first; error && b; b = b->next)
        if (b->buffer->on)
            b->buffer->on->bad = true;
    d->coming -= count;
    if (d->gone)
        heddle__jobs_unassign(e, type, mine);
    else
        heddle__jobs_move(e, &d->queue[type], mine, count);
    pthread_cond_broadcast(&e->work);
    return !error;
}

static void serve(struct worker *w) {
    struct heddle__jobs_device *d = w->d;
    struct heddle__jobs_engine *e = d->engine;
    struct heddle__jobs_queue mine = {0};
    int type;
    pthread_mutex_lock(&e->lock);
    for (;;) {
        bool any = false, able = true;
        while (able && take(w, &mine, &type)) {
            if (mine.first->buffer->on) {
                leave_turn(w);
                able = fetch(w, type, &mine);
                continue;
            }
            e->busy += !any;
            any = true;
            pthread_mutex_unlock(&e->lock);
            const double seconds = run(w, type, &mine);
            pthread_mutex_lock(&e->lock);
            account(w, type, &mine, seconds);
        }
        leave_turn(w);
        if (any) {
            hand_over(w);
            heddle__jobs_rested(e);
        } else if (!heddle__jobs_ask_alone(d) && !heddle__jobs_wait(d)) {
            break;
        }
    }
    for (int t = 0; t < e->types; t++)
        e->kind[t].loop->red_join(e->kind[t].red, w->red[t]);
    pthread_mutex_unlock(&e->lock);
}

void heddle__jobs_serve_host(void *with) {
    struct heddle__jobs_device *d = with;
    struct heddle__jobs_engine *e = d->engine;
    struct worker w = {.d = d};
    heddle__cores_use(&e->cores, false);
    if (make_worker(&w, e)) {
        serve(&w);
    } else {
        pthread_mutex_lock(&e->lock);
        if (!--d->threads)
            heddle__jobs_lose(d, heddle_strerror(HEDDLE_ENOMEM), true);
        pthread_mutex_unlock(&e->lock);
    }
    free_worker(&w, e);
    heddle__cores_leave(&e->cores);
    pthread_mutex_lock(&e->lock);
    e->living--;
    pthread_cond_signal(&e->ask);
    pthread_mutex_unlock(&e->lock);
}
