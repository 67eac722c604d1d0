/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors for the host's form of a macroblock (wide.h): costs of 16 predictions at once, two blocks' transforms at
 * once. All of it is put in line into one function for each instruction set. Vectors are handed over by address: as
 * arguments they would be passed differently by what the caller was compiled for. */
#ifndef INTRA_WIDE_BLOCK_H
#define INTRA_WIDE_BLOCK_H

#include "worker.h"

#include <string.h>

#define WIDE_INLINE static inline __attribute__((always_inline, unused)) void
typedef uint8_t u8x8 __attribute__((vector_size(8)));
typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef int16_t i16x8 __attribute__((vector_size(16)));
typedef int16_t i16x16 __attribute__((vector_size(32)));
typedef int32_t i32x8 __attribute__((vector_size(32)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));
typedef int64_t i64x4 __attribute__((vector_size(32)));
#define WIDE_SHUFFLE __builtin_shufflevector
#define WIDE_CONVERT __builtin_convertvector
#define WIDE_LESS(a, b) (((a) & ((a) < (b))) | ((b) & ~((a) < (b))))
#define WIDE_MORE(a, b) (((a) & ((a) > (b))) | ((b) & ~((a) > (b))))

/* Half the sum of absolute values of the Hadamard transform of 16 blocks, one in each lane of d[pixel]; at most 32640.
 */
WIDE_INLINE wide_cost(const i16x16 *d, i16x16 *sum) {
    i16x16 t[16], total = {0};
    for (int r = 0; r < 4; r++) {
        const i16x16 *p = d + 4 * r;
        t[4 * r] = p[0] + p[1], t[4 * r + 1] = p[0] - p[1];
        t[4 * r + 2] = p[2] + p[3], t[4 * r + 3] = p[2] - p[3];
    }
    for (int c = 0; c < 4; c++) {
        const i16x16 a = t[c] + t[4 + c], b = t[c] - t[4 + c], e = t[8 + c] + t[12 + c], f = t[8 + c] - t[12 + c];
        t[c] = a + e, t[4 + c] = a - e, t[8 + c] = b + f, t[12 + c] = b - f;
    }
    for (int k = 0; k < 16; k++)
        t[k] = WIDE_MORE(t[k], -t[k]);
    for (int r = 0; r < 4; r++)
        total += WIDE_MORE(t[4 * r], t[4 * r + 2]) + WIDE_MORE(t[4 * r + 1], t[4 * r + 3]);
    *sum = total;
}

