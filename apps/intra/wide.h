/* SPDX-License-Identifier: Apache-2.0 */
/* A macroblock on a host with wide registers: the same decisions, levels and pixels as nest_macroblock.c, to the bit.
 * Its lanes are blocks where blocks are independent (16x16 and chroma prediction) and modes where they are not (4x4).
 */
#ifndef INTRA_WIDE_H
#define INTRA_WIDE_H

#include "predict.h"
#include "transform.h"
#include "wide_predict.h"

/* Decoded pixels with what is around them: row 0 is above the macroblock, column 15 left of it. */
enum { WIDE_LEFT = 16, LUMA_STRIDE = 48, CHROMA_STRIDE = 32 };
struct wide {
    struct scratch w; /* edges, sums, costs, the record; pixels of `source` only */
    uint8_t luma[17 * LUMA_STRIDE], chroma[2][9 * CHROMA_STRIDE], predicted[BLOCKS][16];
};

static inline uint8_t *wide_place(struct wide *m, int b, size_t *stride) {
    if (b < LUMA_BLOCKS) {
        *stride = LUMA_STRIDE;
        return m->luma + (1 + (b & 12)) * LUMA_STRIDE + WIDE_LEFT + (b & 3) * 4;
    }
    *stride = CHROMA_STRIDE;
    return m->chroma[block_plane(b) - 1] + (1 + (b & 2) * 2) * CHROMA_STRIDE + WIDE_LEFT + (b & 1) * 4;
}

/* ---- in */

WIDE_INLINE wide_load(const struct intra_setup *s, const uint8_t *source, const uint8_t *recon, int y, int x,
                      struct around has, struct wide *m) {
    for (int b = 0; b < BLOCKS; b++) {
        const size_t stride = (size_t)s->mb_width * (b < LUMA_BLOCKS ? 16 : 8), at = block_offset(s, y, x, b, 0);
        for (int r = 0; r < 4; r++)
            memcpy(&m->w.source[b][4 * r], source + at + (size_t)r * stride, 4);
    }
    for (int plane = 0; plane < PLANES; plane++) {
        const int size = plane ? 8 : 16, stride = plane ? CHROMA_STRIDE : LUMA_STRIDE;
        uint8_t *to = plane ? m->chroma[plane - 1] : m->luma;
        const size_t pitch = (size_t)s->mb_width * (size_t)size;
        const uint8_t *from = recon + plane_offset(s, plane, y * size, x * size);
        memset(to + WIDE_LEFT - 1, 128, plane ? 9 : 21);
        if (has.above)
            memcpy(to + WIDE_LEFT, from - pitch, (size_t)size);
        if (has.above_left)
            to[WIDE_LEFT - 1] = *(from - pitch - 1);
        if (!plane && has.above_right)
            memcpy(to + WIDE_LEFT + 16, from - pitch + 16, 4);
        for (int r = 0; r < size; r++)
            to[(r + 1) * stride + WIDE_LEFT - 1] = has.left ? (from + (size_t)r * pitch)[-1] : 128;
        memcpy(m->w.edges[plane].top + EDGE_TOP - 1, to + WIDE_LEFT - 1, plane ? 9 : 21);
        for (int r = 0; r < size; r++)
            m->w.edges[plane].left[r] = to[(r + 1) * stride + WIDE_LEFT - 1];
    }
}

WIDE_INLINE wide_load_modes(const struct intra_setup *s, const struct mb_record *record, struct around has,
                            struct scratch *w) {
    for (int k = 0; k < 4; k++) {
        w->mode_left[k] = has.left ? (int8_t)record[-1].mode[4 * k + 3] : -1;
        w->mode_above[k] = has.above ? (int8_t)record[-s->mb_width].mode[12 + k] : -1;
    }
}

/* ---- 16x16 and chroma */

WIDE_INLINE wide_sums(struct scratch *w) {
    for (int plane = 0; plane < PLANES; plane++) {
        const int half = plane ? 4 : 8;
        const uint8_t *top = w->edges[plane].top + EDGE_TOP, *left = w->edges[plane].left;
        int sum[4] = {0}, across = 0, down = 0;
        for (int k = 0; k < half; k++) {
            sum[0] += top[k], sum[1] += top[half + k], sum[2] += left[k], sum[3] += left[half + k];
            across += (k + 1) * (top[half + k] - top[half - 2 - k]);
            down += (k + 1) * (left[half + k] - (k == half - 1 ? top[-1] : left[half - 2 - k]));
        }
        for (int k = 0; k < 4; k++)
            w->sum[plane][k] = (int16_t)sum[k];
        w->slope[plane][0] = (int16_t)(plane ? (34 * across + 32) >> 6 : (5 * across + 32) >> 6);
        w->slope[plane][1] = (int16_t)(plane ? (34 * down + 32) >> 6 : (5 * down + 32) >> 6);
    }
}

