/* SPDX-License-Identifier: Apache-2.0 */
/* The pools of pool_plain.c in the form that the translator emits: the example for heddle/engine/pool/pool.h. */
#include "pool_nests.h"
#include <heddle/engine/pool/pool.h>

int pool_schedule = HEDDLE_POOL_AUTO, pool_device = HEDDLE_DEVICE_AUTO;

/* ---- p1: a taskloop with dependences ------------------------------------------------------------------ */
#define heddle_p1_FILE __FILE__
#define heddle_p1_FUNCTION "grid"
#define heddle_p1_LINE __LINE__
#define heddle_p1_WORKER HEDDLE_WORKER_WARP
#define heddle_p1_SCRATCH 0
#define heddle_p1_KINDS(X) X(heddle_p1, t0, HEDDLE_TASK_PLAIN)
struct heddle_p1_env {
    uint32_t *cells;
};
struct heddle_p1_t0 {
    int h, w;
};
HEDDLE_POOL_TYPES(heddle_p1)

static HEDDLE_TASK void heddle_p1_cell(struct heddle_worker *heddle_w, uint32_t *cells, int h, int w, int f, int y,
                                       int x) {
    uint32_t *c = cells + (long)f * h * w, v = (uint32_t)(f + 1) * 2654435761u + (uint32_t)(y * w + x);
    if (x > 0)
        v = v * 31 + c[y * w + x - 1];
    if (y > 0 && x > 0)
        v = v * 31 + c[(y - 1) * w + x - 1];
    if (y > 0)
        v = v * 31 + c[(y - 1) * w + x];
    if (y > 0 && x < w - 1)
        v = v * 31 + c[(y - 1) * w + x + 1];
    if (HEDDLE_FIRST(heddle_w)) {
        c[y * w + x] = v;
    }
}
static HEDDLE_TASK int heddle_p1_t0_run(struct heddle_worker *heddle_w, const struct heddle_p1_env *heddle_env,
                                        struct heddle_p1_t0 *heddle_r, const long *heddle_at, int heddle_part) {
    const int h = heddle_r->h, w = heddle_r->w;
    const int f = 0 + (int)heddle_at[0], y = 0 + (int)heddle_at[1], x = 0 + (int)heddle_at[2];
    (void)heddle_part;
    heddle_p1_cell(heddle_w, heddle_env->cells, h, w, f, y, x);
    return 0;
}
#define HEDDLE_POOL heddle_p1
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL

static void grid(int nf, int h, int w, uint32_t *cells) {
    struct heddle_p1_env heddle_env = {.cells = cells};
    struct heddle_map heddle_maps[] = {
        HEDDLE_MAP(heddle_p1, cells, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, cells, 0, (long)nf * h * w)};
    struct heddle_pool heddle_p = {.type = &heddle_p1_type,
                                   .env = &heddle_env,
                                   .maps = heddle_maps,
                                   .nmaps = 1,
                                   .schedule = pool_schedule,
                                   .device = pool_device};
    heddle_pool_begin(&heddle_p);
    {
        struct heddle_p1_t0 heddle_t = {.h = h, .w = w};
        struct heddle_taskloop heddle_l = {.kind = heddle_p1_t0_kind,
                                           .dims = 3,
                                           .count = {nf, h, w},
                                           .sinks = 4,
                                           .sink = {{0, 0, -1}, {0, -1, -1}, {0, -1, 0}, {0, -1, 1}}};
        heddle_pool_loop(&heddle_p, &heddle_l, &heddle_t, sizeof heddle_t);
    }
    heddle_pool_end(&heddle_p);
}

/* ---- p2: tasks that make tasks ------------------------------------------------------------------------- */
#define heddle_p2_FILE __FILE__
#define heddle_p2_FUNCTION "tree"
#define heddle_p2_LINE __LINE__
#define heddle_p2_WORKER HEDDLE_WORKER_WARP
#define heddle_p2_SCRATCH 0
#define heddle_p2_KINDS(X) X(heddle_p2, t0, 0) X(heddle_p2, t1, 0)
struct heddle_p2_env {
    long *leaves, *sum;
};
struct heddle_p2_t0 {
    int depth;
};
struct heddle_p2_t1 {
    int depth;
    long value;
    int k;
    long *leaves, *sum;
};
HEDDLE_POOL_TYPES(heddle_p2)

