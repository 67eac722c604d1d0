/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Updates of one element that many threads of a device make: what the translator writes in place of `h[k] += x`. None
 * orders anything else. Sums are the hardware's; other updates compute a value from what is there, and store it unless
 * somebody was faster, or nothing would change.
 */
#ifndef HEDDLE_REDUCE_UPDATE_H
#define HEDDLE_REDUCE_UPDATE_H
#include <heddle/engine/device.h>

#define HEDDLE_REDUCE_ADD(element, value)                                                                              \
    ((void)__atomic_fetch_add(&(element), (__typeof__(element))(value), __ATOMIC_RELAXED))
#define HEDDLE_REDUCE_SUB(element, value)                                                                              \
    ((void)__atomic_fetch_sub(&(element), (__typeof__(element))(value), __ATOMIC_RELAXED))
/* Neighbouring iterations add to one element, as in sums of columns: a GPU's warp adds up before it does so. */
#define HEDDLE_REDUCE_SAME(element, value, add)                                                                        \
    do {                                                                                                               \
        __typeof__(element) *heddle_at = &(element);                                                                   \
        __typeof__(element) heddle_mine = (__typeof__(element))(value);                                                \
        if (!heddle_all_with((uint64_t)(uintptr_t)heddle_at)) {                                                        \
            add(*heddle_at, heddle_mine);                                                                              \
            break;                                                                                                     \
        }                                                                                                              \
        for (int heddle_far = HEDDLE_WARP / 2; heddle_far; heddle_far /= 2) {                                          \
            uint32_t heddle_word[(sizeof heddle_mine + 3) / 4];                                                        \
            __typeof__(element) heddle_other;                                                                          \
            memcpy(heddle_word, (const void *)&heddle_mine, sizeof heddle_mine);                                       \
            for (size_t heddle_w = 0; heddle_w < sizeof heddle_word / 4; heddle_w++)                                   \
                heddle_word[heddle_w] = heddle_shuffle_xor_word(heddle_word[heddle_w], heddle_far);                    \
            memcpy((void *)&heddle_other, heddle_word, sizeof heddle_other);                                           \
            heddle_mine += heddle_other;                                                                               \
        }                                                                                                              \
        if ((heddle_thread() & (HEDDLE_WARP - 1)) == 0)                                                                \
            add(*heddle_at, heddle_mine);                                                                              \
    } while (0)
#define HEDDLE_REDUCE_ADD_SAME(element, value) HEDDLE_REDUCE_SAME(element, value, HEDDLE_REDUCE_ADD)
#define HEDDLE_REDUCE_SUB_SAME(element, value) HEDDLE_REDUCE_SAME(element, value, HEDDLE_REDUCE_SUB)
/* The statement changes heddle_v; it may be run several times. */
#define HEDDLE_REDUCE_EACH(element, ...)                                                                               \
    do {                                                                                                               \
        __typeof__(element) *heddle_at = &(element);                                                                   \
        __typeof__(element) heddle_old, heddle_v;                                                                      \
        __atomic_load(heddle_at, &heddle_old, __ATOMIC_RELAXED);                                                       \
        do {                                                                                                           \
            heddle_v = heddle_old;                                                                                     \
            __VA_ARGS__;                                                                                               \
        } while (                                                                                                      \
            __builtin_memcmp((const void *)&heddle_v, (const void *)&heddle_old, sizeof heddle_v) &&                   \
            !__atomic_compare_exchange(heddle_at, &heddle_old, &heddle_v, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));     \
    } while (0)
#define HEDDLE_REDUCE_BY(element, op, value)                                                                           \
    do {                                                                                                               \
        const __typeof__(value) heddle_by = value;                                                                     \
        HEDDLE_REDUCE_EACH(element, heddle_v = heddle_v op heddle_by);                                                 \
    } while (0)

/* A block's copy of an element joined into the result. Sums of _Bool are no sums. */
#define HEDDLE_REDUCE_IS_BOOL(type) __builtin_types_compatible_p(__typeof__(type), _Bool)
#define HEDDLE_REDUCE_SUMMED(type)                                                                                     \
    __typeof__(__builtin_choose_expr(HEDDLE_REDUCE_IS_BOOL(type), (unsigned char)0, (__typeof__(type))0))
#define HEDDLE_REDUCE_INTO_ADD(type, into, v)                                                                          \
    if (HEDDLE_REDUCE_IS_BOOL(type))                                                                                   \
        HEDDLE_REDUCE_INTO_BY(type, ADD, into, v);                                                                     \
    else if (v)                                                                                                        \
        __atomic_fetch_add((HEDDLE_REDUCE_SUMMED(type) *)&(into), (v), __ATOMIC_RELAXED);
#define HEDDLE_REDUCE_INTO_BY(type, op, into, v)                                                                       \
    HEDDLE_REDUCE_EACH(into, heddle_v = (__typeof__(type))HEDDLE_JOIN_##op(heddle_v, v))
#define HEDDLE_REDUCE_INTO_MUL(type, into, v) HEDDLE_REDUCE_INTO_BY(type, MUL, into, v);
#define HEDDLE_REDUCE_INTO_MAX(type, into, v) HEDDLE_REDUCE_INTO_BY(type, MAX, into, v);
#define HEDDLE_REDUCE_INTO_MIN(type, into, v) HEDDLE_REDUCE_INTO_BY(type, MIN, into, v);
#define HEDDLE_REDUCE_INTO_AND(type, into, v) HEDDLE_REDUCE_INTO_BY(type, AND, into, v);
#define HEDDLE_REDUCE_INTO_OR(type, into, v) HEDDLE_REDUCE_INTO_BY(type, OR, into, v);
#define HEDDLE_REDUCE_INTO_XOR(type, into, v) HEDDLE_REDUCE_INTO_BY(type, XOR, into, v);
#define HEDDLE_REDUCE_INTO_LAND(type, into, v) HEDDLE_REDUCE_INTO_BY(type, LAND, into, v);
#define HEDDLE_REDUCE_INTO_LOR(type, into, v) HEDDLE_REDUCE_INTO_BY(type, LOR, into, v);

#endif
