/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches on a GPU: a problem belongs to a group of 4, 8, 16 or 32 lanes of a warp, and the groups of a warp have
 * problems of similar size. A lane holds HEDDLE_K consecutive rows in registers and works one column behind the lane
 * before it; what does not fit into a group's lanes is done in passes, and a pass leaves its bottom row in device
 * memory for the next one. No group waits for another one.
 *
 * Where cells are 16 bits wide two problems share a lane, one in each half of its registers: clang's SLP vectorizer
 * makes packed instructions of the two computations, since what is carried are vectors of two.
 *
 * Included by heddle/engine/wavefront/wavefront.h once per nest that is a batch's. No include guard.
 */
#include <heddle/engine/wavefront/batch_call.h>

#if HEDDLE_N(NARROW)
enum { HEDDLE_N(PER_LANE) = 2 };
#define HEDDLE_HALF(type, name, ...) __attribute__((vector_size(4))) __typeof__(type) name;
#define HEDDLE_HALF_COL(type, name, ...) __typeof__(type) name[2];
#define HEDDLE_GET_HALF(type, name, ...) v.name = both->name[p];
#define HEDDLE_PUT_HALF(type, name, ...) both->name[p] = v.name;
#else
enum { HEDDLE_N(PER_LANE) = 1 };
#define HEDDLE_HALF(type, name, ...) __typeof__(type) name;
#define HEDDLE_HALF_COL(type, name, ...) HEDDLE_PROMOTED(type) name;
#define HEDDLE_GET_HALF(type, name, ...) v.name = both->name;
#define HEDDLE_PUT_HALF(type, name, ...) both->name = v.name;
#endif
#define HEDDLE_BOTH(kind, LIST, FIELD)                                                                                 \
    struct HEDDLE_N(both_##kind) {                                                                                     \
        HEDDLE_N(LIST)(FIELD)                                                                                          \
    };                                                                                                                 \
    static HEDDLE_INLINE struct HEDDLE_N(kind) HEDDLE_N(get_half_##kind)(const struct HEDDLE_N(both_##kind) * both,    \
                                                                         int p) {                                      \
        struct HEDDLE_N(kind) v;                                                                                       \
        (void)both, (void)p;                                                                                           \
        HEDDLE_N(LIST)(HEDDLE_GET_HALF) return v;                                                                      \
    }                                                                                                                  \
    static HEDDLE_INLINE void HEDDLE_N(put_half_##kind)(struct HEDDLE_N(both_##kind) * both, int p,                    \
                                                        struct HEDDLE_N(kind) v) {                                     \
        (void)both, (void)p, (void)v;                                                                                  \
        HEDDLE_N(LIST)(HEDDLE_PUT_HALF)                                                                                \
    }
HEDDLE_BOTH(cell, CELL, HEDDLE_HALF)
HEDDLE_BOTH(edge, EDGE, HEDDLE_HALF)
HEDDLE_BOTH(red, RED, HEDDLE_HALF)
HEDDLE_BOTH(col, COL, HEDDLE_HALF_COL)
#undef HEDDLE_BOTH
#undef HEDDLE_HALF
#undef HEDDLE_HALF_COL
#undef HEDDLE_GET_HALF
#undef HEDDLE_PUT_HALF

static HEDDLE_INLINE struct HEDDLE_N(both_edge) HEDDLE_N(both_edge_of)(const struct HEDDLE_N(both_cell) *v) {
    struct HEDDLE_N(both_edge) e;
    (void)v;
    HEDDLE_N(EDGE)(HEDDLE_TO_EDGE) return e;
}
static HEDDLE_INLINE struct HEDDLE_N(both_edge) HEDDLE_N(both_select_edge)(int yes, struct HEDDLE_N(both_edge) a,
                                                                           struct HEDDLE_N(both_edge) b) {
    (void)yes, (void)b;
    HEDDLE_N(EDGE)(HEDDLE_CHOOSE) return a;
}

/* A group's lanes get what the lane before them has, or what lane `source` has. */
static HEDDLE_INLINE struct HEDDLE_N(both_edge) HEDDLE_N(both_up)(struct HEDDLE_N(both_edge) v) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(both_edge), heddle_shuffle_up_word(word[q]))
}
static HEDDLE_INLINE struct HEDDLE_N(both_edge) HEDDLE_N(both_from)(struct HEDDLE_N(both_edge) v, int source) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(both_edge), heddle_shuffle_word(word[q], source))
}
/* Columns as words: lanes hand them on as they are. */
struct HEDDLE_N(col_words) {
    uint32_t word[(sizeof(struct HEDDLE_N(both_col)) + 3) / 4 + 1];
};
enum { HEDDLE_N(COL_WORDS) = (sizeof(struct HEDDLE_N(both_col)) + 3) / 4 };
static HEDDLE_INLINE struct HEDDLE_N(cell) HEDDLE_N(cell_from)(struct HEDDLE_N(cell) v, int source){
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(cell), heddle_shuffle_word(word[q], source))}

