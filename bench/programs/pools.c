/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest pools there are: what a task costs. In the form that the translator emits (heddle/engine/pool/pool.h).
 */
#include "pools.h"
#include <heddle/engine/pool/pool.h>

int bench_pool_device = HEDDLE_DEVICE_AUTO;

#define POOL(p, nmapped)                                                                                               \
    {.type = &p##_type, .env = &heddle_env, .maps = heddle_maps, .nmaps = (nmapped), .device = bench_pool_device}

/* ---- independent ---- */
#define bench_pi_FILE __FILE__
#define bench_pi_FUNCTION "bench_independent"
#define bench_pi_LINE __LINE__
#define bench_pi_WORKER HEDDLE_WORKER_WARP
#define bench_pi_SCRATCH 0
#define bench_pi_KINDS(X) X(bench_pi, t0, HEDDLE_TASK_PLAIN)
struct bench_pi_env {
    unsigned *out;
};
struct bench_pi_t0 {
    char none;
};
HEDDLE_POOL_TYPES(bench_pi)
static HEDDLE_TASK int bench_pi_t0_run(struct heddle_worker *w, const struct bench_pi_env *env, struct bench_pi_t0 *r,
                                       const long *at, int part) {
    (void)r, (void)part;
    if (HEDDLE_FIRST(w))
        env->out[at[0]] += 1;
    return 0;
}
#define HEDDLE_POOL bench_pi
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL
void bench_independent(long n, unsigned *out) {
    struct bench_pi_env heddle_env = {.out = out};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(bench_pi, out, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, out, 0, n)};
    struct heddle_pool p = POOL(bench_pi, 1);
    heddle_pool_begin(&p);
    heddle_pool_loop(&p, &(struct heddle_taskloop){.kind = bench_pi_t0_kind, .dims = 1, .count = {n}},
                     &(struct bench_pi_t0){0}, 1);
    heddle_pool_end(&p);
}

/* ---- grid ---- */
#define bench_pg_FILE __FILE__
#define bench_pg_FUNCTION "bench_grid"
#define bench_pg_LINE __LINE__
#define bench_pg_WORKER HEDDLE_WORKER_WARP
#define bench_pg_SCRATCH 0
#define bench_pg_KINDS(X) X(bench_pg, t0, HEDDLE_TASK_PLAIN)
struct bench_pg_env {
    unsigned *out;
};
struct bench_pg_t0 {
    long m;
};
HEDDLE_POOL_TYPES(bench_pg)
static HEDDLE_TASK int bench_pg_t0_run(struct heddle_worker *w, const struct bench_pg_env *env, struct bench_pg_t0 *r,
                                       const long *at, int part) {
    const long m = r->m, y = at[0], x = at[1];
    unsigned *out = env->out;
    (void)part;
    if (HEDDLE_FIRST(w)) {
        const unsigned left = x > 0 ? out[y * m + x - 1] : 0, up = y > 0 ? out[(y - 1) * m + x] : 0;
        const unsigned right = y > 0 && x < m - 1 ? out[(y - 1) * m + x + 1] : 0;
        const unsigned most = left > up ? left : up;
        out[y * m + x] = (most > right ? most : right) + 1;
    }
    return 0;
}
#define HEDDLE_POOL bench_pg
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL
void bench_grid(long n, long m, unsigned *out) {
    struct bench_pg_env heddle_env = {.out = out};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(bench_pg, out, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, out, 0, n * m)};
    struct heddle_pool p = POOL(bench_pg, 1);
    heddle_pool_begin(&p);
    heddle_pool_loop(
        &p,
        &(struct heddle_taskloop){
            .kind = bench_pg_t0_kind, .dims = 2, .count = {n, m}, .sinks = 3, .sink = {{0, -1}, {-1, 0}, {-1, 1}}},
        &(struct bench_pg_t0){.m = m}, sizeof(struct bench_pg_t0));
    heddle_pool_end(&p);
}