static HEDDLE_TASK void heddle_p2_node(struct heddle_worker *heddle_w, int depth, long value, long *leaves, long *sum) {
    if (depth == 0) {
        if (HEDDLE_FIRST(heddle_w)) {
#pragma omp atomic
            *leaves += 1;
        }
        if (HEDDLE_FIRST(heddle_w)) {
#pragma omp atomic
            *sum += value;
        }
        return;
    }
    for (int k = 0; k < 2; k++) {
        struct heddle_p2_t1 heddle_t = {.depth = depth, .value = value, .k = k, .leaves = leaves, .sum = sum};
        heddle_spawn(heddle_w, heddle_p2_t1_kind, &heddle_t, sizeof heddle_t, 0);
    }
}
static HEDDLE_TASK int heddle_p2_t0_run(struct heddle_worker *heddle_w, const struct heddle_p2_env *heddle_env,
                                        struct heddle_p2_t0 *heddle_r, const long *heddle_at, int heddle_part) {
    const int depth = heddle_r->depth;
    (void)heddle_at, (void)heddle_part;
    heddle_p2_node(heddle_w, depth, 1, heddle_env->leaves, heddle_env->sum);
    return 0;
}
static HEDDLE_TASK int heddle_p2_t1_run(struct heddle_worker *heddle_w, const struct heddle_p2_env *heddle_env,
                                        struct heddle_p2_t1 *heddle_r, const long *heddle_at, int heddle_part) {
    const int depth = heddle_r->depth, k = heddle_r->k;
    const long value = heddle_r->value;
    long *leaves = heddle_r->leaves, *sum = heddle_r->sum;
    (void)heddle_env, (void)heddle_at, (void)heddle_part;
    heddle_p2_node(heddle_w, depth - 1, 2 * value + k, leaves, sum);
    return 0;
}
#define HEDDLE_POOL heddle_p2
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL

static void tree(int depth, long *leaves, long *sum) {
    struct heddle_p2_env heddle_env = {.leaves = leaves, .sum = sum};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(heddle_p2, leaves, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, leaves, 0, 1),
                                       HEDDLE_MAP(heddle_p2, sum, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, sum, 0, 1)};
    struct heddle_pool heddle_p = {.type = &heddle_p2_type,
                                   .env = &heddle_env,
                                   .maps = heddle_maps,
                                   .nmaps = 2,
                                   .schedule = pool_schedule,
                                   .device = pool_device};
    heddle_pool_begin(&heddle_p);
    {
        struct heddle_p2_t0 heddle_t = {.depth = depth};
        heddle_pool_task(&heddle_p, heddle_p2_t0_kind, &heddle_t, sizeof heddle_t, 0, 0, 0);
    }
    heddle_pool_end(&heddle_p);
}

/* ---- p3: tasks that wait for tasks --------------------------------------------------------------------- */
#define heddle_p3_FILE __FILE__
#define heddle_p3_FUNCTION "fibonacci"
#define heddle_p3_LINE __LINE__
#define heddle_p3_WORKER HEDDLE_WORKER_WARP
#define heddle_p3_SCRATCH 0
#define heddle_p3_KINDS(X) X(heddle_p3, t0, HEDDLE_TASK_WAITS) X(heddle_p3, t1, HEDDLE_TASK_WAITS)
struct heddle_p3_env {
    long *result;
};
struct heddle_p3_t0 {
    int n;
    long a, b;
};
struct heddle_p3_t1 {
    long *heddle_result;
    int n;
    long a, b;
};
HEDDLE_POOL_TYPES(heddle_p3)

/* `a = fib(n - 1)` as a task: the function's parameters, its variables that tasks or the code after the taskwait use,
   and where the result goes. */