/* The cheapest mode as choose_large() packs it; `bits` has the bits of each mode's number, a hex digit each. */
static inline int wide_choose(const int *cost, struct around has, int lambda, int bits) {
    const int possible[MODES_16] = {has.above, has.left, 1, has.above_left};
    int best = COST_NEVER;
    for (int mode = 0; mode < MODES_16; mode++) {
        const int packed = (cost[mode] + lambda * (bits >> 4 * mode & 15)) * MODES_16 + mode;
        best = possible[mode] && packed < best ? packed : best;
    }
    return best;
}

/* The prediction of blocks first to last - 1 by one mode. */
WIDE_INLINE wide_predict(struct wide *m, int first, int last, int mode, struct around has) {
    for (int b = first; b < last; b++) {
        const int plane = block_plane(b), middle = plane ? 3 : 7, end = plane ? 7 : 15;
        const uint8_t *top = m->w.edges[plane].top + EDGE_TOP, *left = m->w.edges[plane].left;
        const int row = (plane ? b >> 1 & 1 : b >> 2) * 4, column = (plane ? b & 1 : b & 3) * 4;
        const int flat = plane ? mean_chroma(m->w.sum[plane], b & 3, has) : mean16(m->w.sum[0], has);
        const int level = 16 * (left[end] + top[end]) + 16;
        uint8_t plain[16];
        for (int k = 0; k < 16; k++) {
            const int r = row + (k >> 2), c = column + (k & 3);
            const int slope = level + m->w.slope[plane][0] * (c - middle) + m->w.slope[plane][1] * (r - middle);
            plain[k] = (uint8_t)clip_pixel(slope >> 5);
        }
        for (int r = 0; r < 4; r++) {
            uint8_t *to = m->predicted[b] + 4 * r;
            if (mode == MODE_VERTICAL)
                memcpy(to, top + column, 4);
            else if (mode == MODE_PLANE)
                memcpy(to, plain + 4 * r, 4);
            else
                memset(to, mode == MODE_DC ? flat : left[row + r], 4);
        }
    }
}

/* ---- levels and pixels */

WIDE_INLINE wide_code_small(const struct intra_setup *s, struct wide *m, int first, int second) {
    struct mb_record *record = &m->w.out.record;
    const uint8_t *const source[2] = {m->w.source[first], m->w.source[second]};
    const uint8_t *const predicted[2] = {m->predicted[first], m->predicted[second]};
    int16_t *const levels[2] = {record->level[first], record->level[second]};
    uint16_t *const masks[2] = {&record->mask[first], &record->mask[second]};
    size_t stride;
    uint8_t *const out[2] = {wide_place(m, first, &stride), wide_place(m, second, &stride)};
    i32x8 y[4], level[4], value[4];
    wide_forward(source, predicted, y);
    wide_quantise(&s->luma, y, level, value);
    wide_scan_both(level, levels, masks);
    if (wide_any(level)) {
        wide_inverse(value, predicted, out, stride);
    } else {
        wide_copy_block(predicted[0], out[0], stride);
        wide_copy_block(predicted[1], out[1], stride);
    }
}

/* The second transform of the 16 luma DCs, there and back. */
WIDE_INLINE wide_luma_dc(const struct quantiser *q, struct scratch *w) {
    unsigned mask = 0;
    for (int k = 0; k < 4; k++)
        hadamard4(w->dc + 4 * k, 1);
    for (int l = 0; l < 4; l++) {
        hadamard4(w->dc + l, 4);
        for (int k = 0; k < 4; k++) {
            const int position = scan_position(4 * k + l), level = quantise_dc(q, (w->dc[4 * k + l] + 1) >> 1);
            w->out.record.level[position][0] = (int16_t)level;
            mask |= (unsigned)(level != 0) << position;
            w->dc[4 * k + l] = level;
        }
        hadamard4(w->dc + l, 4);
    }
    w->out.record.dc_mask = (uint16_t)mask;
    for (int l = 0; l < 4; l++) {
        hadamard4(w->dc + 4 * l, 1);
        for (int k = 0; k < 4; k++)
            w->dc[4 * l + k] = (w->dc[4 * l + k] * q->unscale[0] + 2) >> 2;
    }
}

