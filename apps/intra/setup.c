/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that depend on the quantisation parameter, and the patterns of 4x4 prediction. */
#include "coding.h"

#include <math.h>
#include <string.h>

/* The last over/under of a step round up. */
static void set_quantiser(struct quantiser *q, int qp, int over, int under) {
    static const int16_t scale[6][3] = {{13107, 5243, 8066}, {11916, 4660, 7490}, {10082, 4194, 6554},
                                        {9362, 3647, 5825},  {8192, 3355, 5243},  {7282, 2893, 4559}};
    static const int16_t unscale[6][3] = {{10, 16, 13}, {11, 18, 14}, {13, 20, 16},
                                          {14, 23, 18}, {16, 25, 20}, {18, 29, 23}};
    for (int k = 0; k < 3; k++) {
        q->scale[k] = scale[qp % 6][k];
        q->unscale[k] = unscale[qp % 6][k] << qp / 6;
    }
    q->shift = 15 + qp / 6;
    q->bias = (1 << q->shift) / under * over;
}

/* Values made of the neighbours: themselves, means of k and k + 1, and 1 2 1 around k. */
static uint8_t raw(int k) { return (uint8_t)k; }

static uint8_t mean2(int k) { return (uint8_t)(FILTERED_2 + k); }

static uint8_t mean4(int k) { return (uint8_t)(FILTERED_4 + k); }

static void set_rows(struct intra_setup *s, int mode, int r0, int r1, int r2, int r3) {
    const int row[4] = {r0, r1, r2, r3};
    for (int r = 0; r < 4; r++)
        s->pattern_row[mode][r] = (uint8_t)row[r];
}

static void set_patterns(struct intra_setup *s) {
    uint8_t *p = s->pattern;
    int n = 0;
    for (int k = 0; k < 4; k++)
        p[n++] = raw(N_T0 + k);
    set_rows(s, 0, 0, 0, 0, 0);              /* vertical */
    set_rows(s, 1, n, n + 4, n + 8, n + 12); /* horizontal */
    for (int k = 0; k < 16; k++)
        p[n++] = raw(N_L0 - k / 4);
    set_rows(s, 2, n, n, n, n); /* DC */
    for (int k = 0; k < 4; k++)
        p[n++] = raw(N_DC);
    const int down_left = n;
    set_rows(s, 3, n, n + 1, n + 2, n + 3);
    for (int k = 0; k < 7; k++)
        p[n++] = mean4(N_T0 + 1 + k);
    const int down_right = n;
    set_rows(s, 4, n + 3, n + 2, n + 1, n);
    for (int k = 0; k < 7; k++)
        p[n++] = mean4(N_L2 + k);
    const int odd = n; /* vertical right, last row */
    p[n++] = mean4(N_L1);
    for (int k = 0; k < 3; k++)
        p[n++] = mean4(N_X + k);
    set_rows(s, 5, n + 1, down_right + 3, n, odd);
    p[n++] = mean4(N_L0);
    for (int k = 0; k < 4; k++)
        p[n++] = mean2(N_X + k);
    set_rows(s, 6, n + 6, n + 4, n + 2, n); /* horizontal down */
    for (int k = 0; k < 4; k++) {
        p[n++] = mean2(N_L3 + k);
        p[n++] = mean4(N_L2 + k);
    }
    p[n++] = mean4(N_T0);
    p[n++] = mean4(N_T0 + 1);
    set_rows(s, 7, n, down_left, n + 1, down_left + 1); /* vertical left */
    for (int k = 0; k < 5; k++)
        p[n++] = mean2(N_T0 + k);
    set_rows(s, 8, n, n + 2, n + 4, n + 6); /* horizontal up */
    for (int k = 0; k < 3; k++) {
        p[n++] = mean2(N_L1 - k);
        p[n++] = mean4(N_L1 - k);
    }
    for (int k = 0; k < 4; k++)
        p[n++] = raw(N_L3);
}

static int host_is_wide(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vbmi"))
        return WIDE_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return WIDE_AVX2;
#endif
    return WIDE_NONE;
}

void intra_prepare(struct intra_setup *s, int width, int height, int qp, int slices) {
    /* chroma QP for luma QP 30 to 51 */
    static const int8_t chroma_qp[22] = {29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36,
                                         36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39};
    memset(s, 0, sizeof *s);
    s->width = width;
    s->height = height;
    s->mb_width = (width + 15) / 16;
    s->mb_height = (height + 15) / 16;
    s->slices = slices;
    s->qp = qp;
    s->wide = host_is_wide();
    /* bits weigh 2^((QP - 12) / 6) against half a sum of transformed differences */
    s->lambda = qp < 12 ? 1 : (int)lround(exp2((qp - 12) / 6.0));
    set_quantiser(&s->luma, qp, 1, 3);
    /* 1/3, as for luma, loses 0.2 dB of chroma for half a percent of the bytes */
    set_quantiser(&s->chroma, qp < 30 ? qp : chroma_qp[qp - 30], 9, 25);
    set_patterns(s);
}