/* ---- tables ---- */
HEDDLE_SHARED(HEDDLE_N(tables), HEDDLE_BATCH_TABLE_BYTES);

#if HEDDLE_ON_GPU
static HEDDLE_INLINE void HEDDLE_N(copy_tables)(const struct heddle_batch_control *c) {
    heddle_shared_char *memory = HEDDLE_N(tables)();
    for (int k = 0; k < c->ntables; k++)
        for (long b = heddle_thread(); b < c->table[k].bytes; b += heddle_threads())
            memory[c->table[k].at + b] = c->table[k].from[b];
    heddle_block_sync();
}
#define HEDDLE_TO_SHARED(name)                                                                                         \
    for (int k = 0; k < c->ntables; k++) {                                                                             \
        const uintptr_t off = (uintptr_t)env->name - (uintptr_t)c->table[k].from;                                      \
        if (off < (uintptr_t)c->table[k].bytes)                                                                        \
            env->name = (__typeof__(env->name))(const char *)(HEDDLE_N(tables)() + c->table[k].at + off);              \
    }
/* The environment's pointers to tables show the block's copies. */
static HEDDLE_INLINE void HEDDLE_N(use_tables)(const struct heddle_batch_control *c, struct HEDDLE_N(env) *env) {
    (void)c, (void)env;
    HEDDLE_N(TABLES)(HEDDLE_TO_SHARED)
}
#undef HEDDLE_TO_SHARED
#endif

#include <heddle/engine/wavefront/gpu_batch_profile.h>

/* ---- problems ---- */

#define HEDDLE_NEGATED(name) env->name = (__typeof__(env->name))-(int)heddle_opaque((uint32_t)-(int)env->name);
#define HEDDLE_HIDDEN_VALUE(name) env->name = (__typeof__(env->name))heddle_opaque((uint32_t)(int)env->name);
/* What cells only subtract are negatives of numbers that the compiler knows nothing of: it adds those. Of other numbers
   each half has its own: the vectorizer of clang 19 fails at sums with one number for both. */
static HEDDLE_INLINE void HEDDLE_N(set_apart)(struct HEDDLE_N(env) *env) {
    (void)env;
#if HEDDLE_N(NARROW)
    HEDDLE_N(SUBTRACTED)(HEDDLE_NEGATED)
    HEDDLE_N(INTEGERS)(HEDDLE_HIDDEN_VALUE)
#endif
}
#undef HEDDLE_NEGATED
#undef HEDDLE_HIDDEN_VALUE

/* A lane's problems: both halves have one, the same one where there is no second. */
struct HEDDLE_N(lane_problems) {
    struct HEDDLE_N(env) env[HEDDLE_N(PER_LANE)];
    struct HEDDLE_N(red) first[HEDDLE_N(PER_LANE)]; /* what the reductions begin with */
    struct heddle_problem at[HEDDLE_N(PER_LANE)];
    long p[HEDDLE_N(PER_LANE)];
    int rows[HEDDLE_N(PER_LANE)], columns[HEDDLE_N(PER_LANE)];
    int is[HEDDLE_N(PER_LANE)];  /* not a second time */
    int most_rows, most_columns; /* of the lane's */
};

static HEDDLE_INLINE int HEDDLE_N(warp_most)(int v) {
    for (int mask = HEDDLE_WARP / 2; mask; mask /= 2) {
        const int other = (int)heddle_shuffle_xor_word((uint32_t)v, mask);
        v = other > v ? other : v;
    }
    return v;
}

static HEDDLE_UNUSED void HEDDLE_N(open_problems)(const struct HEDDLE_N(outer_env) *outer,
                                                  const struct heddle_batch_control *c,
                                                  const struct heddle_batch_class *of, long first,
                                                  struct HEDDLE_N(lane_problems) *w) {
    w->most_rows = w->most_columns = 0;
#pragma unroll
    for (int p = 0; p < HEDDLE_N(PER_LANE); p++) {
        const long at = first + p < of->count ? first + p : of->count - 1;
        w->is[p] = first + p < of->count;
        w->p[p] = c->p0 + (long)c->order[of->first + at];
        HEDDLE_N(problem)(outer, w->p[p], &w->env[p], &w->first[p], &w->at[p]);
        const int any = w->at[p].i1 >= w->at[p].i0 && w->at[p].j1 >= w->at[p].j0;
        w->rows[p] = any ? (int)(w->at[p].i1 - w->at[p].i0 + 1) : 0;
        w->columns[p] = any ? (int)(w->at[p].j1 - w->at[p].j0 + 1) : 0;
        w->most_rows = w->rows[p] > w->most_rows ? w->rows[p] : w->most_rows;
        w->most_columns = w->columns[p] > w->most_columns ? w->columns[p] : w->most_columns;
    }
}

