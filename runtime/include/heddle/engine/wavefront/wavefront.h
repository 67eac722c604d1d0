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

/* ---- CPU ------------------------------------------------------------------------------------------- */
#if !HEDDLE_ON_GPU
#define HEDDLE_REAL(type, name, ...) || _Generic((__typeof__(type) *)0, float *: 1, double *: 1, default: 0)
/* A lane's rows one after the other in a step: cells of integers that touch no memory are short, and a chain of them
   leaves room in the core for what else it does. */
enum { HEDDLE_N(CHAIN) = !HEDDLE_N(STORE) && !HEDDLE_N(LOADS) && !(0 HEDDLE_N(CELL)(HEDDLE_REAL)) };
#undef HEDDLE_REAL
/* Rows per lane. Those that do not depend on each other within a step: as many as hide the latency of a cell, and no
   more than leave the cells of two parts, or the squares of what is read, in the first-level cache; where nothing is
   moved twice as many, since threads then hand on half as much. */
#define HEDDLE_ONE(...) +1
#if !HEDDLE_N(STORE) && !HEDDLE_N(LOADS) &&                                                                            \
    (0 HEDDLE_N(CELL)(HEDDLE_ONE) HEDDLE_N(EDGE)(HEDDLE_ONE) HEDDLE_N(RED)(HEDDLE_ONE)) <= 12
#define HEDDLE_K (HEDDLE_N(CHAIN) ? 16 : 8)
#else
#define HEDDLE_K 4
#endif
#undef HEDDLE_ONE

#if !HEDDLE_EXTENDED
#define HEDDLE_VECTOR 32
#define HEDDLE_ISA base
#define HEDDLE_ISA_ATTRIBUTE
#include <heddle/engine/wavefront/cpu.h>
#if HEDDLE_N(PREFIX)
#include <heddle/engine/wavefront/cpu_scan.h>
#endif
#undef HEDDLE_ISA
#undef HEDDLE_ISA_ATTRIBUTE
#ifdef __x86_64__
#define HEDDLE_ISA avx2
#define HEDDLE_PERMUTE heddle_permute_avx2
#define HEDDLE_ISA_ATTRIBUTE __attribute__((target("avx2,fma,bmi2")))
#include <heddle/engine/wavefront/cpu.h>
#if HEDDLE_N(PREFIX)
#include <heddle/engine/wavefront/cpu_scan.h>
#endif
#undef HEDDLE_ISA
#undef HEDDLE_ISA_ATTRIBUTE
#undef HEDDLE_VECTOR
#define HEDDLE_VECTOR 64
#undef HEDDLE_PERMUTE
#define HEDDLE_PERMUTE heddle_permute_avx512
#define HEDDLE_ISA avx512
#define HEDDLE_ISA_ATTRIBUTE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma,bmi2")))
#include <heddle/engine/wavefront/cpu.h>
#if HEDDLE_N(PREFIX)
#include <heddle/engine/wavefront/cpu_scan.h>
#endif
#undef HEDDLE_ISA
#undef HEDDLE_ISA_ATTRIBUTE
#endif
#undef HEDDLE_VECTOR
#undef HEDDLE_PERMUTE
#endif /* !HEDDLE_EXTENDED */

/* Six rows and the two beside them are as many streams as a first-level cache of 8 ways holds when the rows' pitch is
   a power of two; with more carried values than registers fewer rows do. */
#define HEDDLE_ONE(...) +1
#if (0 HEDDLE_N(CELL)(HEDDLE_ONE) HEDDLE_N(RED)(HEDDLE_ONE)) <= 2
#define HEDDLE_R 6
#else
#define HEDDLE_R 4
#endif
#undef HEDDLE_ONE
#define HEDDLE_STRIPS 8
#include <heddle/engine/wavefront/cpu_rows.h>

