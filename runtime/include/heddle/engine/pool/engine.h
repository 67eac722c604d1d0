/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine of one pool: set HEDDLE_POOL to the prefix of its types and functions (heddle/engine/pool/pool.h says what
 * they are) and include this file after them. It defines the kernel and the description `<prefix>_type`. No include
 * guard.
 */
#include <heddle/engine/device/launch.h>

#define HEDDLE_P(name) HEDDLE_PASTE(HEDDLE_POOL, name)

/* Warps of a block: as many as the scratch memory allows; 256 threads can always be launched. */
union HEDDLE_P(records) {
#define HEDDLE_X(N, name, flags) struct N##_##name name;
    HEDDLE_P(KINDS)(HEDDLE_X)
#undef HEDDLE_X
};
enum {
    HEDDLE_P(record_bytes) = (sizeof(union HEDDLE_P(records)) + 15) / 16 * 16,
    HEDDLE_P(scratch_bytes) = (HEDDLE_P(SCRATCH) + 15) / 16 * 16,
    HEDDLE_P(own_bytes) = sizeof(struct heddle_worker_counters) + HEDDLE_P(record_bytes) + HEDDLE_P(scratch_bytes),
    HEDDLE_P(per_block) = HEDDLE_P(WORKER) == HEDDLE_WORKER_BLOCK         ? 1
                          : HEDDLE_P(WORKER) == HEDDLE_WORKER_LANE        ? 8
                          : HEDDLE_P(own_bytes) * 8 <= HEDDLE_SCRATCH_MAX ? 8
                          : HEDDLE_P(own_bytes) * 4 <= HEDDLE_SCRATCH_MAX ? 4
                          : HEDDLE_P(own_bytes) * 2 <= HEDDLE_SCRATCH_MAX ? 2
                                                                          : 1
};
_Static_assert(HEDDLE_P(record_bytes) <= HEDDLE_RECORD_MAX,
               "a task captures too much; pass a pointer to mapped data instead");
_Static_assert(HEDDLE_P(own_bytes) <= HEDDLE_SCRATCH_MAX, "a task's local arrays need too much scratch memory");

_Static_assert(HEDDLE_P(WORKER) != HEDDLE_WORKER_LANE || HEDDLE_P(kinds) * HEDDLE_LANE_STATES <= HEDDLE_LANE_CLASSES,
               "too many kinds of tasks for workers(lane)");

static const unsigned char HEDDLE_P(kind_flags)[] = {
#define HEDDLE_X(N, name, flags) flags,
    HEDDLE_P(KINDS)(HEDDLE_X)
#undef HEDDLE_X
};

/* What no kind does is left out of the kernel: it would cost registers. */
enum {
    HEDDLE_P(depends) = ((0
#define HEDDLE_X(N, name, flags) | (flags)
                          HEDDLE_P(KINDS)(HEDDLE_X)
#undef HEDDLE_X
                              ) &
                         HEDDLE_TASK_DEPENDS) != 0,
    HEDDLE_P(tiles) = HEDDLE_P(SCRATCH) <= 64 /* who needs much memory has no short tasks */
};

/* A constant in each place where it is used: the kernel loads no table. */
static HEDDLE_INLINE int HEDDLE_P(flags_of)(int kind) {
    switch (kind) {
#define HEDDLE_X(N, name, flags)                                                                                       \
    case N##_##name##_kind:                                                                                            \
        return (flags);
        HEDDLE_P(KINDS)(HEDDLE_X)
#undef HEDDLE_X
    }
    return 0;
}

/* Kinds that lanes of a warp run alone. */
#if HEDDLE_ON_GPU
#define HEDDLE_ALONE(flags) (((flags) & HEDDLE_TASK_PLAIN) && HEDDLE_P(WORKER) == HEDDLE_WORKER_WARP)
#else
#define HEDDLE_ALONE(flags) 0
#endif

static HEDDLE_INLINE int HEDDLE_P(dispatch)(struct heddle_worker *w, const void *env, int kind, void *record,
                                            const long *at, int part) {
    switch (kind) {
#define HEDDLE_X(N, name, flags)                                                                                       \
    case N##_##name##_kind:                                                                                            \
        return HEDDLE_ALONE(flags) ? 0 : N##_##name##_run(w, HEDDLE_PTR(env), HEDDLE_PTR(record), at, part);
        HEDDLE_P(KINDS)(HEDDLE_X)
#undef HEDDLE_X
    }
    return 0;
}

#include <heddle/engine/pool/alone.h>
#include <heddle/engine/pool/execute.h>
#include <heddle/engine/pool/inline_dispatch.h>

static HEDDLE_INLINE void HEDDLE_P(leave)(struct heddle_worker *w) {
    struct heddle_pool_control *c = w->pool;
    if (!HEDDLE_FIRST(w))
        return;
    heddle_trace_leave(w);
    heddle_add_relaxed(&c->done, w->done);
    heddle_add_relaxed(&c->spawned, w->spawned);
    heddle_add_relaxed(&c->checksum, w->checksum);
    heddle_add_relaxed(&c->handed, w->handed);
    heddle_add_relaxed(&c->queued, w->queued);
    heddle_add_relaxed(&c->busy, w->busy);
}

#include <heddle/engine/pool/lane.h>

