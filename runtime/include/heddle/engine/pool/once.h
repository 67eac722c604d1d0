/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What translated task code does once per worker although all its lanes run it: changes of shared memory, and calls
 * that make them. Built on HEDDLE_FIRST, HEDDLE_SYNC and HEDDLE_SCRATCH of heddle/engine/pool/worker.h; with one lane
 * (on a CPU) everything here folds to the plain statement.
 *
 * A change needs a HEDDLE_SYNC on both sides: before it, since a slower lane may still have to read the old value;
 * after it, since all lanes read the new one. Values go from the first lane to the others through the first bytes
 * of the worker's scratch memory, which the translator keeps free (<prefix>_share).
 */
#ifndef HEDDLE_POOL_ONCE_H
#define HEDDLE_POOL_ONCE_H
#include <heddle/engine/device.h>

#if HEDDLE_ON_GPU
/* HEDDLE_ONCE(w) statement; loops and not `if`, so that an `else` behind it belongs to the user's own `if`. */
#define HEDDLE_ONCE(w)                                                                                                 \
    for (int heddle_k = (HEDDLE_SYNC(w), 1); heddle_k; HEDDLE_SYNC(w), heddle_k = 0)                                   \
        for (int heddle_l = HEDDLE_FIRST(w); heddle_l; heddle_l = 0)
#define HEDDLE_SHARE(w, x)                                                                                             \
    do {                                                                                                               \
        if ((w)->alone)                                                                                                \
            break;                                                                                                     \
        HEDDLE_SYNC(w);                                                                                                \
        if (HEDDLE_FIRST(w))                                                                                           \
            __builtin_memcpy(HEDDLE_SCRATCH(w, 0), &(x), sizeof(x));                                                   \
        HEDDLE_SYNC(w);                                                                                                \
        __builtin_memcpy(&(x), HEDDLE_SCRATCH(w, 0), sizeof(x));                                                       \
        HEDDLE_SYNC(w);                                                                                                \
    } while (0)
#else
#define HEDDLE_ONCE(w)
#define HEDDLE_SHARE(w, x) ((void)(w), (void)(x))
#endif

/* The same as an expression without a value. */
#define HEDDLE_ONCE_DO(w, ...) ({ HEDDLE_ONCE(w)(void)(__VA_ARGS__); })
/* The value of a call that the first lane makes, in every lane. */
#define HEDDLE_ONCE_VALUE(w, ...)                                                                                      \
    ({                                                                                                                 \
        __typeof__(__VA_ARGS__) heddle_v;                                                                              \
        HEDDLE_ONCE(w) heddle_v = (__VA_ARGS__);                                                                       \
        HEDDLE_SHARE(w, heddle_v);                                                                                     \
        heddle_v;                                                                                                      \
    })
/* lvalue op value: both sides are computed by every lane, since they change its own variables; one stores. */
#define HEDDLE_STORE(w, lvalue, op, ...)                                                                               \
    ({                                                                                                                 \
        __typeof__(lvalue) *heddle_p = &(lvalue);                                                                      \
        __typeof__(((void)0, (__VA_ARGS__))) heddle_v = (__VA_ARGS__);                                                 \
        HEDDLE_ONCE(w) * heddle_p op heddle_v;                                                                         \
    })

#define HEDDLE_UP16(bytes) (((bytes) + 15) / 16 * 16)
#define HEDDLE_LARGER(a, b) ((a) > (b) ? (a) : (b))
#endif