/* Rows of a block: lanes x rows per lane of the instance for the instruction set. */
static int HEDDLE_N(cpu_rows)(int isa) {
    if (isa == HEDDLE_ISA_INTERLEAVED || HEDDLE_EXTENDED)
        return HEDDLE_R * HEDDLE_STRIPS;
    return (isa == HEDDLE_ISA_AVX512 ? 64 : 32) / (int)sizeof(union HEDDLE_N(any)) * HEDDLE_K;
}
#undef HEDDLE_K
#undef HEDDLE_R
#undef HEDDLE_STRIPS

/* One of a function's three forms. */
#ifdef __x86_64__
#define HEDDLE_BY_ISA(isa, name, ...)                                                                                  \
    ((isa) == HEDDLE_ISA_AVX512 ? HEDDLE_N(avx512_##name)(__VA_ARGS__)                                                 \
     : (isa) == HEDDLE_ISA_AVX2 ? HEDDLE_N(avx2_##name)(__VA_ARGS__)                                                   \
                                : HEDDLE_N(base_##name)(__VA_ARGS__))
#else
#define HEDDLE_BY_ISA(isa, name, ...) HEDDLE_N(base_##name)(__VA_ARGS__)
#endif
static int HEDDLE_N(cpu_block)(struct heddle_cpu_block *block) {
#if !HEDDLE_EXTENDED
    if (block->isa != HEDDLE_ISA_INTERLEAVED)
        return HEDDLE_BY_ISA(block->isa, block, block);
#endif
    return HEDDLE_N(interleaved_block)(block);
}
#if HEDDLE_N(PREFIX)
static int HEDDLE_N(cpu_scan)(struct heddle_cpu_block *block) { return HEDDLE_BY_ISA(block->isa, scan_stripe, block); }
#endif
#if defined(HEDDLE_SWEEPS) && HEDDLE_SWEEPS == 2
static int HEDDLE_N(cpu_lanes)(int isa, size_t *carry) {
    *carry = HEDDLE_BY_ISA(isa, carry_bytes);
    return (isa == HEDDLE_ISA_AVX512 ? 64 : 32) / (int)sizeof(union HEDDLE_N(any));
}
static void HEDDLE_N(cpu_sweeps)(struct heddle_cpu_pass *pass) { HEDDLE_BY_ISA(pass->isa, sweeps, pass); }
#endif
#ifdef HEDDLE_BATCH
static int HEDDLE_N(cpu_batch_lanes)(int isa) {
    return (isa == HEDDLE_ISA_AVX512 ? 64 : 32) / (int)sizeof(union HEDDLE_N(any));
}
static size_t HEDDLE_N(cpu_batch_memory)(int isa, long rows) { return HEDDLE_BY_ISA(isa, batch_memory, rows); }
static void HEDDLE_N(cpu_batch)(const struct heddle_cpu_batch *batch) { HEDDLE_BY_ISA(batch->isa, batch, batch); }
#endif
#undef HEDDLE_BY_ISA
static void HEDDLE_N(cpu_top_halo)(const void *env, long i, long j, int which, void *edge) {
    if (which == HEDDLE_HALO_TOP) {
        HEDDLE_N(load_top)(HEDDLE_PTR(env), i, j, HEDDLE_PTR(edge));
        return;
    }
    memset(edge, 0, sizeof(struct HEDDLE_N(edge)));
    if (which == HEDDLE_HALO_CORNER && HEDDLE_N(CORNER))
        HEDDLE_N(load_corner)(HEDDLE_PTR(env), i, j, HEDDLE_PTR(edge));
#if HEDDLE_EXTENDED
    if (which == HEDDLE_HALO_BEHIND)
        HEDDLE_N(load_behind)(HEDDLE_PTR(env), i, j, HEDDLE_PTR(edge));
    if (which == HEDDLE_HALO_RIGHT)
        HEDDLE_N(load_right)(HEDDLE_PTR(env), i, j, HEDDLE_PTR(edge));
#endif
}
static void HEDDLE_N(cpu_left_halo)(const void *env, long i, long j, void *cell) {
    memset(cell, 0, sizeof(struct HEDDLE_N(cell)));
    HEDDLE_N(load_left)(HEDDLE_PTR(env), i, j, HEDDLE_PTR(cell));
}
static void HEDDLE_N(cpu_last_row)(const void *env, long i, long j, long rows_left, const void *cell) {
    HEDDLE_N(store_last_row)(HEDDLE_PTR(env), i, j, rows_left, HEDDLE_PTR(cell));
}
static void HEDDLE_N(cpu_last_col)(const void *env, long i, long j, const void *cell) {
    HEDDLE_N(store_last_col)(HEDDLE_PTR(env), i, j, HEDDLE_PTR(cell));
}

/* Cells that row i does not have do nothing, so they may as well be left out. */
static HEDDLE_INLINE void HEDDLE_N(clip_row)(const struct HEDDLE_N(env) *env, long i, long j0, long *from, long *to) {
    (void)env, (void)i, (void)j0, (void)from, (void)to;
#if HEDDLE_N(CLIP)
    long first, end;
    HEDDLE_N(clip)(env, i, &first, &end);
    *from = first - j0 > *from ? first - j0 : *from;
    *to = end - j0 < *to ? end - j0 : *to;
#endif
}

/* Memory form: rows r0 … r1 of a tile, steps s0 … s1 - 1 counted from the tile row's first (row r0 takes column
   j0 + s, each further row is `skew` columns behind; 0: a square tile). Row by row is a legal order inside it. */
static void HEDDLE_N(cpu_tile)(const void *env_, const struct heddle_cpu_block *b, long r0, long r1, long s0, long s1,
                               long skew) {
    struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)env_;
    struct HEDDLE_N(red) red = *(struct HEDDLE_N(red) *)b->red;
    if (HEDDLE_N(MEMORY))
        for (long i = r0; i <= r1; i++) {
            const long shift = (i - r0) * skew;
            long end = b->j1 - b->j0 + 1, to = s1 - shift < end ? s1 - shift : end;
            long from = s0 - shift > 0 ? s0 - shift : 0;
            HEDDLE_N(clip_row)(&env, i, b->j0, &from, &to);
            for (long s = from; s < to; s++)
                HEDDLE_N(visit)(&env, i, b->j0 + s, &red);
        }
    *(struct HEDDLE_N(red) *)b->red = red;
}
#endif /* !HEDDLE_ON_GPU */

/* ---- GPU ------------------------------------------------------------------------------------------- */
static HEDDLE_INLINE struct HEDDLE_N(edge) HEDDLE_N(shuffle_up)(struct HEDDLE_N(edge) v) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(edge), heddle_shuffle_up_word(word[q]))
}
static HEDDLE_INLINE struct HEDDLE_N(edge) HEDDLE_N(shuffle)(struct HEDDLE_N(edge) v, int source) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(edge), heddle_shuffle_word(word[q], source))
}
static HEDDLE_INLINE struct HEDDLE_N(col) HEDDLE_N(shuffle_col_up)(struct HEDDLE_N(col) v) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(col), heddle_shuffle_up_word(word[q]))
}
static HEDDLE_INLINE struct HEDDLE_N(col) HEDDLE_N(shuffle_col)(struct HEDDLE_N(col) v, int source) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(col), heddle_shuffle_word(word[q], source))
}
static HEDDLE_INLINE struct HEDDLE_N(red) HEDDLE_N(shuffle_xor)(struct HEDDLE_N(red) v, int mask) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(red), heddle_shuffle_xor_word(word[q], mask))
}
static HEDDLE_INLINE void HEDDLE_N(reduce_warp)(struct HEDDLE_N(red) *red) {
    for (int mask = HEDDLE_WARP / 2; mask; mask /= 2) {
        const struct HEDDLE_N(red) other = HEDDLE_N(shuffle_xor)(*red, mask);
        HEDDLE_N(red_join)(red, &other);
    }
}

