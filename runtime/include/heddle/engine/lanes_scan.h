/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prefix sums inside one SIMD register, by vectors shifted 1, 2, 4 … lanes up and added, zeros coming in. Written with
 * clang's vector builtins: each shift is one or two permutations.
 */
#ifndef HEDDLE_LANES_SCAN_H
#define HEDDLE_LANES_SCAN_H

#include <heddle/engine/library.h>

/* Lanes of (zero, v) taken together: HEDDLE_SCAN_8_1 shifts 8 lanes up by 1. */
#define HEDDLE_SCAN_4_1 0, 4, 5, 6
#define HEDDLE_SCAN_4_2 0, 1, 4, 5
#define HEDDLE_SCAN_8_1 0, 8, 9, 10, 11, 12, 13, 14
#define HEDDLE_SCAN_8_2 0, 1, 8, 9, 10, 11, 12, 13
#define HEDDLE_SCAN_8_4 0, 1, 2, 3, 8, 9, 10, 11
#define HEDDLE_SCAN_16_1 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define HEDDLE_SCAN_16_2 0, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
#define HEDDLE_SCAN_16_4 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
#define HEDDLE_SCAN_16_8 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23

#define HEDDLE_SCAN_STEP(lanes, by) v += __builtin_shufflevector(zero, v, HEDDLE_SCAN_##lanes##_##by);
#define HEDDLE_SCAN_STEPS_4 HEDDLE_SCAN_STEP(4, 1) HEDDLE_SCAN_STEP(4, 2)
#define HEDDLE_SCAN_STEPS_8 HEDDLE_SCAN_STEP(8, 1) HEDDLE_SCAN_STEP(8, 2) HEDDLE_SCAN_STEP(8, 4)
#define HEDDLE_SCAN_STEPS_16                                                                                           \
    HEDDLE_SCAN_STEP(16, 1) HEDDLE_SCAN_STEP(16, 2) HEDDLE_SCAN_STEP(16, 4) HEDDLE_SCAN_STEP(16, 8)

/* x[k] = before + x[0] + … + x[k] for k < n, which is a number of whole vectors; returns the last. …_down: added to
   above[k] instead, x stays. */
#define HEDDLE_SCAN_ROW(name, type, bytes, lanes)                                                                      \
    static inline __attribute__((always_inline, unused)) type name##_##bytes(type *x, long n, type before) {           \
        typedef type vector __attribute__((vector_size(bytes)));                                                       \
        const vector zero = {0};                                                                                       \
        vector carry = zero + before;                                                                                  \
        for (long k = 0; k < n; k += lanes) {                                                                          \
            vector v;                                                                                                  \
            memcpy(&v, x + k, sizeof v);                                                                               \
            HEDDLE_SCAN_STEPS_##lanes const vector last = zero + v[lanes - 1]; /* beside the chain of carries */       \
            v += carry;                                                                                                \
            memcpy(x + k, &v, sizeof v);                                                                               \
            carry += last;                                                                                             \
        }                                                                                                              \
        return carry[0];                                                                                               \
    }                                                                                                                  \
    static inline __attribute__((always_inline, unused)) type name##_down_##bytes(const type *x, type *above, long n,  \
                                                                                  type before) {                       \
        typedef type vector __attribute__((vector_size(bytes)));                                                       \
        const vector zero = {0};                                                                                       \
        vector carry = zero + before;                                                                                  \
        for (long k = 0; k < n; k += lanes) {                                                                          \
            vector v, up;                                                                                              \
            memcpy(&v, x + k, sizeof v);                                                                               \
            memcpy(&up, above + k, sizeof up);                                                                         \
            HEDDLE_SCAN_STEPS_##lanes const vector last = zero + v[lanes - 1];                                         \
            v += carry;                                                                                                \
            carry += last;                                                                                             \
            v += up;                                                                                                   \
            memcpy(above + k, &v, sizeof v);                                                                           \
        }                                                                                                              \
        return carry[0];                                                                                               \
    }
HEDDLE_SCAN_ROW(heddle_scan_u32, uint32_t, 32, 8)
HEDDLE_SCAN_ROW(heddle_scan_u32, uint32_t, 64, 16)
HEDDLE_SCAN_ROW(heddle_scan_u64, uint64_t, 32, 4)
HEDDLE_SCAN_ROW(heddle_scan_u64, uint64_t, 64, 8)
HEDDLE_SCAN_ROW(heddle_scan_float, float, 32, 8)
HEDDLE_SCAN_ROW(heddle_scan_float, float, 64, 16)
HEDDLE_SCAN_ROW(heddle_scan_double, double, 32, 4)
HEDDLE_SCAN_ROW(heddle_scan_double, double, 64, 8)
#endif