/* ---- chain ---- */
#define bench_pc_FILE __FILE__
#define bench_pc_FUNCTION "bench_chain"
#define bench_pc_LINE __LINE__
#define bench_pc_WORKER HEDDLE_WORKER_WARP
#define bench_pc_SCRATCH 0
#define bench_pc_KINDS(X) X(bench_pc, t0, HEDDLE_TASK_PLAIN)
struct bench_pc_env {
    unsigned *out;
};
struct bench_pc_t0 {
    char none;
};
HEDDLE_POOL_TYPES(bench_pc)
static HEDDLE_TASK int bench_pc_t0_run(struct heddle_worker *w, const struct bench_pc_env *env, struct bench_pc_t0 *r,
                                       const long *at, int part) {
    (void)r, (void)part;
    if (HEDDLE_FIRST(w))
        env->out[at[0]] = (at[0] ? env->out[at[0] - 1] : 0) * 3 + 1;
    return 0;
}
#define HEDDLE_POOL bench_pc
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL
void bench_chain(long n, unsigned *out) {
    struct bench_pc_env heddle_env = {.out = out};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(bench_pc, out, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, out, 0, n)};
    struct heddle_pool p = POOL(bench_pc, 1);
    heddle_pool_begin(&p);
    heddle_pool_loop(
        &p, &(struct heddle_taskloop){.kind = bench_pc_t0_kind, .dims = 1, .count = {n}, .sinks = 1, .sink = {{-1}}},
        &(struct bench_pc_t0){0}, 1);
    heddle_pool_end(&p);
}

/* ---- chain, with the times ---- */
#define bench_pn_FILE __FILE__
#define bench_pn_FUNCTION "bench_handover"
#define bench_pn_LINE __LINE__
#define bench_pn_WORKER HEDDLE_WORKER_WARP
#define bench_pn_SCRATCH 0
#define bench_pn_KINDS(X) X(bench_pn, t0, HEDDLE_TASK_PLAIN)
struct bench_pn_env {
    unsigned *out;
    uint64_t *time;
};
struct bench_pn_t0 {
    char none;
};
HEDDLE_POOL_TYPES(bench_pn)
static HEDDLE_TASK int bench_pn_t0_run(struct heddle_worker *w, const struct bench_pn_env *env, struct bench_pn_t0 *r,
                                       const long *at, int part) {
    const uint64_t begin = heddle_clock_ns();
    (void)r, (void)part;
    if (HEDDLE_FIRST(w)) {
        env->out[at[0]] = (at[0] ? env->out[at[0] - 1] : 0) * 3 + 1;
        env->time[2 * at[0]] = begin;
        env->time[2 * at[0] + 1] = heddle_clock_ns();
    }
    return 0;
}
#define HEDDLE_POOL bench_pn
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL
void bench_handover(long n, unsigned *out, uint64_t *time) {
    struct bench_pn_env heddle_env = {.out = out, .time = time};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(bench_pn, out, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, out, 0, n),
                                       HEDDLE_MAP(bench_pn, time, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, time, 0, 2 * n)};
    struct heddle_pool p = POOL(bench_pn, 2);
    heddle_pool_begin(&p);
    heddle_pool_loop(
        &p, &(struct heddle_taskloop){.kind = bench_pn_t0_kind, .dims = 1, .count = {n}, .sinks = 1, .sink = {{-1}}},
        &(struct bench_pn_t0){0}, 1);
    heddle_pool_end(&p);
}

