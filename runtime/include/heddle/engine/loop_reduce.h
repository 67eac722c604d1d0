/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chunk of a loop that reduces arrays, or by operators of the user's, on a device. All threads update one copy,
 * atomically: the chunk's, which the host joins, or on a GPU, where all copies together are small, one in each block's
 * own memory, joined into the chunk's when the block is done. Scalars are each thread's own; blocks join those of their
 * threads, and the block that is done last joins the blocks'.
 *
 * Included once per loop, HEDDLE_LOOP being its prefix, HEDDLE_LOOP_VALUES whether scalars are reduced,
 * HEDDLE_LOOP_COPIES whether arrays are, and HEDDLE_LOOP_SHORT whether the body is short. No include guard.
 */
#define HEDDLE_L(name) HEDDLE_PASTE(HEDDLE_LOOP, name)
#ifndef HEDDLE_REDUCE_LISTS
#define HEDDLE_REDUCE_LISTS
#include <heddle/engine/device.h>
/* Bytes of a block's copies at most: seven blocks of a multiprocessor's 228 KB. */
enum { HEDDLE_REDUCE_SHARED = 32 << 10 };
#define HEDDLE_REDUCE_BLOCK_START(type, name, first, count, op)                                                        \
    for (long heddle_k = thread; heddle_k < own.count; heddle_k += threads)                                            \
        own.name[own.first + heddle_k] =                                                                               \
            (__typeof__(type))HEDDLE_START_##op(*(volatile __typeof__(type) *)&chunk.name[own.first + heddle_k]);
#define HEDDLE_REDUCE_BLOCK_JOIN(type, name, first, count, op)                                                         \
    for (long heddle_k = thread; heddle_k < own.count; heddle_k += threads) {                                          \
        const __typeof__(type) heddle_mine = own.name[own.first + heddle_k];                                           \
        HEDDLE_REDUCE_INTO_##op(type, chunk.name[own.first + heddle_k], heddle_mine)                                   \
    }
#endif

static HEDDLE_INLINE void HEDDLE_L(reduce_items)(const struct heddle_reduce_control *c, const struct HEDDLE_L(env) *env,
                                                 struct HEDDLE_L(red) *mine, long first, long step) {
    const long items = c->items, lo = c->lo, pace = c->step;
    long k = first;
#if HEDDLE_LOOP_SHORT /* so that a thread waits for several loads at once */
    for (; k + 3 * step < items; k += 4 * step) {
        HEDDLE_L(iteration)(env, lo, pace, k, mine);
        HEDDLE_L(iteration)(env, lo, pace, k + step, mine);
        HEDDLE_L(iteration)(env, lo, pace, k + 2 * step, mine);
        HEDDLE_L(iteration)(env, lo, pace, k + 3 * step, mine);
    }
#endif
    for (; k < items; k += step)
        HEDDLE_L(iteration)(env, lo, pace, k, mine);
}

#if HEDDLE_ON_GPU
#if HEDDLE_LOOP_COPIES
HEDDLE_SHARED(HEDDLE_L(reduce_memory), HEDDLE_REDUCE_SHARED);
#endif

#if HEDDLE_LOOP_VALUES
/* n of them, `apart` from each other, into the first one; by all threads of a block. */
static HEDDLE_INLINE void HEDDLE_L(reduce_values)(struct HEDDLE_L(red) *value, long n, long apart) {
    const long thread = heddle_thread(), threads = heddle_threads();
    for (long k = thread + threads; k < n; k += threads)
        HEDDLE_L(red_join_values)(&value[thread * apart], &value[k * apart]);
    for (long half = threads / 2; half; half /= 2) { /* a power of two */
        heddle_block_sync();
        if (thread < half && thread + half < n)
            HEDDLE_L(red_join_values)(&value[thread * apart], &value[(thread + half) * apart]);
    }
}

