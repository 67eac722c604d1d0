/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels and modes of intra prediction, one at a time. */
#ifndef INTRA_PREDICT_H
#define INTRA_PREDICT_H

#include "worker.h"

/* ---- 16x16 luma and 8x8 chroma */

static inline int mean16(const int16_t *sum, struct around has) {
    const int above = sum[0] + sum[1], left = sum[2] + sum[3];
    if (has.above && has.left)
        return (above + left + 16) >> 5;
    return has.above ? (above + 8) >> 4 : has.left ? (left + 8) >> 4 : 128;
}

/* Chroma DC of one of the four blocks: off the diagonal one side is preferred. */
static inline int mean_chroma(const int16_t *sum, int block, struct around has) {
    const int column = block & 1, row = block >> 1;
    const int above = sum[column], left = sum[2 + row];
    if (has.above && has.left && column == row)
        return (above + left + 4) >> 3;
    if (has.above && (column >= row || !has.left))
        return (above + 2) >> 2;
    return has.left ? (left + 2) >> 2 : 128;
}

/* Row r of block b (numbered as everywhere) under a mode. */
static inline void predict_large(const struct scratch *w, int b, int mode, int r, int *out) {
    const int plane = block_plane(b);
    const int16_t *across = w->across[plane][mode] + (plane ? b & 1 : b & 3) * 4;
    const int flat = plane && mode == MODE_DC ? w->flat[plane - 1][b & 3] : 0;
    const int down = w->down[plane][mode][(plane ? (b >> 1 & 1) : b >> 2) * 4 + r] + flat;
    for (int c = 0; c < 4; c++)
        out[c] = clip_pixel((across[c] + down) >> 5);
}

/* ---- 4x4 */

/* A decoded luma pixel inside the macroblock or around it. */
static inline int decoded_pixel(const struct scratch *w, int row, int column) {
    if (row < 0)
        return w->edges[0].top[EDGE_TOP + column];
    if (column < 0)
        return w->edges[0].left[row];
    return w->recon[(row & 12) + (column >> 2)][(row & 3) * 4 + (column & 3)];
}

/* Whether the block above right is decoded earlier; of those in row 0 the last has it outside. */
static inline int has_above_right(int b, struct around has) {
    return b == 3 ? has.above_right : b < 3 ? has.above : 0x5750 >> b & 1;
}

/* DC of a 4x4 block from its neighbours. */
static inline int mean_small(const uint8_t *n, int left, int above) {
    const int sum_left = n[N_L3] + n[N_L2] + n[N_L1] + n[N_L0];
    const int sum_above = n[N_T0] + n[N_T0 + 1] + n[N_T0 + 2] + n[N_T0 + 3];
    if (left && above)
        return (sum_left + sum_above + 4) >> 3;
    return left ? (sum_left + 2) >> 2 : above ? (sum_above + 2) >> 2 : 128;
}

/* Modes by what they need: left only, above only, all around. */
static inline int mode4_possible(int mode, int left, int above, int corner) {
    return 0x104 >> mode & 1 ? mode == 2 || left : 0x89 >> mode & 1 ? above : mode == 1 ? left : corner;
}

/* The mode that costs one bit: the lesser of those left and above. */
static inline int likely_mode(const struct scratch *w, int b) {
    const int left = b & 3 ? w->out.record.mode[b - 1] : w->mode_left[b >> 2];
    const int above = b > 3 ? w->out.record.mode[b - 4] : w->mode_above[b & 3];
    return left < 0 || above < 0 ? 2 : left < above ? left : above;
}

#endif