/* ---- tree ---- */
#define bench_pt_FILE __FILE__
#define bench_pt_FUNCTION "bench_tree"
#define bench_pt_LINE __LINE__
#define bench_pt_WORKER HEDDLE_WORKER_WARP
#define bench_pt_SCRATCH 0
#define bench_pt_KINDS(X) X(bench_pt, t0, 0)
struct bench_pt_env {
    unsigned *leaves;
};
struct bench_pt_t0 {
    int depth;
    unsigned slot;
};
HEDDLE_POOL_TYPES(bench_pt)
static HEDDLE_TASK int bench_pt_t0_run(struct heddle_worker *w, const struct bench_pt_env *env, struct bench_pt_t0 *r,
                                       const long *at, int part) {
    const int depth = r->depth;
    const unsigned slot = r->slot;
    (void)at, (void)part;
    if (depth == 0) {
        if (HEDDLE_FIRST(w))
            env->leaves[slot] = 1;
        return 0;
    }
    for (unsigned k = 0; k < 2; k++) {
        struct bench_pt_t0 t = {.depth = depth - 1, .slot = 2 * slot + k};
        heddle_spawn(w, bench_pt_t0_kind, &t, sizeof t, 0);
    }
    return 0;
}
#define HEDDLE_POOL bench_pt
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL
void bench_tree(long depth, unsigned *leaves) {
    struct bench_pt_env heddle_env = {.leaves = leaves};
    struct heddle_map heddle_maps[] = {
        HEDDLE_MAP(bench_pt, leaves, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, leaves, 0, 1L << depth)};
    struct heddle_pool p = POOL(bench_pt, 1);
    struct bench_pt_t0 t = {.depth = (int)depth};
    heddle_pool_begin(&p);
    heddle_pool_task(&p, bench_pt_t0_kind, &t, sizeof t, 0, 0, 0);
    heddle_pool_end(&p);
}

/* ---- fork and join ---- */
#define bench_pf_FILE __FILE__
#define bench_pf_FUNCTION "bench_forkjoin"
#define bench_pf_LINE __LINE__
#define bench_pf_WORKER HEDDLE_WORKER_WARP
#define bench_pf_SCRATCH 0
#define bench_pf_KINDS(X) X(bench_pf, t0, HEDDLE_TASK_WAITS) X(bench_pf, t1, HEDDLE_TASK_PLAIN)
struct bench_pf_env {
    unsigned *out;
};
struct bench_pf_t0 {
    long n, i;
    unsigned a, b;
};
struct bench_pf_t1 {
    unsigned *to;
    unsigned from;
};
HEDDLE_POOL_TYPES(bench_pf)
static HEDDLE_TASK int bench_pf_t1_run(struct heddle_worker *w, const struct bench_pf_env *env, struct bench_pf_t1 *r,
                                       const long *at, int part) {
    unsigned *to = r->to;
    const unsigned from = r->from;
    (void)env, (void)at, (void)part;
    if (HEDDLE_FIRST(w))
        *to = from * 3 + 1;
    return 0;
}
static HEDDLE_TASK int bench_pf_t0_run(struct heddle_worker *w, const struct bench_pf_env *env, struct bench_pf_t0 *r,
                                       const long *at, int part) {
    (void)at;
    long i = r->i;
    const long n = r->n;
    switch (part) {
    case 0:
        for (i = 0; i < n; i++) {
            {
                struct bench_pf_t1 t = {.to = &r->a, .from = (unsigned)i};
                heddle_spawn(w, bench_pf_t1_kind, &t, sizeof t, 0);
            }
            {
                struct bench_pf_t1 t = {.to = &r->b, .from = (unsigned)i + 1};
                heddle_spawn(w, bench_pf_t1_kind, &t, sizeof t, 0);
            }
            if (HEDDLE_FIRST(w))
                r->i = i;
            return 1;
        case 1:
            if (HEDDLE_FIRST(w))
                env->out[i] = r->a ^ r->b;
        }
    }
    return 0;
}
#define HEDDLE_POOL bench_pf
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL
void bench_forkjoin(long n, unsigned *out) {
    struct bench_pf_env heddle_env = {.out = out};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(bench_pf, out, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, out, 0, n)};
    struct heddle_pool p = POOL(bench_pf, 1);
    struct bench_pf_t0 t = {.n = n};
    heddle_pool_begin(&p);
    heddle_pool_task(&p, bench_pf_t0_kind, &t, sizeof t, 0, 0, 0);
    heddle_pool_end(&p);
}

