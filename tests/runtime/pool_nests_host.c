/* SPDX-License-Identifier: Apache-2.0 */
/* Those pools of pool_plain.c whose tasks the host makes, before the kernel or while it runs, as pool_nests.c has the
 * others. */
#include "pool_nests.h"
#include <heddle/engine/pool/pool.h>

/* ---- p5: tasks of the host's block, ordered by depend --------------------------------------------------- */
#define heddle_p5_FILE __FILE__
#define heddle_p5_FUNCTION "chain"
#define heddle_p5_LINE __LINE__
#define heddle_p5_WORKER HEDDLE_WORKER_WARP
#define heddle_p5_SCRATCH 0
#define heddle_p5_KINDS(X) X(heddle_p5, t0, HEDDLE_TASK_PLAIN)
struct heddle_p5_env {
    uint32_t *a;
};
struct heddle_p5_t0 {
    int r, j;
};
HEDDLE_POOL_TYPES(heddle_p5)

static HEDDLE_TASK int heddle_p5_t0_run(struct heddle_worker *heddle_w, const struct heddle_p5_env *heddle_env,
                                        struct heddle_p5_t0 *heddle_r, const long *heddle_at, int heddle_part) {
    const int r = heddle_r->r, j = heddle_r->j;
    (void)heddle_at, (void)heddle_part;
    const uint32_t heddle_v = heddle_env->a[j] * 3 + heddle_env->a[j - 1] + (uint32_t)r;
    HEDDLE_SYNC(heddle_w);
    if (HEDDLE_FIRST(heddle_w)) {
        heddle_env->a[j] = heddle_v;
    }
    return 0;
}
#define HEDDLE_POOL heddle_p5
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL

void pools_chain(int rounds, int n, uint32_t *a) {
    struct heddle_p5_env heddle_env = {.a = a};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(heddle_p5, a, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, a, 0, n)};
    struct heddle_pool heddle_p = {.type = &heddle_p5_type,
                                   .env = &heddle_env,
                                   .maps = heddle_maps,
                                   .nmaps = 1,
                                   .schedule = pool_schedule,
                                   .device = pool_device};
    heddle_pool_begin(&heddle_p);
    {
        for (int r = 0; r < rounds; r++)
            for (int j = 1; j < n; j++) {
                struct heddle_depend heddle_d[] = {{&a[j - 1], HEDDLE_DEPEND_IN}, {&a[j], HEDDLE_DEPEND_INOUT}};
                struct heddle_p5_t0 heddle_t = {.r = r, .j = j};
                heddle_pool_task(&heddle_p, heddle_p5_t0_kind, &heddle_t, sizeof heddle_t, 0, heddle_d, 2);
            }
    }
    heddle_pool_end(&heddle_p);
}

/* ---- p6: tasks that go to a kernel that runs ------------------------------------------------------------ */
#define heddle_p6_FILE __FILE__
#define heddle_p6_FUNCTION "stream"
#define heddle_p6_LINE __LINE__
#define heddle_p6_WORKER HEDDLE_WORKER_WARP
#define heddle_p6_SCRATCH 0
#define heddle_p6_KINDS(X)                                                                                             \
    X(heddle_p6, t0, 0)                                                                                                \
    X(heddle_p6, t1, HEDDLE_TASK_PLAIN) X(heddle_p6, t2, HEDDLE_TASK_PLAIN) X(heddle_p6, t3, HEDDLE_TASK_PLAIN)
struct heddle_p6_env {
    uint32_t *a;
};
struct heddle_p6_t0 {
    int r, j, more;
};
struct heddle_p6_t1 {
    uint32_t *a;
    int j, k;
};
struct heddle_p6_t2 {
    int r, j;
};
struct heddle_p6_t3 {
    int j, k;
};
HEDDLE_POOL_TYPES(heddle_p6)