static HEDDLE_TASK int heddle_p3_t1_run(struct heddle_worker *heddle_w, const struct heddle_p3_env *heddle_env,
                                        struct heddle_p3_t1 *heddle_r, const long *heddle_at, int heddle_part) {
    const int n = heddle_r->n;
    (void)heddle_env, (void)heddle_at;
    switch (heddle_part) {
    case 0:
        if (n < 2) {
            if (HEDDLE_FIRST(heddle_w))
                *heddle_r->heddle_result = n;
            return 0;
        }
        {
            struct heddle_p3_t1 heddle_t = {.heddle_result = &heddle_r->a, .n = n - 1};
            heddle_spawn(heddle_w, heddle_p3_t1_kind, &heddle_t, sizeof heddle_t, 0);
        }
        {
            struct heddle_p3_t1 heddle_t = {.heddle_result = &heddle_r->b, .n = n - 2};
            heddle_spawn(heddle_w, heddle_p3_t1_kind, &heddle_t, sizeof heddle_t, 0);
        }
        return 1;
    case 1:
        if (HEDDLE_FIRST(heddle_w))
            *heddle_r->heddle_result = heddle_r->a + heddle_r->b;
    }
    return 0;
}
static HEDDLE_TASK int heddle_p3_t0_run(struct heddle_worker *heddle_w, const struct heddle_p3_env *heddle_env,
                                        struct heddle_p3_t0 *heddle_r, const long *heddle_at, int heddle_part) {
    const int n = heddle_r->n;
    (void)heddle_at, (void)heddle_part;
    struct heddle_p3_t1 heddle_t = {.heddle_result = &heddle_env->result[0], .n = n};
    heddle_spawn(heddle_w, heddle_p3_t1_kind, &heddle_t, sizeof heddle_t, 0);
    return 0;
}
#define HEDDLE_POOL heddle_p3
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL

static void fibonacci(int n, long *result) {
    struct heddle_p3_env heddle_env = {.result = result};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(heddle_p3, result, HEDDLE_MAP_FROM | HEDDLE_MAP_W, result, 0, 1)};
    struct heddle_pool heddle_p = {.type = &heddle_p3_type,
                                   .env = &heddle_env,
                                   .maps = heddle_maps,
                                   .nmaps = 1,
                                   .schedule = pool_schedule,
                                   .device = pool_device};
    heddle_pool_begin(&heddle_p);
    {
        struct heddle_p3_t0 heddle_t = {.n = n};
        heddle_pool_task(&heddle_p, heddle_p3_t0_kind, &heddle_t, sizeof heddle_t, 0, 0, 0);
    }
    heddle_pool_end(&heddle_p);
}

/* ---- p4: lanes, scratch memory, block workers ---------------------------------------------------------- */
#define heddle_p4_FILE __FILE__
#define heddle_p4_FUNCTION "rows"
#define heddle_p4_LINE __LINE__
#define heddle_p4_WORKER HEDDLE_WORKER_BLOCK
#define heddle_p4_SCRATCH (400 + 8 * HEDDLE_LANES_MAX)
#define heddle_p4_KINDS(X) X(heddle_p4, t0, 0)
struct heddle_p4_env {
    const int *values;
    long *sums;
};
struct heddle_p4_t0 {
    char none;
};
HEDDLE_POOL_TYPES(heddle_p4)

static HEDDLE_TASK int heddle_p4_t0_run(struct heddle_worker *heddle_w, const struct heddle_p4_env *heddle_env,
                                        struct heddle_p4_t0 *heddle_r, const long *heddle_at, int heddle_part) {
    const int i = 0 + (int)heddle_at[0];
    (void)heddle_r, (void)heddle_part;
    {
        int *square = HEDDLE_SCRATCH(heddle_w, 0);
        long sum = 0;
        HEDDLE_SYNC(heddle_w);
        HEDDLE_LANES_LOOP
        for (int k = 0 + HEDDLE_LANE(heddle_w) * 1; k < 100; k += HEDDLE_LANES(heddle_w) * 1)
            square[k] = heddle_env->values[i * 100 + k] * heddle_env->values[i * 100 + k];
        HEDDLE_SYNC(heddle_w);
        {
            const long heddle_before = sum;
            sum = 0;
            HEDDLE_SYNC(heddle_w);
            HEDDLE_LANES_LOOP
            for (int k = 0 + HEDDLE_LANE(heddle_w) * 1; k < 100; k += HEDDLE_LANES(heddle_w) * 1)
                sum += square[99 - k] * k;
            HEDDLE_SYNC(heddle_w);
            HEDDLE_LANES_REDUCE(heddle_w, ADD, sum, 400);
            sum = HEDDLE_LANES_OP_ADD(heddle_before, sum);
        }
        if (HEDDLE_FIRST(heddle_w)) {
            heddle_env->sums[i] = sum;
        }
    }
    return 0;
}
#define HEDDLE_POOL heddle_p4
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL

