/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wavefront engines, instantiated for one nest: set HEDDLE_NEST to the prefix of its types and functions
 * (heddle/engine/nest.h says what they are) and include this file. It defines the description `<prefix>_nest` that
 * heddle_wavefront_run() works from. Included by translated code once per nest; no include guard.
 */
#include <heddle/engine/device/launch.h>
#ifndef HEDDLE_EXTENDED /* a nest whose rows read from one column on the right to two on the left in the row above */
#define HEDDLE_EXTENDED 0
#define HEDDLE_NOT_EXTENDED
#endif
#include <heddle/engine/lanes.h>
#include <heddle/engine/lanes_permute.h>
#include <heddle/engine/lanes_scan.h>
#include <heddle/engine/lanes_stream.h>
#include <heddle/engine/wavefront/sync.h>
#include <heddle/engine/wavefront/walk.h>

#ifndef HEDDLE_WAVEFRONT_OPS
#define HEDDLE_WAVEFRONT_OPS
#include <heddle/engine/reduction.h>
#define HEDDLE_RED_JOIN(type, name, op) into->name = (__typeof__(type))HEDDLE_JOIN_##op(into->name, from->name);
#define HEDDLE_RED_START(type, name, op) red->name = (__typeof__(type))HEDDLE_START_##op(red->name);
#define HEDDLE_TO_EDGE(type, name) e.name = v->name;
#define HEDDLE_CHOOSE(type, name, ...) a.name = yes ? a.name : b.name;

/* Shuffles of whole structures, a 32-bit word at a time; the copies vanish in registers. */
#define HEDDLE_SHUFFLE_BODY(TYPE, CALL)                                                                                \
    enum { words = (sizeof(TYPE) + 3) / 4 };                                                                           \
    uint32_t word[words + 1];                                                                                          \
    memset(word, 0, sizeof word);                                                                                      \
    memcpy(word, &v, sizeof v);                                                                                        \
    _Pragma("unroll") for (int q = 0; q < words; q++) word[q] = CALL;                                                  \
    memcpy(&v, word, sizeof v);                                                                                        \
    return v;
#endif

/* Columns of the row above that a row wants besides its own, before and after them; by how many a row of an extended
   stencil is behind the one above. */
enum {
    HEDDLE_N(BEFORE) = HEDDLE_EXTENDED ? 2 : 1,
    HEDDLE_N(AFTER) = HEDDLE_EXTENDED ? HEDDLE_N(AHEAD) : 0,
    HEDDLE_N(PACE) = 1 + HEDDLE_N(AFTER)
};

union HEDDLE_N(widest) {
    HEDDLE_N(CELL)(HEDDLE_FIELD)
};
union HEDDLE_N(any) {
    char of[HEDDLE_LANE_BYTES(sizeof(union HEDDLE_N(widest)))];
};

static HEDDLE_INLINE struct HEDDLE_N(edge) HEDDLE_N(edge_of)(const struct HEDDLE_N(cell) *v) {
    struct HEDDLE_N(edge) e;
    (void)v;
    HEDDLE_N(EDGE)(HEDDLE_TO_EDGE) return e;
}
#define HEDDLE_SELECT(kind, LIST)                                                                                      \
    static HEDDLE_INLINE struct HEDDLE_N(kind) HEDDLE_N(select_##kind)(int yes, struct HEDDLE_N(kind) a,               \
                                                                       struct HEDDLE_N(kind) b) {                      \
        (void)yes, (void)b;                                                                                            \
        HEDDLE_N(LIST)(HEDDLE_CHOOSE) return a;                                                                        \
    }
HEDDLE_SELECT(cell, CELL)
HEDDLE_SELECT(edge, EDGE)
HEDDLE_SELECT(red, RED)
HEDDLE_SELECT(col, COL)
#undef HEDDLE_SELECT
static void HEDDLE_N(red_join)(void *to, const void *other) {
    struct HEDDLE_N(red) *into = HEDDLE_PTR(to);
    const struct HEDDLE_N(red) *from = HEDDLE_PTR(other), was = *into; /* places are compared with all that was */
    (void)into, (void)from, (void)was;
    HEDDLE_N(RED)(HEDDLE_RED_JOIN)
}
static void HEDDLE_N(red_start)(void *value) {
    struct HEDDLE_N(red) *red = HEDDLE_PTR(value);
    (void)red;
    HEDDLE_N(RED)(HEDDLE_RED_START)
}

#if HEDDLE_N(PREFIX)
#include <heddle/engine/wavefront/scan.h>
#endif
#ifdef HEDDLE_SWEEPS
#include <heddle/engine/wavefront/sweeps.h>
#endif

#include <heddle/engine/wavefront/gpu_arrays.h>

#if !HEDDLE_ON_GPU
#include <heddle/engine/wavefront/cpu_forms.h>
#endif
#include <heddle/engine/wavefront/gpu_edges.h>