static HEDDLE_TASK int heddle_p6_t1_run(struct heddle_worker *heddle_w, const struct heddle_p6_env *heddle_env,
                                        struct heddle_p6_t1 *heddle_r, const long *heddle_at, int heddle_part) {
    uint32_t *a = heddle_r->a;
    const int j = heddle_r->j, k = heddle_r->k;
    (void)heddle_env, (void)heddle_at, (void)heddle_part;
    if (HEDDLE_FIRST(heddle_w)) {
#pragma omp atomic
        a[j] += (uint32_t)k;
    }
    return 0;
}
static HEDDLE_TASK int heddle_p6_t0_run(struct heddle_worker *heddle_w, const struct heddle_p6_env *heddle_env,
                                        struct heddle_p6_t0 *heddle_r, const long *heddle_at, int heddle_part) {
    const int r = heddle_r->r, j = heddle_r->j, more = heddle_r->more;
    (void)heddle_at, (void)heddle_part;
    if (HEDDLE_FIRST(heddle_w))
        heddle_env->a[j] = heddle_env->a[j] * 5 + (uint32_t)r;
    HEDDLE_SYNC(heddle_w);
    for (int k = 0; k < more; k++) {
        struct heddle_p6_t1 heddle_t = {.a = heddle_env->a, .j = j, .k = k};
        heddle_spawn(heddle_w, heddle_p6_t1_kind, &heddle_t, sizeof heddle_t, 0);
    }
    return 0;
}
static HEDDLE_TASK int heddle_p6_t2_run(struct heddle_worker *heddle_w, const struct heddle_p6_env *heddle_env,
                                        struct heddle_p6_t2 *heddle_r, const long *heddle_at, int heddle_part) {
    const int r = heddle_r->r, j = heddle_r->j;
    (void)heddle_at, (void)heddle_part;
    if (HEDDLE_FIRST(heddle_w))
        heddle_env->a[j] = heddle_env->a[j] * 3 + (uint32_t)r;
    return 0;
}
static HEDDLE_TASK int heddle_p6_t3_run(struct heddle_worker *heddle_w, const struct heddle_p6_env *heddle_env,
                                        struct heddle_p6_t3 *heddle_r, const long *heddle_at, int heddle_part) {
    const int j = heddle_r->j, k = (int)(pool_scramble((uint32_t)heddle_r->k) % 1000);
    (void)heddle_at, (void)heddle_part;
    if (HEDDLE_FIRST(heddle_w)) {
#pragma omp atomic
        heddle_env->a[j] += (uint32_t)k;
    }
    return 0;
}
#define HEDDLE_POOL heddle_p6
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL

void pools_stream(int rounds, int n, int more, uint32_t *a) {
    struct heddle_p6_env heddle_env = {.a = a};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(heddle_p6, a, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, a, 0, n)};
    struct heddle_pool heddle_p = {.type = &heddle_p6_type,
                                   .env = &heddle_env,
                                   .maps = heddle_maps,
                                   .nmaps = 1,
                                   .schedule = pool_schedule,
                                   .device = pool_device,
                                   .idle = 0.002};
    heddle_pool_begin(&heddle_p);
    {
        for (int r = 0; r < rounds; r++) {
            for (int j = 0; j < n; j++) {
                if ((r + j) % 3) {
                    struct heddle_p6_t0 heddle_t = {.r = r, .j = j, .more = more};
                    heddle_pool_task(&heddle_p, heddle_p6_t0_kind, &heddle_t, sizeof heddle_t, 0, 0, 0);
                } else {
                    struct heddle_p6_t2 heddle_t = {.r = r, .j = j};
                    heddle_pool_task(&heddle_p, heddle_p6_t2_kind, &heddle_t, sizeof heddle_t, 0, 0, 0);
                }
            }
            heddle_pool_wait(&heddle_p);
        }
    }
    heddle_pool_end(&heddle_p);
}

