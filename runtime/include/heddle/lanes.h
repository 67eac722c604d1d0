/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving a value from each SIMD lane to the next one, on a CPU. Written with clang's vector builtins so that
 * it is one permutation and never a store followed by a misaligned load (which would stall every step).
 */
#ifndef HEDDLE_LANES_H
#define HEDDLE_LANES_H

#include <stdint.h>
#include <string.h>

#define HEDDLE_I4 3, 0, 1, 2
#define HEDDLE_I8 7, 0, 1, 2, 3, 4, 5, 6
#define HEDDLE_I16 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
#define HEDDLE_I32 31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define HEDDLE_I64                                                                                 \
    63, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,  \
        25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46,    \
        47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62

#define HEDDLE_SHIFT_CASE(bits, lanes)                                                             \
    case (bits) * 1000 + (lanes): {                                                                \
        typedef uint##bits##_t vector __attribute__((vector_size((bits) / 8 * (lanes))));          \
        vector v;                                                                                  \
        uint##bits##_t first;                                                                      \
        memcpy(&v, x, sizeof v);                                                                   \
        memcpy(&first, in, sizeof first);                                                          \
        v = __builtin_shufflevector(v, v, HEDDLE_I##lanes);                                        \
        v[0] = first;                                                                              \
        memcpy(x, &v, sizeof v);                                                                   \
        return;                                                                                    \
    }

/* x[l] = x[l - 1] for all lanes, x[0] = *in; `bytes` is the size of one element. Arguments are constants. */
static inline __attribute__((always_inline, unused)) void heddle_shift_lanes(void *x, const void *in,
                                                                             int bytes, int lanes)
{
    switch (bytes * 8000 + lanes) {
        HEDDLE_SHIFT_CASE(64, 4)
        HEDDLE_SHIFT_CASE(64, 8)
        HEDDLE_SHIFT_CASE(32, 4)
        HEDDLE_SHIFT_CASE(32, 8)
        HEDDLE_SHIFT_CASE(32, 16)
        HEDDLE_SHIFT_CASE(16, 4)
        HEDDLE_SHIFT_CASE(16, 8)
        HEDDLE_SHIFT_CASE(16, 16)
        HEDDLE_SHIFT_CASE(16, 32)
        HEDDLE_SHIFT_CASE(8, 4)
        HEDDLE_SHIFT_CASE(8, 8)
        HEDDLE_SHIFT_CASE(8, 16)
        HEDDLE_SHIFT_CASE(8, 32)
        HEDDLE_SHIFT_CASE(8, 64)
    default: { /* any other element: structures, long double */
        char *bytes_of_x = x;
        for (int l = lanes - 1; l > 0; l--)
            memcpy(bytes_of_x + l * bytes, bytes_of_x + (l - 1) * bytes, (size_t)bytes);
        memcpy(bytes_of_x, in, (size_t)bytes);
    }
    }
}
#endif
