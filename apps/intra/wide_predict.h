/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of predictions, 16 at once, on a host: of the 16 blocks of luma, of the 8 chroma blocks under two modes each,
 * and of the modes of one 4x4 block. */
#ifndef INTRA_WIDE_PREDICT_H
#define INTRA_WIDE_PREDICT_H

#include "predict.h"
#include "wide_block.h"

/* ---- blocks on lanes */

/* Pixels by place, blocks on lanes, of 16 blocks (perfect shuffles). */
WIDE_INLINE wide_gather(const uint8_t (*block)[16], i16x16 *pixel) {
    u8x16 a[16], b[16];
    memcpy(a, block, sizeof a);
    for (int round = 0; round < 4; round++) {
        for (int k = 0; k < 8; k++) {
            b[2 * k] = WIDE_SHUFFLE(a[k], a[k + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            b[2 * k + 1] = WIDE_SHUFFLE(a[k], a[k + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        }
        memcpy(a, b, sizeof a);
    }
    for (int k = 0; k < 16; k++)
        pixel[k] = WIDE_CONVERT(a[k], i16x16);
}

static inline int wide_total(const i16x16 *sum, int first, int count) {
    int total = 0;
    for (int k = first; k < first + count; k++)
        total += (*sum)[k];
    return total;
}

/* Costs of the four modes of the 16x16 block. */
WIDE_INLINE wide_cost_luma(const struct scratch *w, struct around has, int *cost) {
    const i16x16 zero = {0}, white = zero + 255, dc = zero + (int16_t)mean16(w->sum[0], has);
    const i16x16 column = {-7, -3, 1, 5, -7, -3, 1, 5, -7, -3, 1, 5, -7, -3, 1, 5};
    const i16x16 row = {-7, -7, -7, -7, -3, -3, -3, -3, 1, 1, 1, 1, 5, 5, 5, 5};
    const i16x16 plane = zero + (int16_t)(16 * (w->edges[0].left[15] + w->edges[0].top[EDGE_TOP + 15]) + 16);
    u8x16 t, l;
    i16x16 s[16], top[4], left[4], d[MODES_16][16], sum;
    wide_gather(w->source, s);
    memcpy(&t, w->edges[0].top + EDGE_TOP, 16);
    memcpy(&l, w->edges[0].left, 16);
#define COLUMN(c)                                                                                                      \
    WIDE_CONVERT(WIDE_SHUFFLE(t, t, c, c + 4, c + 8, c + 12, c, c + 4, c + 8, c + 12, c, c + 4, c + 8, c + 12, c,      \
                              c + 4, c + 8, c + 12),                                                                   \
                 i16x16)
#define ROW(r)                                                                                                         \
    WIDE_CONVERT(WIDE_SHUFFLE(l, l, r, r, r, r, r + 4, r + 4, r + 4, r + 4, r + 8, r + 8, r + 8, r + 8, r + 12,        \
                              r + 12, r + 12, r + 12),                                                                 \
                 i16x16)
    top[0] = COLUMN(0), top[1] = COLUMN(1), top[2] = COLUMN(2), top[3] = COLUMN(3);
    left[0] = ROW(0), left[1] = ROW(1), left[2] = ROW(2), left[3] = ROW(3);
#undef COLUMN
#undef ROW
    for (int k = 0; k < 16; k++) {
        const int16_t r = (int16_t)(k >> 2), c = (int16_t)(k & 3);
        const i16x16 v = (plane + (column + c) * w->slope[0][0] + (row + r) * w->slope[0][1]) >> 5,
                     floor = WIDE_MORE(v, zero);
        d[MODE_VERTICAL][k] = s[k] - top[c];
        d[MODE_HORIZONTAL][k] = s[k] - left[r];
        d[MODE_DC][k] = s[k] - dc;
        d[MODE_PLANE][k] = s[k] - WIDE_LESS(floor, white);
    }
    for (int mode = 0; mode < MODES_16; mode++) {
        wide_cost(d[mode], &sum);
        cost[mode] = wide_total(&sum, 0, 16);
    }
}

/* The same of both chroma planes together: lanes 0 to 7 have the blocks under one mode, 8 to 15 under another. */
WIDE_INLINE wide_cost_chroma(const struct scratch *w, struct around has, int *cost) {
    const i16x16 zero = {0}, white = zero + 255;
    const i16x16 column = {0, 0, 0, 0, 0, 0, 0, 0, -3, 1, -3, 1, -3, 1, -3, 1},
                 row = {0, 0, 0, 0, 0, 0, 0, 0, -3, -3, 1, 1, -3, -3, 1, 1};
    const i16x16 second = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};
    uint8_t blocks[16][16];
    u8x16 t, l;
    i16x16 s[16], d[16], p[16], sum, flat, across, down;
    memcpy(blocks, w->source[LUMA_BLOCKS], sizeof blocks / 2);
    memcpy(blocks + 8, w->source[LUMA_BLOCKS], sizeof blocks / 2);
    wide_gather((const uint8_t(*)[16])blocks, s);
    memcpy(&t, w->edges[1].top + EDGE_TOP, 8);
    memcpy((uint8_t *)&t + 8, w->edges[2].top + EDGE_TOP, 8);
    memcpy(&l, w->edges[1].left, 8);
    memcpy((uint8_t *)&l + 8, w->edges[2].left, 8);
#define PLACE(r, c)                                                                                                    \
    p[4 * r + c] = WIDE_CONVERT(WIDE_SHUFFLE(t, l, c, c + 4, c, c + 4, c + 8, c + 12, c + 8, c + 12, r + 16, r + 16,   \
                                             r + 20, r + 20, r + 24, r + 24, r + 28, r + 28),                          \
                                i16x16)
    PLACE(0, 0), PLACE(0, 1), PLACE(0, 2), PLACE(0, 3), PLACE(1, 0), PLACE(1, 1), PLACE(1, 2), PLACE(1, 3);
    PLACE(2, 0), PLACE(2, 1), PLACE(2, 2), PLACE(2, 3), PLACE(3, 0), PLACE(3, 1), PLACE(3, 2), PLACE(3, 3);
#undef PLACE
    for (int k = 0; k < 16; k++)
        d[k] = s[k] - p[k];
    wide_cost(d, &sum);
    cost[MODE_VERTICAL] = wide_total(&sum, 0, 8);
    cost[MODE_HORIZONTAL] = wide_total(&sum, 8, 8);
    for (int b = 0; b < 8; b++) {
        const int plane = 1 + (b >> 2);
        const struct edges *e = &w->edges[plane];
        flat[b] = (int16_t)(32 * mean_chroma(w->sum[plane], b & 3, has));
        flat[b + 8] = (int16_t)(16 * (e->left[7] + e->top[EDGE_TOP + 7]) + 16);
        across[b] = across[b + 8] = w->slope[plane][0];
        down[b] = down[b + 8] = w->slope[plane][1];
    }
    across &= second, down &= second;
    for (int k = 0; k < 16; k++) {
        const i16x16 v = (flat + (column + (int16_t)(k & 3)) * across + (row + (int16_t)(k >> 2)) * down) >> 5,
                     floor = WIDE_MORE(v, zero);
        d[k] = s[k] - WIDE_LESS(floor, white);
    }
    wide_cost(d, &sum);
    cost[MODE_DC] = wide_total(&sum, 0, 8);
    cost[MODE_PLANE] = wide_total(&sum, 8, 8);
}

/* ---- modes of a 4x4 block on lanes */

/* Which of raw neighbours, FILTERED_2 and FILTERED_4 values (as in setup.c) mode m has at row r and column c. */
#define WIDE_F2(k) (FILTERED_2 + (k))
#define WIDE_F4(k) (FILTERED_4 + (k))
#define WIDE_MODE5(r, c)                                                                                               \
    ((r) == 0   ? WIDE_F2(N_X + (c))                                                                                   \
     : (r) == 1 ? WIDE_F4(N_X + (c))                                                                                   \
     : (c) == 0 ? WIDE_F4((r) == 2 ? N_L0 : N_L1)                                                                      \
     : (r) == 2 ? WIDE_F2(N_X + (c) - 1)                                                                               \
                : WIDE_F4(N_X + (c) - 1))
#define WIDE_MODE6(j) ((j) > 7 ? WIDE_F4(N_T0 + (j) - 8) : (j) & 1 ? WIDE_F4(N_L2 + (j) / 2) : WIDE_F2(N_L3 + (j) / 2))
#define WIDE_MODE7(r, c) ((r) & 1 ? WIDE_F4(N_T0 + 1 + (r) / 2 + (c)) : WIDE_F2(N_T0 + (r) / 2 + (c)))
#define WIDE_MODE8(j) ((j) > 5 ? N_L3 : (j) & 1 ? WIDE_F4(N_L1 - (j) / 2) : WIDE_F2(N_L1 - (j) / 2))
#define WIDE_VALUE(m, r, c)                                                                                            \
    ((m) == 0   ? N_T0 + (c)                                                                                           \
     : (m) == 1 ? N_L0 - (r)                                                                                           \
     : (m) == 2 ? N_DC                                                                                                 \
     : (m) == 3 ? WIDE_F4(N_T0 + 1 + (r) + (c))                                                                        \
     : (m) == 4 ? WIDE_F4(N_X + (c) - (r))                                                                             \
     : (m) == 5 ? WIDE_MODE5(r, c)                                                                                     \
     : (m) == 6 ? WIDE_MODE6(6 - 2 * (r) + (c))                                                                        \
     : (m) == 7 ? WIDE_MODE7(r, c)                                                                                     \
                : WIDE_MODE8(2 * (r) + (c)))
/* First from the raw values and FILTERED_2, then FILTERED_4 over it. */
#define WIDE_FIRST(m, r, c) (WIDE_VALUE(m, r, c) < FILTERED_4 ? WIDE_VALUE(m, r, c) : 0)
#define WIDE_THEN(m, r, c) (WIDE_VALUE(m, r, c) < FILTERED_4 ? (m) : WIDE_VALUE(m, r, c) - FILTERED_4 + 16)
#define WIDE_LANES(X, r, c)                                                                                            \
    X(0, r, c), X(1, r, c), X(2, r, c), X(3, r, c), X(4, r, c), X(5, r, c), X(6, r, c), X(7, r, c), X(8, r, c), 9, 10, \
        11, 12, 13, 14, 15
#define WIDE_PIXEL(r, c)                                                                                               \
    pixel[4 * (r) + (c)] =                                                                                             \
        WIDE_SHUFFLE(WIDE_SHUFFLE(raw, means2, WIDE_LANES(WIDE_FIRST, r, c)), means4, WIDE_LANES(WIDE_THEN, r, c))

/* Neighbours of the block whose first pixel is right of and below `around`; see coding.h for their order. */
WIDE_INLINE wide_neighbours(const uint8_t *around, int stride, int above_right, int left, int above, uint8_t *n) {
    for (int k = 0; k < 4; k++)
        n[k] = around[(4 - k) * stride - 1];
    n[N_X] = around[-1];
    memcpy(n + N_T0, around, 8);
    if (!above_right)
        memset(n + N_T0 + 4, n[N_T0 + 3], 4);
    n[N_T7 + 1] = n[N_T7 + 3] = n[N_T7];
    n[N_DC] = (uint8_t)mean_small(n, left, above);
}

struct wide_small {
    int left, above, corner, above_right; /* which neighbours there are */
    int likely, lambda;
};

/* The cheapest mode of a 4x4 block, cost * 16 + mode, and its prediction. */
WIDE_INLINE wide_choose_small(const struct wide_small *b, const uint8_t *around, int stride, const uint8_t *source,
                              uint8_t *predicted, int *chosen) {
    uint8_t n[16], choice[16][16];
    u8x16 pixel[16];
    i16x16 d[16], sum;
    wide_neighbours(around, stride, b->above_right, b->left, b->above, n);
    u8x16 raw;
    memcpy(&raw, n, 16);
    const i16x16 v = WIDE_CONVERT(raw, i16x16);
    const i16x16 before =
        WIDE_CONVERT(WIDE_SHUFFLE(raw, raw, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14), i16x16);
    const i16x16 after =
        WIDE_CONVERT(WIDE_SHUFFLE(raw, raw, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 14, 15, 15), i16x16);
    const u8x16 means2 = WIDE_CONVERT((v + after + 1) >> 1, u8x16),
                means4 = WIDE_CONVERT((before + 2 * v + after + 2) >> 2, u8x16);
    WIDE_PIXEL(0, 0), WIDE_PIXEL(0, 1), WIDE_PIXEL(0, 2), WIDE_PIXEL(0, 3);
    WIDE_PIXEL(1, 0), WIDE_PIXEL(1, 1), WIDE_PIXEL(1, 2), WIDE_PIXEL(1, 3);
    WIDE_PIXEL(2, 0), WIDE_PIXEL(2, 1), WIDE_PIXEL(2, 2), WIDE_PIXEL(2, 3);
    WIDE_PIXEL(3, 0), WIDE_PIXEL(3, 1), WIDE_PIXEL(3, 2), WIDE_PIXEL(3, 3);
    for (int k = 0; k < 16; k++)
        d[k] = (int16_t)source[k] - WIDE_CONVERT(pixel[k], i16x16);
    wide_cost(d, &sum);
    memcpy(choice, pixel, sizeof choice);
    /* cost * 16 + mode on lanes; modes that are not possible cost the most */
    const i32x8 number = {0, 1, 2, 3, 4, 5, 6, 7};
    const i32x8 first = WIDE_CONVERT(WIDE_SHUFFLE(sum, sum, 0, 1, 2, 3, 4, 5, 6, 7), i32x8);
    const i32x8 odd = (number != b->likely) & (3 * b->lambda);
    i32x8 whole = ((first + b->lambda + odd) << 4) + number, turned;
    const int none = COST_NEVER, l = b->left ? 0 : none, a = b->above ? 0 : none, c = b->corner ? 0 : none;
    const i32x8 never = {a, l, 0, a, c, c, c, a};
    whole |= never;
    turned = WIDE_SHUFFLE(whole, whole, 4, 5, 6, 7, 0, 1, 2, 3), whole = WIDE_LESS(whole, turned);
    turned = WIDE_SHUFFLE(whole, whole, 2, 3, 0, 1, 6, 7, 4, 5), whole = WIDE_LESS(whole, turned);
    const int last = ((sum[8] + b->lambda * (b->likely == 8 ? 1 : 4)) * 16 + 8) | l;
    int best = whole[0] < whole[1] ? whole[0] : whole[1];
    best = last < best ? last : best;
    for (int k = 0; k < 16; k++)
        predicted[k] = choice[k][best & 15];
    *chosen = best;
}

#endif