static HEDDLE_INLINE void HEDDLE_P(work_together)(struct heddle_pool_control *c) {
    struct heddle_worker w;
    struct heddle_ready t;
    memset(&w, 0, sizeof w);
    memset(&t, 0, sizeof t);
#if HEDDLE_ON_GPU
    HEDDLE_BLOCK_VARIABLE(_Alignas(16) char own[HEDDLE_P(per_block) * HEDDLE_P(own_bytes)], own);
    HEDDLE_BLOCK_VARIABLE(uint64_t share[HEDDLE_SHARE_WORDS], share);
    HEDDLE_BLOCK_VARIABLE(struct heddle_pool_control plan, plan);
    HEDDLE_BLOCK_VARIABLE(_Alignas(16) char records[HEDDLE_JOBS * HEDDLE_P(record_bytes)], records);
    for (size_t q = (size_t)heddle_thread(); q < sizeof plan / 8; q += (size_t)heddle_threads())
        ((uint64_t *)(void *)&plan)[q] = ((const uint64_t *)(const void *)c)[q];
    heddle_block_sync();
    for (int k = 0; k < plan.jobs; k++)
        for (int q = heddle_thread(); plan.job[k].form == HEDDLE_FORM_LOOP && q < HEDDLE_P(record_bytes) / 8;
             q += heddle_threads())
            ((uint64_t *)(void *)records)[k * HEDDLE_P(record_bytes) / 8 + q] =
                ((const uint64_t *)plan.job[k].record)[q];
    heddle_block_sync();
    for (int k = 0; k < plan.jobs; k++)
        if (heddle_thread() == 0 && plan.job[k].form == HEDDLE_FORM_LOOP)
            plan.job[k].record = records + k * HEDDLE_P(record_bytes);
    heddle_block_sync();
    w.plan = &plan;
    w.block = HEDDLE_P(WORKER) == HEDDLE_WORKER_BLOCK;
    w.lane = w.block ? heddle_thread() : heddle_thread() % HEDDLE_WARP;
    w.lanes = w.block ? heddle_threads() : HEDDLE_WARP;
    w.share = share;
    w.record = own + (w.block ? 0 : heddle_thread() / HEDDLE_WARP) * HEDDLE_P(own_bytes) +
               sizeof(struct heddle_worker_counters);
#else
    _Alignas(16) char own[HEDDLE_P(own_bytes)];
    w.lanes = 1;
    w.record = own + sizeof(struct heddle_worker_counters);
    w.plan = c;
#endif
    w.scratch = w.record + HEDDLE_P(record_bytes);
    w.pool = c;
    if (HEDDLE_FIRST(&w))
        memset(HEDDLE_WORKER_COUNTERS(&w), 0, sizeof(struct heddle_worker_counters));
    /* numbered in the order in which they start, which is all that the static order needs */
    w.number = (uint32_t)heddle_share(&w, HEDDLE_FIRST(&w) ? heddle_add_acq_rel(&c->started, 1) : 0);
    w.step = w.plan->schedule == HEDDLE_POOL_STATIC ? w.number : 0;
    if (w.plan->ring && w.number < w.plan->pollers) {
        w.ring_frame = heddle_frame_new(&w);
        if (w.ring_frame && HEDDLE_FIRST(&w))
            *heddle_frame_at(&w, w.ring_frame) = (struct heddle_frame){.pending = 1};
    }
    const struct HEDDLE_P(env) env = *(const struct HEDDLE_P(env) *)c->env;
    if (w.plan->schedule == HEDDLE_POOL_STATIC || w.plan->schedule == HEDDLE_POOL_BARRIER ? heddle_all_resident(&w) : 1)
        while (w.ring_frame ? HEDDLE_P(next_polled)(&w, &env, &t) : heddle_next(&w, &t))
            HEDDLE_P(execute)(&w, &env, &t);
    HEDDLE_P(leave)(&w);
}

static HEDDLE_INLINE void HEDDLE_P(work)(struct heddle_pool_control *c) {
    if (HEDDLE_P(WORKER) == HEDDLE_WORKER_LANE)
        HEDDLE_P(work_lanes)(c);
    else
        HEDDLE_P(work_together)(c);
}

static HEDDLE_UNUSED void HEDDLE_P(host_work)(struct heddle_pool_control *c) {
    if (heddle_is_host())
        heddle_note_fallback();
    else
        HEDDLE_P(work)(c);
}
static int HEDDLE_P(gpu)(const struct heddle_pool_launch *launch) {
    HEDDLE_LAUNCH(launch, HEDDLE_P(work), HEDDLE_P(host_work));
    return 0;
}

HEDDLE_PROBE(HEDDLE_P(probe), )

static const struct heddle_pool_type HEDDLE_P(type) HEDDLE_UNUSED = {
    .site = {.file = HEDDLE_P(FILE),
             .function = HEDDLE_P(FUNCTION),
             .kind = "pool",
             .line = HEDDLE_P(LINE),
             .probe = HEDDLE_P(probe)},
    .worker = HEDDLE_P(WORKER),
    .kinds = HEDDLE_P(kinds),
    .workers_per_block = HEDDLE_P(per_block),
    .env_bytes = sizeof(struct HEDDLE_P(env)),
    .record_bytes = HEDDLE_P(record_bytes),
    .scratch_bytes = HEDDLE_P(scratch_bytes),
    .flags = HEDDLE_P(kind_flags),
    .tiles = HEDDLE_P(tiles),
    .gpu = HEDDLE_P(gpu),
#if !HEDDLE_ON_GPU
    .run = HEDDLE_P(dispatch),
#endif
};
#undef HEDDLE_P