void pools_flood(const int *enough, long *sent, uint32_t *sum) {
    struct heddle_p6_env heddle_env = {.a = sum};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(heddle_p6, a, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, sum, 0, 1)};
    struct heddle_pool heddle_p = {.type = &heddle_p6_type,
                                   .env = &heddle_env,
                                   .maps = heddle_maps,
                                   .nmaps = 1,
                                   .schedule = pool_schedule,
                                   .device = pool_device,
                                   .idle = 0.002};
    heddle_pool_begin(&heddle_p);
    {
        do {
            struct heddle_p6_t3 heddle_t = {.j = 0, .k = 1};
            heddle_pool_task(&heddle_p, heddle_p6_t3_kind, &heddle_t, sizeof heddle_t, 0, 0, 0);
            __atomic_add_fetch(sent, 1, __ATOMIC_RELEASE);
        } while (!__atomic_load_n(enough, __ATOMIC_ACQUIRE));
    }
    heddle_pool_end(&heddle_p);
}

/* ---- p7: priorities ---------------------------------------------------------------------------------- */
#define heddle_p7_FILE __FILE__
#define heddle_p7_FUNCTION "ranks"
#define heddle_p7_LINE __LINE__
#define heddle_p7_WORKER HEDDLE_WORKER_WARP
#define heddle_p7_SCRATCH 0
#define heddle_p7_KINDS(X) X(heddle_p7, t0, 0) X(heddle_p7, t1, HEDDLE_TASK_PRIORITY)
struct heddle_p7_env {
    int *next, *order;
};
struct heddle_p7_t0 {
    int n;
};
struct heddle_p7_t1 {
    int k;
};
HEDDLE_POOL_TYPES(heddle_p7)

static HEDDLE_TASK int heddle_p7_t1_run(struct heddle_worker *heddle_w, const struct heddle_p7_env *heddle_env,
                                        struct heddle_p7_t1 *heddle_r, const long *heddle_at, int heddle_part) {
    const int k = heddle_r->k;
    int *next = heddle_env->next, *order = heddle_env->order;
    (void)heddle_at, (void)heddle_part;
    if (HEDDLE_FIRST(heddle_w)) {
        int at;
#pragma omp atomic capture
        at = next[0]++;
        order[at] = k;
    }
    return 0;
}
static HEDDLE_TASK int heddle_p7_t0_run(struct heddle_worker *heddle_w, const struct heddle_p7_env *heddle_env,
                                        struct heddle_p7_t0 *heddle_r, const long *heddle_at, int heddle_part) {
    const int n = heddle_r->n;
    (void)heddle_env, (void)heddle_at, (void)heddle_part;
    for (int k = 0; k < n; k++) {
        struct heddle_p7_t1 heddle_t = {.k = k};
        heddle_spawn(heddle_w, heddle_p7_t1_kind, &heddle_t, sizeof heddle_t, k % 4);
    }
    return 0;
}
#define HEDDLE_POOL heddle_p7
#include <heddle/engine/pool/engine.h>
#undef HEDDLE_POOL

void pools_ranks(int n, int by_task, int *next, int *order) {
    struct heddle_p7_env heddle_env = {.next = next, .order = order};
    struct heddle_map heddle_maps[] = {HEDDLE_MAP(heddle_p7, next, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, next, 0, 1),
                                       HEDDLE_MAP(heddle_p7, order, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, order, 0, n)};
    struct heddle_pool heddle_p = {.type = &heddle_p7_type,
                                   .env = &heddle_env,
                                   .maps = heddle_maps,
                                   .nmaps = 2,
                                   .schedule = pool_schedule,
                                   .device = pool_device};
    heddle_pool_begin(&heddle_p);
    if (by_task)
        heddle_pool_task(&heddle_p, heddle_p7_t0_kind, &(struct heddle_p7_t0){.n = n}, sizeof(struct heddle_p7_t0), 0,
                         0, 0);
    for (int k = 0; !by_task && k < n; k++)
        heddle_pool_task(&heddle_p, heddle_p7_t1_kind, &(struct heddle_p7_t1){.k = k}, sizeof(struct heddle_p7_t1),
                         k % 4, 0, 0);
    heddle_pool_end(&heddle_p);
}