/* One result per warp. */
static HEDDLE_INLINE void HEDDLE_N(put_red)(const struct heddle_gpu_control *c, struct HEDDLE_N(red) *red) {
    HEDDLE_N(reduce_warp)(red);
    if ((heddle_thread() & (HEDDLE_WARP - 1)) == 0)
        ((struct HEDDLE_N(red) *)c->red)[(heddle_block() * heddle_threads() + heddle_thread()) / HEDDLE_WARP] = *red;
}

/* The bottom row of a row block on its way to the block below: [word][column] in device memory. */
enum { HEDDLE_N(WORDS) = (sizeof(struct HEDDLE_N(edge)) + 3) / 4 };
struct HEDDLE_N(words) {
    uint64_t w[HEDDLE_N(WORDS) + 1];
};
struct HEDDLE_N(link) {
    uint64_t *words;
    long stride;
    uint32_t tag; /* of the block that writes */
};

static HEDDLE_INLINE struct HEDDLE_N(link) HEDDLE_N(link_of)(const struct heddle_gpu_control *c, long block) {
    struct HEDDLE_N(link) link;
    link.stride = c->edge_stride;
    link.words = (uint64_t *)c->edges + (block + c->ring) % c->ring * HEDDLE_N(WORDS) * c->edge_stride;
    link.tag = c->tag_base + (uint32_t)block;
    return link;
}