/* ---- a device that is a host processor: the CPU's engine in the kernel ---- */
static HEDDLE_UNUSED void HEDDLE_N(batch_on_host)(struct heddle_batch_control *c) {
    if (heddle_is_host()) {
        heddle_note_fallback();
        return;
    }
    const struct HEDDLE_N(outer_env) outer = *(const struct HEDDLE_N(outer_env) *)c->outer;
    for (int s = 0; s < HEDDLE_BATCH_CLASSES; s++)
        for (long k = 0; k < c->of[s].count; k++)
            HEDDLE_N(serial)(&outer, c->p0 + (long)c->order[c->of[s].first + k]);
}

#define HEDDLE_K 8
#include <heddle/engine/wavefront/gpu_batch_rows.h>
#undef HEDDLE_K
#define HEDDLE_K 4
#include <heddle/engine/wavefront/gpu_batch_rows.h>
#undef HEDDLE_K

/* ---- statements around one problem's nest, and how large problems are; on devices of all kinds ---- */
static HEDDLE_UNUSED void HEDDLE_N(batch_open)(struct heddle_batch_control *c) {
    if (heddle_thread() == 0)
        HEDDLE_N(problem)((const struct HEDDLE_N(outer_env) *)c->outer, c->p0, HEDDLE_PTR(c->env), HEDDLE_PTR(c->red),
                          HEDDLE_PTR(c->at));
}
static HEDDLE_UNUSED void HEDDLE_N(batch_close)(struct heddle_batch_control *c) {
    if (heddle_thread() == 0)
        HEDDLE_N(finish)((const struct HEDDLE_N(outer_env) *)c->outer, c->p0, HEDDLE_PTR(c->red), HEDDLE_PTR(c->last));
}
static HEDDLE_UNUSED void HEDDLE_N(batch_measure)(struct heddle_batch_control *c) {
    const struct HEDDLE_N(outer_env) outer = *(const struct HEDDLE_N(outer_env) *)c->outer;
    const long threads = (long)heddle_blocks() * heddle_threads();
    for (long k = (long)heddle_block() * heddle_threads() + heddle_thread(); k < c->problems; k += threads) {
        struct HEDDLE_N(env) env;
        struct HEDDLE_N(red) red;
        struct heddle_problem at;
        HEDDLE_N(problem)(&outer, c->p0 + k, &env, &red, &at);
        const int any = at.i1 >= at.i0 && at.j1 >= at.j0;
        c->sizes[2 * k] = any ? at.i1 - at.i0 + 1 : 0;
        c->sizes[2 * k + 1] = any ? at.j1 - at.j0 + 1 : 0;
    }
}
#if !HEDDLE_ON_GPU
#define HEDDLE_ELSEWHERE(name)                                                                                         \
    static HEDDLE_UNUSED void HEDDLE_N(name##_elsewhere)(struct heddle_batch_control * c) {                            \
        if (heddle_is_host())                                                                                          \
            heddle_note_fallback();                                                                                    \
        else                                                                                                           \
            HEDDLE_N(name)(c);                                                                                         \
    }
HEDDLE_ELSEWHERE(batch_open)
HEDDLE_ELSEWHERE(batch_close)
HEDDLE_ELSEWHERE(batch_measure)
#if HEDDLE_N(PROFILE)
HEDDLE_ELSEWHERE(batch_profile)
#endif
#undef HEDDLE_ELSEWHERE
#endif

static int HEDDLE_N(gpu_batch)(const struct heddle_gpu_batch *call) {
    if (call->what == HEDDLE_BATCH_OPEN)
        HEDDLE_LAUNCH(call, HEDDLE_N(batch_open), HEDDLE_N(batch_open_elsewhere));
    else if (call->what == HEDDLE_BATCH_CLOSE)
        HEDDLE_LAUNCH(call, HEDDLE_N(batch_close), HEDDLE_N(batch_close_elsewhere));
    else if (call->what == HEDDLE_BATCH_MEASURE)
        HEDDLE_LAUNCH(call, HEDDLE_N(batch_measure), HEDDLE_N(batch_measure_elsewhere));
#if HEDDLE_N(PROFILE)
    else if (call->what == HEDDLE_BATCH_PROFILE)
        HEDDLE_LAUNCH(call, HEDDLE_N(batch_profile), HEDDLE_N(batch_profile_elsewhere));
#endif
    else if (call->rows_per_lane == 8)
        HEDDLE_N(batch_launch_8)(call);
    else
        HEDDLE_N(batch_launch_4)(call);
    return 0;
}
#if HEDDLE_N(PROFILE)
#undef HEDDLE_ENTRIES
#undef HEDDLE_TABLE
#undef HEDDLE_UNSIGNED_VALUE
#undef HEDDLE_SET_LOOK
#endif
