/* SPDX-License-Identifier: Apache-2.0 */
/* One int in one lane of a vector register: there max is one instruction. With plain ints clang
 * makes branches of the recurrence's max, which random letters mispredict: a third to a quarter of
 * the speed. Other processors than x86-64 get plain ints. */
#ifndef HEDDLE_BENCH_LANE_H
#define HEDDLE_BENCH_LANE_H

#ifdef __SSE4_1__
#include <smmintrin.h>
typedef __m128i lane;
#define lane_of(x) _mm_cvtsi32_si128(x)
#define lane_value(x) _mm_cvtsi128_si32(x)
#define lane_add(x, y) _mm_add_epi32(x, y)
#define lane_max(x, y) _mm_max_epi32(x, y)
#else
typedef int lane;
#define lane_of(x) (x)
#define lane_value(x) (x)
#define lane_add(x, y) ((x) + (y))
#define lane_max(x, y) ((x) > (y) ? (x) : (y))
#endif

/* The left cell, which is the last to be known, comes in last. */
static inline lane lane_cell(int equal, lane diagonal, lane up, lane left) {
    const lane match = lane_add(diagonal, lane_of(equal * 3 - 1));
    const lane free = lane_max(lane_max(match, lane_of(0)), lane_add(up, lane_of(-1)));
    return lane_max(free, lane_add(left, lane_of(-1)));
}

#endif
