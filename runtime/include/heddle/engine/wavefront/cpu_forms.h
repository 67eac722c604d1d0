/* SPDX-License-Identifier: Apache-2.0 */
/* What the host runs of a nest, once for each instruction set: included by wavefront.h for each nest. */
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
/* Where all code of the program has AVX2 (-march=x86-64-v3, native) the base set would be the same code once more. */
#if defined(__AVX2__) && defined(__FMA__) && defined(__BMI2__)
#define HEDDLE_BASE(name) HEDDLE_N(avx2_##name)
#else
#define HEDDLE_BASE(name) HEDDLE_N(base_##name)
#define HEDDLE_ISA base
#define HEDDLE_ISA_ATTRIBUTE
#include <heddle/engine/wavefront/cpu.h>
#if HEDDLE_N(PREFIX)
#include <heddle/engine/wavefront/cpu_scan.h>
#endif
#undef HEDDLE_ISA
#undef HEDDLE_ISA_ATTRIBUTE
#endif
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
                                : HEDDLE_BASE(name)(__VA_ARGS__))
#else
#define HEDDLE_BY_ISA(isa, name, ...) HEDDLE_BASE(name)(__VA_ARGS__)
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
#undef HEDDLE_BASE
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