/* Where row block `block` receives its upper row: with the device that owns it. A buffer is free again when its block
   is done, and blocks of a device are done in their order, so one more buffer than the device has workers is enough. */
static HEDDLE_INLINE struct HEDDLE_N(link) HEDDLE_N(link_to)(const struct heddle_gpu_control *control,
                                                             const struct heddle_gpu_control *c, long block) {
    struct HEDDLE_N(link) link;
    const long owner = heddle_deal_owner(c, block);
    char *edges = HEDDLE_PTR(owner == c->self ? c->edges : control->peer[owner].edges);
    link.stride = c->edge_stride;
    link.words = (uint64_t *)edges + heddle_deal_ticket(c, block) % c->ring * HEDDLE_N(WORDS) * c->edge_stride;
    link.tag = c->tag_base + (uint32_t)block - 1;
    return link;
}

static HEDDLE_INLINE void HEDDLE_N(send)(const struct HEDDLE_N(link) *to, long column, struct HEDDLE_N(edge) v) {
    uint32_t word[HEDDLE_N(WORDS) + 1];
    memset(word, 0, sizeof word);
    memcpy(word, &v, sizeof v);
#pragma unroll
    for (int q = 0; q < HEDDLE_N(WORDS); q++)
        heddle_store_system_relaxed(to->words + q * to->stride + column, (uint64_t)to->tag << 32 | word[q]);
}

/* Starts the loads of one column per lane; nothing waits for them here. */
static HEDDLE_INLINE void HEDDLE_N(fetch)(const struct HEDDLE_N(link) *from, long column, long columns, long block,
                                          struct HEDDLE_N(words) *v) {
#pragma unroll
    for (int q = 0; q < HEDDLE_N(WORDS); q++)
        v->w[q] = block && column < columns ? heddle_load_system_relaxed(from->words + q * from->stride + column) : 0;
}

static HEDDLE_INLINE int HEDDLE_N(arrived)(const struct HEDDLE_N(link) *from, const struct HEDDLE_N(words) *v) {
    int all = 1;
#pragma unroll
    for (int q = 0; q < HEDDLE_N(WORDS); q++)
        all &= (uint32_t)(v->w[q] >> 32) == from->tag;
    return all;
}

/* The whole warp waits until every lane's column is there. Nonzero: no progress within the timeout, or another
   warp has given up. */