/* Two blocks whose DC comes apart: levels, then pixels. The DC levels are in the record already. */
WIDE_INLINE wide_code_pair(const struct quantiser *q, struct wide *m, int b, const i32x8 *y) {
    struct mb_record *record = &m->w.out.record;
    const uint8_t *const predicted[2] = {m->predicted[b], m->predicted[b + 1]};
    int16_t *const levels[2] = {record->level[b], record->level[b + 1]};
    uint16_t *const masks[2] = {&record->mask[b], &record->mask[b + 1]};
    const int16_t dc_level[2] = {*levels[0], *levels[1]};
    const i32x8 no_dc = {0, -1, -1, -1, 0, -1, -1, -1}, dc = {m->w.dc[b], 0, 0, 0, m->w.dc[b + 1], 0, 0, 0};
    size_t stride;
    uint8_t *const out[2] = {wide_place(m, b, &stride), wide_place(m, b + 1, &stride)};
    i32x8 level[4], value[4];
    wide_quantise(q, y, level, value);
    level[0] &= no_dc;
    value[0] = (value[0] & no_dc) | dc;
    wide_scan_both(level, levels, masks);
    *levels[0] = dc_level[0], *levels[1] = dc_level[1];
    if (wide_any(value)) {
        wide_inverse(value, predicted, out, stride);
    } else {
        wide_copy_block(predicted[0], out[0], stride);
        wide_copy_block(predicted[1], out[1], stride);
    }
}

WIDE_INLINE wide_code_large(const struct intra_setup *s, struct wide *m, int first) {
    i32x8 y[BLOCKS / 2][4];
    for (int b = first; b < BLOCKS; b += 2) {
        const uint8_t *const source[2] = {m->w.source[b], m->w.source[b + 1]};
        const uint8_t *const predicted[2] = {m->predicted[b], m->predicted[b + 1]};
        wide_forward(source, predicted, y[b / 2]);
        for (int k = 0; k < 2; k++) {
            m->w.dc[b + k] = y[b / 2][0][4 * k];
            m->w.coefficient[b + k][0] = (int16_t)y[b / 2][0][4 * k];
        }
    }
    if (!first)
        wide_luma_dc(&s->luma, &m->w);
    for (int plane = 0; plane < 2; plane++)
        chroma_dc(&m->w, &s->chroma, plane);
    for (int b = first; b < BLOCKS; b += 2)
        wide_code_pair(b < LUMA_BLOCKS ? &s->luma : &s->chroma, m, b, y[b / 2]);
}

/* As try_small(): 4x4 prediction until it gets dearer than `limit`. */
WIDE_INLINE wide_try_small(const struct intra_setup *s, struct wide *m, struct around has, int limit, int *total) {
    struct scratch *w = &m->w;
    int cost = s->lambda * 4;
    for (int step = 0; step < 10 && cost < limit; step++) {
        const int row = step < 4 ? 0 : (step - 2) / 2, first = 2 * row + step, blocks = step < 2 || step > 7 ? 1 : 2;
        for (int q = 0; q < blocks; q++) {
            const int b = first + 2 * q, left = (b & 3) || has.left, above = b > 3 || has.above;
            const struct wide_small block = {.left = left,
                                             .above = above,
                                             .corner = left && above && (b || has.above_left),
                                             .above_right = has_above_right(b, has),
                                             .likely = likely_mode(w, b),
                                             .lambda = s->lambda};
            const uint8_t *around = m->luma + (b & 12) * LUMA_STRIDE + WIDE_LEFT + (b & 3) * 4;
            int best;
            wide_choose_small(&block, around, LUMA_STRIDE, w->source[b], m->predicted[b], &best);
            w->out.record.mode[b] = (uint8_t)(best & 15);
            cost += best >> 4;
        }
        wide_code_small(s, m, first, first + 2 * (blocks - 1));
    }
    *total = cost;
}

/* ---- out */

static inline __attribute__((always_inline)) uint32_t wide_error(const uint8_t *from, size_t pitch, const uint8_t *to,
                                                                 int stride, int rows, int columns) {
    uint32_t sum = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            const int d = from[(size_t)r * pitch + (size_t)c] - to[r * stride + c];
            sum += (uint32_t)(d * d);
        }
    return sum;
}

