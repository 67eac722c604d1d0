/* SPDX-License-Identifier: Apache-2.0 */
/* What one worker has while it codes a macroblock, and where things are: pixels, neighbours, frames. */
#ifndef INTRA_WORKER_H
#define INTRA_WORKER_H

#include "coding.h"

enum { COST_NEVER = 1 << 30, LEVEL_MOST = 2063 /* longest escape code of CAVLC in this profile */ };
enum { PLANES = 3, EDGE_TOP = 4 /* where column 0 is in struct edges' top */ };

/* Decoded pixels around a plane's macroblock; 128 where there are none. */
struct edges {
    uint8_t top[EDGE_TOP + 20]; /* the corner at EDGE_TOP - 1, four pixels above right at the end */
    uint8_t left[16];
};

/* One worker's memory. Pixels are in 4x4 blocks of 16. */
struct scratch {
    union {
        struct mb_record record;
        uint32_t words[RECORD_WORDS];
    } out;
    uint8_t source[BLOCKS][16], predicted[BLOCKS][16], recon[BLOCKS][16];
    struct edges edges[PLANES];
    int16_t coefficient[BLOCKS][16];
    uint16_t row_mask[BLOCKS][4];
    int32_t dc[BLOCKS]; /* DC coefficients of blocks that have them apart, there and back */
    uint16_t dc_row_mask[4];
    uint32_t block_error[BLOCKS];
    /* 16x16 and chroma: prediction = (across[column] + down[row] + flat[block]) / 32, clipped */
    int16_t sum[PLANES][4], slope[PLANES][2];
    int16_t across[PLANES][MODES_16][16], down[PLANES][MODES_16][16];
    int16_t flat[2][4];
    int32_t unit_cost[PLANES][MODES_16][16];
    /* 4x4: up to two blocks at a time */
    uint8_t filtered[2][FILTERED]; /* the neighbours themselves first */
    uint8_t pattern[2][PATTERN_SIZE];
    int32_t mode_cost[2][MODES_4];
    int8_t mode_left[4], mode_above[4];
};

/* Which neighbours exist. */
struct around {
    int left, above, above_left, above_right;
};

static inline int clip_pixel(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

static inline int magnitude(int v) { return v < 0 ? -v : v; }

static inline int larger(int a, int b) { return a > b ? a : b; }

/* Position of a coefficient (raster order) in the zigzag scan, a hex digit each. */
static inline int scan_position(int k) { return (int)(UINT64_C(0xfea9db83c7426510) >> 4 * k & 15); }

/* ---- pixels in and out; block b of the macroblock's 24 */

static inline int block_plane(int b) { return b < 16 ? 0 : b < 20 ? 1 : 2; }

/* Offset in a frame of the first pixel of row r of a block, and the row's length of the plane. */
static inline size_t block_offset(const struct intra_setup *s, int y, int x, int b, int r) {
    const size_t luma = (size_t)s->mb_width * (size_t)s->mb_height * 256;
    const size_t stride = (size_t)s->mb_width * 16;
    if (b < 16)
        return (size_t)(16 * y + (b >> 2) * 4 + r) * stride + (size_t)(16 * x + (b & 3) * 4);
    return luma + (b < 20 ? 0 : luma / 4) + (size_t)(8 * y + (b >> 1 & 1) * 4 + r) * (stride / 2) +
           (size_t)(8 * x + (b & 1) * 4);
}

static inline size_t plane_offset(const struct intra_setup *s, int plane, int row, int column) {
    const size_t luma = (size_t)s->mb_width * (size_t)s->mb_height * 256;
    const size_t stride = (size_t)s->mb_width * 16 >> (plane > 0);
    return (plane == 0 ? 0 : plane == 1 ? luma : luma + luma / 4) + (size_t)row * stride + (size_t)column;
}

static inline int starts_slice(const struct intra_setup *s, int y) {
    const int slice = (int)(((int64_t)y * s->slices + s->mb_height - 1) / s->mb_height);
    return slice_first_row(s, slice) == y;
}

#endif
