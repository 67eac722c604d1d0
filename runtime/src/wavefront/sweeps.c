/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nests with a loop over sweeps on host threads. In-place stencils: groups of as many sweeps as a vector has lanes,
 * each group in passes of a few rows (heddle/engine/wavefront/cpu_sweeps.h). Pass p of group g follows pass p - 1
 * column by column, and that pass of group g - 1 which leaves the rows below its own in memory; passes of all groups
 * are taken in an order in which both come first, so whoever is waited for is running or done.
 */
#include "core/internal.h"
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Groups in flight at once; more wait for a join, which costs the pipeline's fill. Bounds memory: each has a row
   of vectors. */
enum { MAX_GROUPS = 32 };

struct progress {
    _Alignas(128) atomic_ulong value; /* pass << HEDDLE_ROW_SHIFT | steps done */
};

struct team {
    struct heddle_wavefront *call;
    int threads, isa, lanes;
    long t0, t1; /* the sweeps of this round */
    long groups, passes, lag, ring;
    size_t carry_stride; /* bytes of a group's row */
    char *carry;
    struct progress *progress; /* [groups][ring] */
    char *red;
    size_t red_stride;
    void *red_start;
    double timeout;
    pthread_mutex_t lock;
    long key, next; /* group `next` of those whose pass is key - group * lag comes next */
};

struct worker {
    struct heddle_cpu_pass pass;
    struct team *team;
    long group, number;
    long above, before; /* steps known to be done: pass number - 1; the group before's pass number + lag */
};

static long least(long a, long b) { return a < b ? a : b; }

static struct progress *word(const struct team *t, long group, long pass) {
    return &t->progress[group * t->ring + pass % t->ring];
}

static void wait_for(const struct team *t, long group, long pass, long steps) {
    const unsigned long goal = (unsigned long)pass << HEDDLE_ROW_SHIFT | (unsigned long)steps;
    heddle__wait_word(&word(t, group, pass)->value, goal, &t->call->nest->site, pass, t->timeout);
}

static long all_steps(const struct team *t) { return t->call->j1 - t->call->j0 + 3 + t->lanes - 1; }

static void wait_steps(struct heddle_cpu_pass *pass, long steps) {
    struct worker *w = pass->runtime;
    const struct team *t = w->team;
    if (w->number && w->above < steps) {
        wait_for(t, w->group, w->number - 1, steps);
        w->above = steps;
    }
    /* step s reads column s + 1, which the last lane wrote that many steps later */
    const long need = least(steps + 1 + t->lanes, all_steps(t));
    if (w->group && w->before < need) {
        wait_for(t, w->group - 1, least(w->number + t->lag, t->passes - 1), need);
        w->before = need;
    }
}

static void publish_steps(struct heddle_cpu_pass *pass, long steps) {
    struct worker *w = pass->runtime;
    atomic_store_explicit(&word(w->team, w->group, w->number)->value,
                          (unsigned long)w->number << HEDDLE_ROW_SHIFT | (unsigned long)steps, memory_order_release);
}

/* The next pass to run, or false. In an order of rising key = pass + group * lag, so that of two passes of which
   one waits for the other, that one is taken first. */
static bool take(struct team *t, long *group, long *pass) {
    bool found = false;
    pthread_mutex_lock(&t->lock);
    while (!found && t->key < t->passes + (t->groups - 1) * t->lag) {
        *group = t->next;
        *pass = t->key - t->next * t->lag;
        found = *pass >= 0 && *pass < t->passes;
        if (++t->next == t->groups) {
            t->next = 0;
            t->key++;
        }
    }
    pthread_mutex_unlock(&t->lock);
    return found;
}

