/* SPDX-License-Identifier: Apache-2.0 */
/* Transforms, quantisation and their inverses; four lanes work on a block, each on a row or column. */
#ifndef INTRA_TRANSFORM_H
#define INTRA_TRANSFORM_H

#include "worker.h"

/* Half the sum of absolute values of the 4x4 Hadamard transform. The last butterflies are left
 * out: |a + b| + |a - b| = 2 max(|a|, |b|). */
static inline int transformed_difference(const int *d) {
    int t[16], sum = 0;
    for (int r = 0; r < 4; r++) {
        const int *p = d + 4 * r;
        t[4 * r] = p[0] + p[1], t[4 * r + 1] = p[0] - p[1];
        t[4 * r + 2] = p[2] + p[3], t[4 * r + 3] = p[2] - p[3];
    }
    for (int c = 0; c < 4; c++) {
        int a = t[c] + t[4 + c], b = t[c] - t[4 + c], e = t[8 + c] + t[12 + c], f = t[8 + c] - t[12 + c];
        t[c] = a + e, t[4 + c] = a - e, t[8 + c] = b + f, t[12 + c] = b - f;
    }
    for (int r = 0; r < 4; r++)
        sum += larger(magnitude(t[4 * r]), magnitude(t[4 * r + 2])) +
               larger(magnitude(t[4 * r + 1]), magnitude(t[4 * r + 3]));
    return sum;
}

/* One column of the forward transform of the difference. */
static inline void transform_column(struct scratch *w, int b, int c) {
    const uint8_t *s = w->source[b] + c, *p = w->predicted[b] + c;
    int16_t *out = w->coefficient[b] + c;
    const int d0 = s[0] - p[0], d1 = s[4] - p[4], d2 = s[8] - p[8], d3 = s[12] - p[12];
    const int a = d0 + d3, e = d1 + d2, f = d1 - d2, g = d0 - d3;
    out[0] = (int16_t)(a + e);
    out[4] = (int16_t)(2 * g + f);
    out[8] = (int16_t)(a - e);
    out[12] = (int16_t)(g - 2 * f);
}

static inline int quantise(int value, int scale, int bias, int shift) {
    int level = (int)(((uint32_t)magnitude(value) * (uint32_t)scale + (uint32_t)bias) >> shift);
    level = level > LEVEL_MOST ? LEVEL_MOST : level;
    return value < 0 ? -level : level;
}

/* The rows of the forward transform, in place. */
static inline void transform_row(struct scratch *w, int b, int r) {
    int16_t *row = w->coefficient[b] + 4 * r;
    const int a = row[0] + row[3], e = row[1] + row[2], f = row[1] - row[2], g = row[0] - row[3];
    row[0] = (int16_t)(a + e), row[1] = (int16_t)(2 * g + f);
    row[2] = (int16_t)(a - e), row[3] = (int16_t)(g - 2 * f);
}

/* A row's levels into the record, then the rows of the inverse transform. With dc_apart the DC
 * coefficient is taken as it comes back from its own transform. */
static inline void quantise_row(struct scratch *w, const struct quantiser *q, int b, int r, int dc_apart) {
    int16_t *row = w->coefficient[b] + 4 * r;
    int c[4];
    unsigned mask = 0;
    for (int k = 0; k < 4; k++) {
        const int class = r & 1 ? (k & 1 ? 1 : 2) : (k & 1 ? 2 : 0);
        const int position = scan_position(4 * r + k);
        if (dc_apart && position == 0) {
            c[0] = w->dc[b];
            continue;
        }
        const int level = quantise(row[k], q->scale[class], q->bias, q->shift);
        w->out.record.level[b][position] = (int16_t)level;
        mask |= (unsigned)(level != 0) << position;
        c[k] = level * q->unscale[class];
    }
    w->row_mask[b][r] = (uint16_t)mask;
    const int h = c[0] + c[2], i = c[0] - c[2], j = (c[1] >> 1) - c[3], m = c[1] + (c[3] >> 1);
    row[0] = (int16_t)(h + m), row[1] = (int16_t)(i + j), row[2] = (int16_t)(i - j), row[3] = (int16_t)(h - m);
}

static inline void reconstruct_column(struct scratch *w, int b, int c) {
    const int16_t *in = w->coefficient[b] + c;
    const uint8_t *p = w->predicted[b] + c;
    uint8_t *out = w->recon[b] + c;
    const int h = in[0] + in[8], i = in[0] - in[8], j = (in[4] >> 1) - in[12], m = in[4] + (in[12] >> 1);
    out[0] = (uint8_t)clip_pixel(p[0] + ((h + m + 32) >> 6));
    out[4] = (uint8_t)clip_pixel(p[4] + ((i + j + 32) >> 6));
    out[8] = (uint8_t)clip_pixel(p[8] + ((i - j + 32) >> 6));
    out[12] = (uint8_t)clip_pixel(p[12] + ((h - m + 32) >> 6));
}

static inline void hadamard4(int32_t *v, int step) {
    const int a = v[0] + v[3 * step], e = v[step] + v[2 * step], f = v[step] - v[2 * step], g = v[0] - v[3 * step];
    v[0] = a + e, v[step] = g + f, v[2 * step] = a - e, v[3 * step] = g - f;
}

static inline int quantise_dc(const struct quantiser *q, int value) {
    return quantise(value, q->scale[0], 2 * q->bias, q->shift + 1);
}

/* The four DC coefficients of a chroma plane, there and back. */
static inline void chroma_dc(struct scratch *w, const struct quantiser *q, int plane) {
    const int first = LUMA_BLOCKS + 4 * plane;
    int v[4], mask = 0;
    for (int k = 0; k < 4; k++)
        v[k] = w->coefficient[first + k][0];
    const int a = v[0] + v[1], e = v[0] - v[1], f = v[2] + v[3], g = v[2] - v[3];
    v[0] = quantise_dc(q, a + f), v[1] = quantise_dc(q, e + g);
    v[2] = quantise_dc(q, a - f), v[3] = quantise_dc(q, e - g);
    for (int k = 0; k < 4; k++) {
        w->out.record.level[first + k][0] = (int16_t)v[k];
        mask |= (v[k] != 0) << k;
    }
    w->out.record.chroma_dc_mask[plane] = (uint8_t)mask;
    const int h = v[0] + v[1], i = v[0] - v[1], j = v[2] + v[3], m = v[2] - v[3];
    w->dc[first] = (h + j) * q->unscale[0] >> 1;
    w->dc[first + 1] = (i + m) * q->unscale[0] >> 1;
    w->dc[first + 2] = (h - j) * q->unscale[0] >> 1;
    w->dc[first + 3] = (i - m) * q->unscale[0] >> 1;
}

/* Squared error of a block's visible pixels. */
static inline uint32_t block_error(const struct intra_setup *s, const struct scratch *w, int y, int x, int b) {
    const int plane = block_plane(b), size = plane ? 8 : 16;
    const int row = y * size + (plane ? (b >> 1 & 1) : b >> 2) * 4;
    const int column = x * size + (plane ? b & 1 : b & 3) * 4;
    const int height = plane ? s->height / 2 : s->height, width = plane ? s->width / 2 : s->width;
    uint32_t sum = 0;
    for (int k = 0; k < 16; k++) {
        const int d = w->source[b][k] - w->recon[b][k];
        sum += row + (k >> 2) < height && column + (k & 3) < width ? (uint32_t)(d * d) : 0;
    }
    return sum;
}

#endif