static void rows(int n, const int *values, long *sums) {
    struct heddle_p4_env heddle_env = {.values = values, .sums = sums};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(heddle_p4, values, HEDDLE_MAP_TO, values, 0, 100L * n),
                                       HEDDLE_MAP(heddle_p4, sums, HEDDLE_MAP_FROM | HEDDLE_MAP_W, sums, 0, n)};
    struct heddle_pool heddle_p = {.type = &heddle_p4_type,
                                   .env = &heddle_env,
                                   .maps = heddle_maps,
                                   .nmaps = 2,
                                   .schedule = pool_schedule,
                                   .device = pool_device};
    heddle_pool_begin(&heddle_p);
    {
        struct heddle_p4_t0 heddle_t = {0};
        struct heddle_taskloop heddle_l = {.kind = heddle_p4_t0_kind, .dims = 1, .count = {n}};
        heddle_pool_loop(&heddle_p, &heddle_l, &heddle_t, sizeof heddle_t);
    }
    heddle_pool_end(&heddle_p);
}

/* ---- p8: the same as p3, on single lanes ---------------------------------------------------------------- */
#define heddle_p8_FILE __FILE__
#define heddle_p8_FUNCTION "fibonacci_lanes"
#define heddle_p8_LINE __LINE__
#define heddle_p8_WORKER HEDDLE_WORKER_LANE
#define heddle_p8_SCRATCH 0
#define heddle_p8_KINDS(X) X(heddle_p8, t0, 0) X(heddle_p8, t1, HEDDLE_TASK_WAITS)
struct heddle_p8_env {
    long *result;
};
struct heddle_p8_t0 {
    int n;
};
struct heddle_p8_t1 {
    long *heddle_result;
    int n;
    long a, b;
};
HEDDLE_POOL_TYPES(heddle_p8)

static HEDDLE_TASK int heddle_p8_t1_run(struct heddle_worker *heddle_w, const struct heddle_p8_env *heddle_env,
                                        struct heddle_p8_t1 *heddle_r, const long *heddle_at, int heddle_part) {
    const int n = heddle_r->n;
    (void)heddle_env, (void)heddle_at;
    switch (heddle_part) {
    case 0:
        if (n < 2) {
            if (HEDDLE_FIRST(heddle_w))
                *heddle_r->heddle_result = n;
            return 0;
        }
        {
            struct heddle_p8_t1 heddle_t = {.heddle_result = &heddle_r->a, .n = n - 1};
            heddle_spawn(heddle_w, heddle_p8_t1_kind, &heddle_t, sizeof heddle_t, 0);
        }
        {
            struct heddle_p8_t1 heddle_t = {.heddle_result = &heddle_r->b, .n = n - 2};
            heddle_spawn(heddle_w, heddle_p8_t1_kind, &heddle_t, sizeof heddle_t, 0);
        }
        return 1;
    case 1:
        if (HEDDLE_FIRST(heddle_w))
            *heddle_r->heddle_result = heddle_r->a + heddle_r->b;
    }
    return 0;
}
static HEDDLE_TASK int heddle_p8_t0_run(struct heddle_worker *heddle_w, const struct heddle_p8_env *heddle_env,
                                        struct heddle_p8_t0 *heddle_r, const long *heddle_at, int heddle_part) {
    const int n = heddle_r->n;
    (void)heddle_at, (void)heddle_part;
    struct heddle_p8_t1 heddle_t = {.heddle_result = &heddle_env->result[0], .n = n};
    heddle_spawn(heddle_w, heddle_p8_t1_kind, &heddle_t, sizeof heddle_t, 0);
    return 0;
}
#define HEDDLE_POOL heddle_p8
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL

static void fibonacci_lanes(int n, long *result) {
    struct heddle_p8_env heddle_env = {.result = result};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(heddle_p8, result, HEDDLE_MAP_FROM | HEDDLE_MAP_W, result, 0, 1)};
    struct heddle_pool heddle_p = {.type = &heddle_p8_type,
                                   .env = &heddle_env,
                                   .maps = heddle_maps,
                                   .nmaps = 1,
                                   .schedule = pool_schedule,
                                   .device = pool_device};
    heddle_pool_begin(&heddle_p);
    {
        struct heddle_p8_t0 heddle_t = {.n = n};
        heddle_pool_task(&heddle_p, heddle_p8_t0_kind, &heddle_t, sizeof heddle_t, 0, 0, 0);
    }
    heddle_pool_end(&heddle_p);
}

const struct pools POOLS = {grid,        tree,         fibonacci,   fibonacci_lanes, rows,
                            pools_chain, pools_stream, pools_flood, pools_ranks};