static void run_passes(struct team *t, int thread) {
    const struct heddle_wavefront *c = t->call;
    struct worker w = {.team = t,
                       .pass = {.env = c->env,
                                .i0 = c->i0,
                                .i1 = c->i1,
                                .j0 = c->j0,
                                .j1 = c->j1,
                                .isa = t->isa,
                                .red = t->red + (size_t)thread * t->red_stride,
                                .red_start = t->red_start,
                                .wait = t->threads > 1 ? wait_steps : NULL,
                                .publish = t->threads > 1 ? publish_steps : NULL}};
    w.pass.runtime = &w;
    while (take(t, &w.group, &w.number)) {
        w.above = w.before = 0;
        w.pass.t0 = t->t0 + w.group * t->lanes;
        w.pass.sweeps = (int)least(t->lanes, t->t1 - w.pass.t0 + 1);
        w.pass.row = c->i0 - 1 + w.number * HEDDLE_SWEEP_ROWS;
        w.pass.carry = t->carry + (size_t)w.group * t->carry_stride;
        c->nest->cpu_sweeps(&w.pass);
    }
}

static int allocate(struct team *t, size_t carry) {
    const struct heddle_wavefront *c = t->call;
    const struct heddle_nest *nest = c->nest;
    const long groups = least((c->t1 - c->t0 + t->lanes) / t->lanes, MAX_GROUPS);
    t->ring = t->threads + 1;
    t->carry_stride = ((size_t)all_steps(t) * carry + 127) / 128 * 128;
    t->red_stride = (nest->red_bytes + 191) / 128 * 128;
    const size_t words = (size_t)(groups * t->ring) * sizeof *t->progress;
    t->carry = aligned_alloc(128, (size_t)groups * t->carry_stride);
    t->progress = aligned_alloc(128, words);
    t->red = aligned_alloc(128, (size_t)t->threads * t->red_stride);
    t->red_start = malloc(nest->red_bytes + 1);
    if (!t->carry || !t->progress || !t->red || !t->red_start)
        return HEDDLE_ENOMEM;
    memset(t->carry, 0, (size_t)groups * t->carry_stride);
    memcpy(t->red_start, c->red, nest->red_bytes);
    nest->red_start(t->red_start);
    for (int k = 0; k < t->threads; k++)
        memcpy(t->red + (size_t)k * t->red_stride, t->red_start, nest->red_bytes);
    return HEDDLE_OK;
}

/* Sweeps t0 … t1 of an in-place stencil, MAX_GROUPS groups at a time. */
static void run_rounds(struct team *t) {
    const struct heddle_wavefront *c = t->call;
    for (t->t0 = c->t0; t->t0 <= c->t1; t->t0 = t->t1 + 1) {
        t->t1 = least(c->t1, t->t0 + (long)MAX_GROUPS * t->lanes - 1);
        t->groups = (t->t1 - t->t0 + t->lanes) / t->lanes;
        t->key = t->next = 0;
        memset(t->progress, 0, (size_t)(t->groups * t->ring) * sizeof *t->progress);
#pragma omp parallel num_threads(t->threads) if (t -> threads > 1)
        run_passes(t, omp_get_thread_num());
    }
}

int heddle__sweeps_cpu(struct heddle_wavefront *call) {
    size_t carry;
    struct team t = {.call = call,
                     .threads = heddle__host_threads(),
                     .isa = heddle__host_isa(),
                     .timeout = heddle__option_seconds("timeout"),
                     .lock = PTHREAD_MUTEX_INITIALIZER};
    t.lanes = call->nest->cpu_lanes(t.isa, &carry);
    t.lag = (t.lanes + HEDDLE_SWEEP_ROWS - 1) / HEDDLE_SWEEP_ROWS;
    /* the last lane starts that many rows above the nest, and the first one a row */
    t.passes = (call->i1 - call->i0 + 1 + t.lanes + HEDDLE_SWEEP_ROWS - 1) / HEDDLE_SWEEP_ROWS;
    if (t.threads > t.passes)
        t.threads = (int)t.passes;
    const int error = allocate(&t, carry);
    if (!error) {
        run_rounds(&t);
        for (int k = 0; k < t.threads; k++)
            call->nest->red_join(call->red, t.red + (size_t)k * t.red_stride);
        heddle__report()->workers = t.threads;
        heddle__report()->rows_per_worker = HEDDLE_SWEEP_ROWS;
    }
    free(t.carry);
    free(t.progress);
    free(t.red);
    free(t.red_start);
    return error;
}