#if !HEDDLE_ON_GPU
/* Tiles in the order of the schedule: diagonal after diagonal, or tile row after tile row. */
static HEDDLE_UNUSED void HEDDLE_N(host_tiles)(struct heddle_gpu_control *c, const struct heddle_cpu_block *b) {
    const long all = c->tiles * c->row_blocks;
    for (long d = 0; d < (c->barrier ? c->diagonals : all); d++)
        for (long r = c->barrier ? heddle_walk_first(c, d) : d / c->tiles;
             r < c->row_blocks && (c->barrier ? r * c->lag <= d : r == d / c->tiles); r++) {
            const long t = c->barrier ? d - r * c->lag : d % c->tiles, first = c->i0 + r * c->tile_h;
            const long last = first + c->tile_h - 1 < c->i1 ? first + c->tile_h - 1 : c->i1;
            const long s1 = (t + 1) * c->tile_w < c->steps ? (t + 1) * c->tile_w : c->steps;
            HEDDLE_N(cpu_tile)(c->env, b, first, last, t * c->tile_w, s1, c->skew);
        }
}

#include <heddle/engine/wavefront/host_device.h>
#endif

/* By how many columns row r of a row block is behind its first, when all begin at step 0. */
#define HEDDLE_BEHIND(r) (HEDDLE_EXTENDED ? HEDDLE_N(AFTER) + (r) * HEDDLE_N(PACE) : (r) / HEDDLE_K)
#if HEDDLE_EXTENDED
#define HEDDLE_K 2
#include <heddle/engine/wavefront/gpu_extended.h>
#undef HEDDLE_K
#define HEDDLE_K 4
#include <heddle/engine/wavefront/gpu_extended.h>
#undef HEDDLE_K
#else
#define HEDDLE_K 8
#include <heddle/engine/wavefront/gpu_rows.h>
#undef HEDDLE_K
#define HEDDLE_K 4
#include <heddle/engine/wavefront/gpu_rows.h>
#undef HEDDLE_K
#endif
#undef HEDDLE_BEHIND
#include <heddle/engine/wavefront/gpu_tiles.h>
#if HEDDLE_N(PREFIX)
#include <heddle/engine/wavefront/gpu_scan.h>
#endif
#if defined(HEDDLE_SWEEPS) && HEDDLE_SWEEPS == 2
#include <heddle/engine/wavefront/gpu_sweeps.h>
#endif
#if !HEDDLE_EXTENDED
#include <heddle/engine/wavefront/gpu_hybrid.h>
#endif

/* What the runtime has to know of the kernels: compiled into each device's image, since it depends on the device. */
#if HEDDLE_ON_GPU
static HEDDLE_INLINE void HEDDLE_N(describe)(struct heddle_image *image) {
    image->shared_bytes[0] = HEDDLE_N(SHARED_BYTES_4);
#if HEDDLE_EXTENDED
    image->shared_bytes[1] = HEDDLE_N(SHARED_BYTES_2);
    image->rows_per_lane = HEDDLE_N(STREAMED_2) && !HEDDLE_N(STREAMED_4) ? 2 : 0;
#else
    image->shared_bytes[1] = HEDDLE_N(SHARED_BYTES_8);
    image->rows_per_lane = HEDDLE_N(STREAMED_4) && !HEDDLE_N(STREAMED_8) ? 4 : 0;
#endif
#if HEDDLE_N(PREFIX)
    image->scan_rows = HEDDLE_N(SCAN_ROWS);
#endif
}
#endif
HEDDLE_PROBE(HEDDLE_N(gpu_probe), HEDDLE_N(describe)(&image))

static int HEDDLE_N(gpu)(const struct heddle_gpu_call *call) {
#if defined(HEDDLE_SWEEPS) && HEDDLE_SWEEPS == 2
    if (call->what == HEDDLE_GPU_SWEEPS) {
        HEDDLE_N(launch_sweeps)(call);
        return 0;
    }
#endif
    if (call->what == HEDDLE_GPU_REGISTERS && HEDDLE_N(REGISTERS)) {
#if HEDDLE_EXTENDED
        if (call->rows_per_lane == 2)
            HEDDLE_N(launch_2)(call);
#else
        if (call->rows_per_lane == 8)
            HEDDLE_N(launch_8)(call);
#endif
        else
            HEDDLE_N(launch_4)(call);
#if HEDDLE_N(PREFIX)
    } else if (call->what == HEDDLE_GPU_SCAN) {
        HEDDLE_N(launch_scan)(call);
#endif
#if !HEDDLE_EXTENDED
    } else if (call->what == HEDDLE_GPU_HYBRID && HEDDLE_N(REGISTERS)) {
        HEDDLE_N(launch_hybrid)(call);
    } else if (call->what == HEDDLE_GPU_CONVERT && HEDDLE_N(REGISTERS)) {
        HEDDLE_N(launch_convert)(call);
#endif
    } else {
        HEDDLE_N(launch_tiles)(call);
    }
    return 0;
}