/* ---- spin ---- */
#define bench_ps_FILE __FILE__
#define bench_ps_FUNCTION "bench_spin"
#define bench_ps_LINE __LINE__
#define bench_ps_WORKER HEDDLE_WORKER_WARP
#define bench_ps_SCRATCH 0
#define bench_ps_KINDS(X) X(bench_ps, t0, HEDDLE_TASK_PLAIN)
struct bench_ps_env {
    unsigned *out;
};
struct bench_ps_t0 {
    long m;
    int rounds;
};
HEDDLE_POOL_TYPES(bench_ps)
static HEDDLE_TASK int bench_ps_t0_run(struct heddle_worker *w, const struct bench_ps_env *env, struct bench_ps_t0 *r,
                                       const long *at, int part) {
    const long m = r->m, y = at[0], x = at[1];
    const int rounds = r->rounds;
    unsigned *out = env->out, v = (unsigned)(y * m + x);
    (void)part;
    if (HEDDLE_FIRST(w)) {
        if (x > 0)
            v += out[y * m + x - 1];
        if (y > 0)
            v += out[(y - 1) * m + x] + (x < m - 1 ? out[(y - 1) * m + x + 1] : 0);
        out[y * m + x] = bench_round(v, rounds);
    }
    return 0;
}
#define HEDDLE_POOL bench_ps
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL
void bench_spin(long n, long m, int rounds, unsigned *out) {
    struct bench_ps_env heddle_env = {.out = out};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(bench_ps, out, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, out, 0, n * m)};
    struct heddle_pool p = POOL(bench_ps, 1);
    heddle_pool_begin(&p);
    heddle_pool_loop(
        &p,
        &(struct heddle_taskloop){
            .kind = bench_ps_t0_kind, .dims = 2, .count = {n, m}, .sinks = 3, .sink = {{0, -1}, {-1, 0}, {-1, 1}}},
        &(struct bench_ps_t0){.m = m, .rounds = rounds}, sizeof(struct bench_ps_t0));
    heddle_pool_end(&p);
}

/* ---- tasks from the host ---- */
#define bench_ph_FILE __FILE__
#define bench_ph_FUNCTION "bench_stream"
#define bench_ph_LINE __LINE__
#define bench_ph_WORKER HEDDLE_WORKER_WARP
#define bench_ph_SCRATCH 0
#define bench_ph_KINDS(X) X(bench_ph, t0, HEDDLE_TASK_PLAIN)
struct bench_ph_env {
    unsigned *out;
};
struct bench_ph_t0 {
    unsigned i;
};
HEDDLE_POOL_TYPES(bench_ph)
static HEDDLE_TASK int bench_ph_t0_run(struct heddle_worker *w, const struct bench_ph_env *env, struct bench_ph_t0 *r,
                                       const long *at, int part) {
    const unsigned i = r->i;
    (void)at, (void)part;
    if (HEDDLE_FIRST(w))
        env->out[i] = i + 1;
    return 0;
}
#define HEDDLE_POOL bench_ph
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL
void bench_stream(long n, int wait, unsigned *out) {
    struct bench_ph_env heddle_env = {.out = out};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(bench_ph, out, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, out, 0, n)};
    struct heddle_pool p = {.type = &bench_ph_type,
                            .env = &heddle_env,
                            .maps = heddle_maps,
                            .nmaps = 1,
                            .device = bench_pool_device,
                            .idle = 0.1};
    heddle_pool_begin(&p);
    for (long k = 0; k < n; k++) {
        heddle_pool_task(&p, bench_ph_t0_kind, &(struct bench_ph_t0){.i = (unsigned)k}, sizeof(struct bench_ph_t0), 0,
                         0, 0);
        if (wait)
            heddle_pool_wait(&p);
    }
    heddle_pool_end(&p);
}