static HEDDLE_INLINE void HEDDLE_L(reduce_all)(struct heddle_reduce_control *c, const struct HEDDLE_L(red) *mine) {
    struct HEDDLE_L(red) *value = c->values, *of_block = value + heddle_block() * heddle_threads();
    of_block[heddle_thread()] = *mine;
    HEDDLE_L(reduce_values)(of_block, heddle_threads(), 1);
    if (heddle_thread() == 0 && heddle_add_acq_rel(&c->arrived, 1) + 1 == (uint64_t)heddle_blocks())
        c->last = heddle_block();
    heddle_block_sync();
    if (*(volatile long *)&c->last != heddle_block())
        return;
    HEDDLE_L(reduce_values)(value, heddle_blocks(), heddle_threads());
    if (heddle_thread() == 0)
        HEDDLE_L(red_join_values)(c->result, value);
}
#endif

static HEDDLE_INLINE void HEDDLE_L(reduce_work)(struct heddle_reduce_control *c) {
    const long thread = heddle_thread(), threads = heddle_threads(), mine = heddle_block() * threads + thread,
               all = heddle_blocks() * threads >> c->spread,
               first = mine & ((1l << c->spread) - 1) ? c->items : mine >> c->spread;
    const struct HEDDLE_L(env) env = *(const struct HEDDLE_L(env) *)c->env;
    struct HEDDLE_L(red) chunk = *(const struct HEDDLE_L(red) *)c->result, own = chunk;
    HEDDLE_L(red_place)(&chunk, HEDDLE_LOOP_RED_BEHIND((struct HEDDLE_L(red) *)c->result));
#if HEDDLE_LOOP_COPIES
    if (c->shared) { /* the body is there twice, so that the compiler knows which memory it updates */
        HEDDLE_L(red_place)(&own, (char *)HEDDLE_L(reduce_memory)());
        HEDDLE_L(RED_ARRAYS)(HEDDLE_REDUCE_BLOCK_START)
        heddle_block_sync();
        HEDDLE_L(reduce_items)(c, &env, &own, first, all);
        heddle_block_sync();
        HEDDLE_L(RED_ARRAYS)(HEDDLE_REDUCE_BLOCK_JOIN)
    } else
#endif
    {
        own = chunk;
        HEDDLE_L(reduce_items)(c, &env, &own, first, all);
    }
#if HEDDLE_LOOP_VALUES
    HEDDLE_L(reduce_all)(c, &own);
#endif
}
#endif

/* A device that is a host processor: its threads. */
static HEDDLE_UNUSED void HEDDLE_L(reduce_elsewhere)(struct heddle_reduce_control *c) {
#if !HEDDLE_ON_GPU
    if (heddle_is_host()) {
        heddle_note_fallback();
        return;
    }
    const struct HEDDLE_L(env) env = *(const struct HEDDLE_L(env) *)c->env;
    struct HEDDLE_L(red) *result = HEDDLE_PTR(c->result), start = *result;
    HEDDLE_L(red_place)(&start, HEDDLE_LOOP_RED_BEHIND(result));
#pragma omp parallel
    {
        struct HEDDLE_L(red) mine = start;
        HEDDLE_L(reduce_items)(c, &env, &mine, omp_get_thread_num(), omp_get_num_threads());
#if HEDDLE_LOOP_VALUES
#pragma omp critical(heddle_reduce)
        HEDDLE_L(red_join_values)(result, &mine);
#endif
    }
#else
    (void)c;
#endif
}

#if !HEDDLE_ON_GPU
static HEDDLE_UNUSED void HEDDLE_L(reduce_work)(struct heddle_reduce_control *c) { (void)c; }
#endif

static void HEDDLE_L(kernel)(const struct heddle_loop_launch *launch) {
    HEDDLE_LAUNCH(launch, HEDDLE_L(reduce_work), HEDDLE_L(reduce_elsewhere));
}
#undef HEDDLE_L