static const struct heddle_nest HEDDLE_N(nest) HEDDLE_UNUSED = {
    .site = {.file = HEDDLE_N(FILE),
             .function = HEDDLE_N(FUNCTION),
             .kind = "wavefront",
             .line = HEDDLE_N(LINE),
             .probe = HEDDLE_N(gpu_probe)},
    .flags = (HEDDLE_N(REGISTERS) ? HEDDLE_NEST_REGISTERS : 0) | (HEDDLE_N(MEMORY) ? HEDDLE_NEST_MEMORY : 0) |
             (HEDDLE_N(HOST_BORDER) ? HEDDLE_NEST_HOST_BORDER : 0) | (HEDDLE_N(STORE) ? HEDDLE_NEST_STORE : 0) |
             (HEDDLE_N(PURE) && !HEDDLE_N(LOADS) ? HEDDLE_NEST_PURE : 0) | (HEDDLE_N(SPLIT) ? HEDDLE_NEST_SPLIT : 0) |
             (HEDDLE_N(BATCH) ? HEDDLE_NEST_BATCH : 0) | (HEDDLE_EXTENDED ? HEDDLE_NEST_EXTENDED : 0),
    .skew = HEDDLE_N(SKEW),
    .ahead = HEDDLE_N(AHEAD),
    .depth = HEDDLE_N(DEPTH),
    .before = HEDDLE_N(BEFORE),
    .after = HEDDLE_N(AFTER),
    .last_rows = HEDDLE_N(LAST_ROWS),
    .last_col = HEDDLE_N(LAST_COL),
    .env_bytes = sizeof(struct HEDDLE_N(env)),
    .edge_bytes = sizeof(struct HEDDLE_N(edge)),
    .cell_bytes = sizeof(struct HEDDLE_N(cell)),
    .far_bytes = HEDDLE_N(FARS) ? sizeof(struct HEDDLE_N(far)) : 0,
    .red_bytes = sizeof(struct HEDDLE_N(red)),
    .prefix = HEDDLE_N(PREFIX),
#if HEDDLE_N(PREFIX)
    .sum_bytes = sizeof(HEDDLE_N(sum)),
#if !HEDDLE_ON_GPU
    .cpu_scan = HEDDLE_N(cpu_scan),
#endif
#endif
    .gpu = HEDDLE_N(gpu),
    .red_start = HEDDLE_N(red_start),
    .red_join = HEDDLE_N(red_join),
#if !HEDDLE_ON_GPU
    .cpu_chain = !HEDDLE_EXTENDED && HEDDLE_N(CHAIN),
    .cpu_rows = HEDDLE_N(cpu_rows),
    .cpu_block = HEDDLE_N(cpu_block),
    .cpu_tile = HEDDLE_N(cpu_tile),
    .top_halo = HEDDLE_N(cpu_top_halo),
    .left_halo = HEDDLE_N(cpu_left_halo),
    .put_last_row = HEDDLE_N(cpu_last_row),
    .put_last_col = HEDDLE_N(cpu_last_col),
#ifdef HEDDLE_SWEEPS
    .in_place = HEDDLE_SWEEPS == 2,
    .set_sweep = HEDDLE_N(set_sweep),
#if HEDDLE_SWEEPS == 2
    .cpu_lanes = HEDDLE_N(cpu_lanes),
    .cpu_sweeps = HEDDLE_N(cpu_sweeps),
#endif
#endif
#endif
};
#ifdef HEDDLE_BATCH
#include <heddle/engine/wavefront/gpu_batch.h>
static void HEDDLE_N(host_problem)(const void *outer, long p, void *env, void *red, struct heddle_problem *bounds) {
    HEDDLE_N(problem)(HEDDLE_PTR(outer), p, HEDDLE_PTR(env), HEDDLE_PTR(red), HEDDLE_PTR(bounds));
}
static void HEDDLE_N(host_finish)(const void *outer, long p, const void *red, const void *last) {
    HEDDLE_N(finish)(HEDDLE_PTR(outer), p, HEDDLE_PTR(red), HEDDLE_PTR(last));
}
static const struct heddle_batch_nest HEDDLE_N(batch) HEDDLE_UNUSED = {
    .nest = &HEDDLE_N(nest),
    .outer_bytes = sizeof(struct HEDDLE_N(outer_env)),
#if HEDDLE_N(LAST_CELL)
    .last_cell = offsetof(struct HEDDLE_N(env), heddle_last),
#endif
    .vector = HEDDLE_N(VECTOR),
    .problem = HEDDLE_N(host_problem),
    .finish = HEDDLE_N(host_finish),
    .serial = HEDDLE_N(serial),
#if !HEDDLE_ON_GPU
    .cpu_lanes = HEDDLE_N(cpu_batch_lanes),
    .cpu_memory = HEDDLE_N(cpu_batch_memory),
    .cpu_batch = HEDDLE_N(cpu_batch),
#endif
    .gpu = HEDDLE_N(gpu_batch),
    .per_lane = HEDDLE_N(PER_LANE),
    .row_bytes = sizeof(struct HEDDLE_N(both_edge)),
    .profile = HEDDLE_N(PROFILE_BYTES),
};
#endif
#ifdef HEDDLE_NOT_EXTENDED
#undef HEDDLE_NOT_EXTENDED
#undef HEDDLE_EXTENDED
#endif