static HEDDLE_INLINE int HEDDLE_N(receive)(struct heddle_gpu_control *control, uint64_t timeout_ns,
                                           const struct HEDDLE_N(link) *from, long column, long columns,
                                           struct HEDDLE_N(words) *v) {
    uint64_t start = 0;
    /* the last lane inside asks again and again; the others once it has its column, which comes last */
    const int asks =
        column < columns && (heddle_thread() % HEDDLE_WARP == HEDDLE_GPU_CHUNK - 1 || column + 1 == columns);
    for (unsigned polls = 1;; polls++) {
        const int here = column >= columns || HEDDLE_N(arrived)(from, v);
        if (heddle_all(here))
            return 0;
        const int last_came = heddle_any(asks && here);
        if (!here && (asks || last_came))
            HEDDLE_N(fetch)(from, column, columns, 1, v);
        if (polls % 256 == 0) {
            const uint64_t now = heddle_clock_ns();
            start = start ? start : now;
            if (heddle_any(now - start > timeout_ns || heddle_load_relaxed(&control->error)))
                return 1;
        }
    }
}

static HEDDLE_INLINE struct HEDDLE_N(edge) HEDDLE_N(unpack)(const struct HEDDLE_N(words) *v) {
    struct HEDDLE_N(edge) e;
    uint32_t word[HEDDLE_N(WORDS) + 1];
#pragma unroll
    for (int q = 0; q < HEDDLE_N(WORDS); q++)
        word[q] = (uint32_t)v->w[q];
    memcpy(&e, word, sizeof e);
    return e;
}

/* Borders and results: in the user's mapped arrays, or in packed copies where the arrays stay on the host. */
static HEDDLE_INLINE void HEDDLE_N(get_top)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                            long column, struct HEDDLE_N(edge) *e) {
    if (HEDDLE_N(HOST_BORDER))
        *e = ((const struct HEDDLE_N(edge) *)c->top_halo)[HEDDLE_N(BEFORE) + column];
    else if (column < 0)
        HEDDLE_N(load_corner)(env, c->i0 - 1, c->j0 - 1, e);
    else
        HEDDLE_N(load_top)(env, c->i0 - 1, c->j0 + column, e);
}
/* The same for columns up to the last that the nest's first row wants. */
static HEDDLE_INLINE void HEDDLE_N(get_above)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                              long column, struct HEDDLE_N(edge) *e) {
#if HEDDLE_EXTENDED
    if (!HEDDLE_N(HOST_BORDER) && column > c->j1 - c->j0) {
        memset(e, 0, sizeof *e);
        HEDDLE_N(load_right)(env, c->i0 - 1, c->j0 + column, e);
        return;
    }
#endif
    HEDDLE_N(get_top)(env, c, column, e);
}
static HEDDLE_INLINE void HEDDLE_N(get_left)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                             long i, struct HEDDLE_N(cell) *v) {
    memset(v, 0, sizeof *v);
    if (HEDDLE_N(HOST_BORDER))
        *v = ((const struct HEDDLE_N(cell) *)c->left_halo)[i - c->i0];
    else
        HEDDLE_N(load_left)(env, i, c->j0 - 1, v);
}
static HEDDLE_INLINE void HEDDLE_N(put_last_row)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                 long i, long j, const struct HEDDLE_N(cell) *v) {
    if (HEDDLE_N(HOST_BORDER))
        ((struct HEDDLE_N(cell) *)c->last_row)[(c->i1 - i) * (c->j1 - c->j0 + 1) + j - c->j0] = *v;
    else
        HEDDLE_N(store_last_row)(env, i, j, c->i1 - i, v);
}
static HEDDLE_INLINE void HEDDLE_N(put_last_col)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                 long i, const struct HEDDLE_N(cell) *v) {
    if (HEDDLE_N(HOST_BORDER))
        ((struct HEDDLE_N(cell) *)c->last_col)[i - c->i0] = *v;
    else
        HEDDLE_N(store_last_col)(env, i, c->j1, v);
}

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