/* Squared errors of what is visible; whole macroblocks by loops of constant length. */
WIDE_INLINE wide_errors(const struct intra_setup *s, struct wide *m, const uint8_t *source, int y, int x) {
    const int whole = 16 * (y + 1) <= s->height && 16 * (x + 1) <= s->width;
    for (int plane = 0; plane < PLANES; plane++) {
        const int size = plane ? 8 : 16, rows = (s->height >> (plane > 0)) - y * size,
                  columns = (s->width >> (plane > 0)) - x * size;
        const uint8_t *to =
            plane ? m->chroma[plane - 1] + CHROMA_STRIDE + WIDE_LEFT : m->luma + LUMA_STRIDE + WIDE_LEFT;
        const uint8_t *from = source + plane_offset(s, plane, y * size, x * size);
        const size_t pitch = (size_t)s->mb_width * (size_t)size;
        uint32_t *error = &m->w.out.record.error[plane];
        if (whole && plane)
            *error = wide_error(from, pitch, to, CHROMA_STRIDE, 8, 8);
        else if (whole)
            *error = wide_error(from, pitch, to, LUMA_STRIDE, 16, 16);
        else
            *error = wide_error(from, pitch, to, plane ? CHROMA_STRIDE : LUMA_STRIDE, rows < size ? rows : size,
                                columns < size ? columns : size);
    }
}

WIDE_INLINE wide_finish(struct mb_record *r, int kind, int mode16, int chroma_mode) {
    unsigned cbp = 0, ac = 0;
    for (int b = 0; b < LUMA_BLOCKS; b++)
        cbp |= r->mask[b] ? kind == KIND_I16 ? 15 : 1u << ((b >> 3 << 1) + (b >> 1 & 1)) : 0;
    for (int b = LUMA_BLOCKS; b < BLOCKS; b++)
        ac |= r->mask[b];
    cbp |= ac ? 32 : r->chroma_dc_mask[0] | r->chroma_dc_mask[1] ? 16 : 0;
    r->kind = (uint8_t)kind;
    r->mode16 = (uint8_t)mode16;
    r->chroma_mode = (uint8_t)chroma_mode;
    r->cbp = (uint8_t)cbp;
    if (kind == KIND_I4)
        r->dc_mask = 0;
    else
        memset(r->mode, MODE_DC, sizeof r->mode);
}

WIDE_INLINE wide_store(const struct intra_setup *s, uint8_t *recon, int y, int x, const struct wide *m) {
    for (int plane = 0; plane < PLANES; plane++) {
        const int size = plane ? 8 : 16, stride = plane ? CHROMA_STRIDE : LUMA_STRIDE;
        const uint8_t *from = (plane ? m->chroma[plane - 1] : m->luma) + stride + WIDE_LEFT;
        for (int r = 0; r < size; r++)
            memcpy(recon + plane_offset(s, plane, y * size + r, x * size), from + r * stride, (size_t)size);
    }
}

WIDE_INLINE wide_macroblock(const struct intra_setup *s, const uint8_t *source, uint8_t *recon,
                            struct mb_record *records, int y, int x) {
    struct wide m;
    struct scratch *w = &m.w;
    struct mb_record *record = records + (size_t)y * (size_t)s->mb_width + x;
    struct around has = {.left = x > 0, .above = !starts_slice(s, y)};
    has.above_left = has.left && has.above;
    has.above_right = has.above && x + 1 < s->mb_width;
    int cost[MODES_16], chroma_cost[MODES_16], cost4;
    wide_load(s, source, recon, y, x, has, &m);
    wide_load_modes(s, record, has, w);
    wide_sums(w);
    wide_cost_luma(w, has, cost);
    wide_cost_chroma(w, has, chroma_cost);
    const int best16 = wide_choose(cost, has, s->lambda, 0x5331), limit = best16 / MODES_16, mode16 = best16 % MODES_16;
    const int chroma_mode = wide_choose(chroma_cost, has, s->lambda, 0x5133) % MODES_16;
    wide_try_small(s, &m, has, limit, &cost4);
    const int kind = cost4 < limit ? KIND_I4 : KIND_I16;
    if (kind == KIND_I16)
        wide_predict(&m, 0, LUMA_BLOCKS, mode16, has);
    wide_predict(&m, LUMA_BLOCKS, BLOCKS, chroma_mode, has);
    wide_code_large(s, &m, kind == KIND_I16 ? 0 : LUMA_BLOCKS);
    wide_errors(s, &m, source, y, x);
    wide_finish(&w->out.record, kind, mode16, chroma_mode);
    wide_store(s, recon, y, x, &m);
    *record = w->out.record;
}

#endif