/* Four rows of two 4x4 blocks, side by side, to columns. */
WIDE_INLINE wide_turn(i32x8 *x) {
    const i32x8 a = WIDE_SHUFFLE(x[0], x[1], 0, 8, 1, 9, 4, 12, 5, 13),
                b = WIDE_SHUFFLE(x[0], x[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const i32x8 c = WIDE_SHUFFLE(x[2], x[3], 0, 8, 1, 9, 4, 12, 5, 13),
                d = WIDE_SHUFFLE(x[2], x[3], 2, 10, 3, 11, 6, 14, 7, 15);
    x[0] = WIDE_SHUFFLE(a, c, 0, 1, 8, 9, 4, 5, 12, 13), x[1] = WIDE_SHUFFLE(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    x[2] = WIDE_SHUFFLE(b, d, 0, 1, 8, 9, 4, 5, 12, 13), x[3] = WIDE_SHUFFLE(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

WIDE_INLINE wide_forward_columns(i32x8 *x) {
    const i32x8 a = x[0] + x[3], e = x[1] + x[2], f = x[1] - x[2], g = x[0] - x[3];
    x[0] = a + e, x[1] = 2 * g + f, x[2] = a - e, x[3] = g - 2 * f;
}

WIDE_INLINE wide_inverse_columns(i32x8 *x) {
    const i32x8 h = x[0] + x[2], i = x[0] - x[2], j = (x[1] >> 1) - x[3], m = x[1] + (x[3] >> 1);
    x[0] = h + m, x[1] = i + j, x[2] = i - j, x[3] = h - m;
}

/* The pixels of two blocks as rows of numbers. */
WIDE_INLINE wide_rows(const uint8_t *a, const uint8_t *b, i32x8 *x) {
    u8x16 p, q;
    memcpy(&p, a, 16);
    memcpy(&q, b, 16);
    x[0] = WIDE_CONVERT(WIDE_SHUFFLE(p, q, 0, 1, 2, 3, 16, 17, 18, 19), i32x8);
    x[1] = WIDE_CONVERT(WIDE_SHUFFLE(p, q, 4, 5, 6, 7, 20, 21, 22, 23), i32x8);
    x[2] = WIDE_CONVERT(WIDE_SHUFFLE(p, q, 8, 9, 10, 11, 24, 25, 26, 27), i32x8);
    x[3] = WIDE_CONVERT(WIDE_SHUFFLE(p, q, 12, 13, 14, 15, 28, 29, 30, 31), i32x8);
}

/* The forward transform of two blocks' differences; y[column] has the rows of both. */
WIDE_INLINE wide_forward(const uint8_t *const source[2], const uint8_t *const predicted[2], i32x8 *y) {
    i32x8 p[4];
    wide_rows(source[0], source[1], y);
    wide_rows(predicted[0], predicted[1], p);
    for (int r = 0; r < 4; r++)
        y[r] -= p[r];
    wide_forward_columns(y);
    wide_turn(y);
    wide_forward_columns(y);
}

/* Levels of coefficients, and what the levels stand for. */
WIDE_INLINE wide_quantise(const struct quantiser *q, const i32x8 *y, i32x8 *level, i32x8 *value) {
    for (int c = 0; c < 4; c++) {
        const int32_t a = q->scale[c & 1 ? 2 : 0], b = q->scale[c & 1 ? 1 : 2];
        const int32_t d = q->unscale[c & 1 ? 2 : 0], e = q->unscale[c & 1 ? 1 : 2];
        const i32x8 scale = {a, b, a, b, a, b, a, b}, unscale = {d, e, d, e, d, e, d, e}, sign = y[c] >> 31;
        const i32x8 most = {LEVEL_MOST, LEVEL_MOST, LEVEL_MOST, LEVEL_MOST,
                            LEVEL_MOST, LEVEL_MOST, LEVEL_MOST, LEVEL_MOST};
        const i32x8 all = (((y[c] ^ sign) - sign) * scale + q->bias) >> q->shift, size = WIDE_LESS(all, most);
        level[c] = (size ^ sign) - sign;
        value[c] = level[c] * unscale;
    }
}

static inline __attribute__((always_inline, unused)) int wide_any(const i32x8 *x) {
    const i64x4 all = (i64x4)(x[0] | x[1] | x[2] | x[3]);
    return (all[0] | all[1] | all[2] | all[3]) != 0;
}

/* One block's levels in scan order, and the mask of those that are not zero. */
WIDE_INLINE wide_scan(const i16x8 *low, const i16x8 *high, int16_t *out, uint16_t *mask) {
    const i16x16 bits = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, INT16_MIN};
    const i16x16 level = WIDE_SHUFFLE(*low, *high, 0, 4, 1, 2, 5, 8, 12, 9, 6, 3, 7, 10, 13, 14, 11, 15);
    const i64x4 present = (i64x4)((level != 0) & bits);
    uint64_t word = (uint64_t)(present[0] | present[1] | present[2] | present[3]);
    word |= word >> 32;
    memcpy(out, &level, sizeof level);
    *mask = (uint16_t)(word | word >> 16);
}

WIDE_INLINE wide_scan_both(const i32x8 *level, int16_t *const out[2], uint16_t *const mask[2]) {
    const i16x8 a = WIDE_CONVERT(level[0], i16x8), b = WIDE_CONVERT(level[1], i16x8);
    const i16x8 c = WIDE_CONVERT(level[2], i16x8), d = WIDE_CONVERT(level[3], i16x8);
    const i16x8 low0 = WIDE_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11),
                high0 = WIDE_SHUFFLE(c, d, 0, 1, 2, 3, 8, 9, 10, 11);
    const i16x8 low1 = WIDE_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15),
                high1 = WIDE_SHUFFLE(c, d, 4, 5, 6, 7, 12, 13, 14, 15);
    wide_scan(&low0, &high0, out[0], mask[0]);
    wide_scan(&low1, &high1, out[1], mask[1]);
}

/* The inverse transform of values[column], added to the prediction; rows of four pixels to both places. */
WIDE_INLINE wide_inverse(const i32x8 *value, const uint8_t *const predicted[2], uint8_t *const out[2], size_t stride) {
    const i32x8 zero = {0}, white = zero + 255;
    i32x8 x[4], p[4];
    memcpy(x, value, sizeof x);
    wide_inverse_columns(x);
    for (int c = 0; c < 4; c++)
        x[c] = (i32x8)((u32x8)x[c] << 16) >> 16; /* the serial form keeps 16 bits here */
    wide_turn(x);
    wide_inverse_columns(x);
    wide_rows(predicted[0], predicted[1], p);
    for (int r = 0; r < 4; r++) {
        const i32x8 v = p[r] + ((x[r] + 32) >> 6), floor = WIDE_MORE(v, zero), pixel = WIDE_LESS(floor, white);
        const u8x8 bytes = WIDE_CONVERT(pixel, u8x8);
        memcpy(out[0] + (size_t)r * stride, &bytes, 4);
        memcpy(out[1] + (size_t)r * stride, (const uint8_t *)&bytes + 4, 4);
    }
}

WIDE_INLINE wide_copy_block(const uint8_t *block, uint8_t *out, size_t stride) {
    for (int r = 0; r < 4; r++)
        memcpy(out + (size_t)r * stride, block + 4 * r, 4);
}

#endif
