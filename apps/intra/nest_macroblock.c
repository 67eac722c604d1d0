/* SPDX-License-Identifier: Apache-2.0 */
/* Mode decision, transform, quantisation and reconstruction of macroblocks: a task each. The four
 * neighbours left, above left, above and above right come first; frames are independent. A loop
 * marked `lanes` has independent iterations and is spread over the lanes of a worker. */
#include "predict.h"
#include "transform.h"
#ifndef INTRA_SERIAL
#include "wide.h"
#endif

#include <string.h>

#ifdef INTRA_SERIAL
#define NAME(f) f##_serial
#else
#define NAME(f) f##_heddle
#endif

/* ---- pixels in */

static void load_source(const struct intra_setup *s, const uint8_t *source, int y, int x, struct scratch *w) {
#pragma heddle lanes
    for (int l = 0; l < BLOCKS * 4; l++)
        memcpy(&w->source[l >> 2][4 * (l & 3)], source + block_offset(s, y, x, l >> 2, l & 3), 4);
}

/* One lane per edge pixel: 21 above and 16 left of luma, 9 and 8 of each chroma plane. */
static void load_edges(const struct intra_setup *s, const uint8_t *recon, int y, int x, struct around has,
                       struct scratch *w) {
#pragma heddle lanes
    for (int l = 0; l < 37 + 2 * 17; l++) {
        const int plane = l < 37 ? 0 : l < 54 ? 1 : 2, size = plane ? 8 : 16;
        const int k = plane == 0 ? l : plane == 1 ? l - 37 : l - 54;
        const int above = plane ? 9 : 21;
        struct edges *e = &w->edges[plane];
        int value = 128;
        if (k < above) {
            const int c = k - 1;
            if (c < 0 ? has.above_left : c < size ? has.above : has.above_right)
                value = recon[plane_offset(s, plane, y * size - 1, x * size + c)];
            e->top[EDGE_TOP + c] = (uint8_t)value;
        } else {
            if (has.left)
                value = recon[plane_offset(s, plane, y * size + k - above, x * size - 1)];
            e->left[k - above] = (uint8_t)value;
        }
    }
}

/* ---- 16x16 luma and 8x8 chroma prediction */

static void sum_edges(struct scratch *w) {
#pragma heddle lanes
    for (int l = 0; l < 18; l++) {
        const int plane = l / 6, k = l % 6; /* sums above and left, first and second half; slopes */
        const struct edges *e = &w->edges[plane];
        const uint8_t *top = e->top + EDGE_TOP;
        const int half = plane ? 4 : 8, from = (k & 1) * half;
        int sum = 0;
        if (k < 2)
            for (int c = 0; c < half; c++)
                sum += top[from + c];
        else if (k < 4)
            for (int r = 0; r < half; r++)
                sum += e->left[from + r];
        else if (k == 4)
            for (int c = 0; c < half; c++)
                sum += (c + 1) * (top[half + c] - top[half - 2 - c]);
        else
            for (int r = 0; r < half; r++)
                sum += (r + 1) * (e->left[half + r] - (r == half - 1 ? top[-1] : e->left[half - 2 - r]));
        if (k < 4)
            w->sum[plane][k] = (int16_t)sum;
        else
            w->slope[plane][k - 4] = (int16_t)(plane ? (34 * sum + 32) >> 6 : (5 * sum + 32) >> 6);
    }
}

static void prepare_large(struct around has, struct scratch *w) {
#pragma heddle lanes
    for (int l = 0; l < PLANES * 16; l++) {
        const int plane = l >> 4, k = l & 15, middle = plane ? 3 : 7, last = plane ? 7 : 15;
        const struct edges *e = &w->edges[plane];
        const uint8_t *top = e->top + EDGE_TOP;
        const int level = 16 * (e->left[last] + top[last]) + 16;
        int16_t(*across)[16] = w->across[plane], (*down)[16] = w->down[plane];
        across[MODE_VERTICAL][k] = (int16_t)(32 * top[k & last]);
        down[MODE_VERTICAL][k] = 0;
        across[MODE_HORIZONTAL][k] = 0;
        down[MODE_HORIZONTAL][k] = (int16_t)(32 * e->left[k & last]);
        across[MODE_DC][k] = plane ? 0 : (int16_t)(32 * mean16(w->sum[0], has));
        down[MODE_DC][k] = 0;
        across[MODE_PLANE][k] = (int16_t)(level + w->slope[plane][0] * (k - middle));
        down[MODE_PLANE][k] = (int16_t)(w->slope[plane][1] * (k - middle));
        if (plane && k < 4)
            w->flat[plane - 1][k] = (int16_t)(32 * mean_chroma(w->sum[plane], k, has));
    }
}

/* Costs of all four modes of each block, blocks on lanes. */
static void cost_large(struct scratch *w) {
#pragma heddle lanes
    for (int l = 0; l < MODES_16 * BLOCKS; l++) {
        const int b = l / MODES_16, mode = l % MODES_16, plane = block_plane(b);
        int d[16];
        for (int r = 0; r < 4; r++) {
            predict_large(w, b, mode, r, d + 4 * r);
            for (int c = 0; c < 4; c++)
                d[4 * r + c] = w->source[b][4 * r + c] - d[4 * r + c];
        }
        w->unit_cost[plane][mode][plane ? b & 3 : b] = transformed_difference(d);
    }
}

/* The cheapest mode for the planes from first to last, below its cost: cost * MODES_16 + mode. */
static int choose_large(const struct scratch *w, int first, int last, struct around has, int lambda) {
    /* bits of the mode's number as a ue(v) code, a hex digit each */
    const int bits = first ? 0x5133 : 0x5331;
    int best = COST_NEVER;
    for (int mode = 0; mode < MODES_16; mode++) {
        const int possible = mode == MODE_VERTICAL     ? has.above
                             : mode == MODE_HORIZONTAL ? has.left
                             : mode == MODE_PLANE      ? has.above_left
                                                       : 1;
        int cost = lambda * (bits >> 4 * mode & 15);
        for (int plane = first; plane <= last; plane++)
            for (int b = 0; b < (plane ? 4 : 16); b++)
                cost += w->unit_cost[plane][mode][b];
        cost = cost * MODES_16 + mode;
        best = possible && cost < best ? cost : best;
    }
    return best;
}

static void predict_planes(struct scratch *w, int first, int count, int mode) {
#pragma heddle lanes
    for (int l = 4 * first; l < 4 * (first + count); l++) {
        int row[4];
        predict_large(w, l >> 2, mode, l & 3, row);
        for (int c = 0; c < 4; c++)
            w->predicted[l >> 2][4 * (l & 3) + c] = (uint8_t)row[c];
    }
}

/* ---- transform, quantisation and back, four lanes a block */

/* The second transform: lanes 0 to 3 have a row or column of the 16 luma DCs, lanes 4 and 5 a
 * chroma plane. */
static void transform_dc(const struct intra_setup *s, struct scratch *w, int first_lane) {
#pragma heddle lanes
    for (int l = first_lane; l < 6; l++)
        if (l >= 4) {
            chroma_dc(w, &s->chroma, l - 4);
        } else {
            for (int k = 0; k < 4; k++)
                w->dc[4 * l + k] = w->coefficient[4 * l + k][0];
            hadamard4(w->dc + 4 * l, 1);
        }
    if (first_lane)
        return;
#pragma heddle lanes
    for (int l = 0; l < 4; l++) {
        unsigned mask = 0;
        hadamard4(w->dc + l, 4);
        for (int k = 0; k < 4; k++) {
            const int position = scan_position(4 * k + l), level = quantise_dc(&s->luma, (w->dc[4 * k + l] + 1) >> 1);
            w->out.record.level[position][0] = (int16_t)level;
            mask |= (unsigned)(level != 0) << position;
            w->dc[4 * k + l] = level;
        }
        w->dc_row_mask[l] = (uint16_t)mask;
        hadamard4(w->dc + l, 4);
    }
#pragma heddle lanes
    for (int l = 0; l < 4; l++) {
        hadamard4(w->dc + 4 * l, 1);
        for (int k = 0; k < 4; k++)
            w->dc[4 * l + k] = (w->dc[4 * l + k] * s->luma.unscale[0] + 2) >> 2;
    }
}

/* All blocks from `first` (0: a 16x16 macroblock, 16: chroma only). */
static void code_large(const struct intra_setup *s, struct scratch *w, int first) {
#pragma heddle lanes
    for (int l = 4 * first; l < 4 * BLOCKS; l++)
        transform_column(w, l >> 2, l & 3);
#pragma heddle lanes
    for (int l = 4 * first; l < 4 * BLOCKS; l++)
        transform_row(w, l >> 2, l & 3);
    transform_dc(s, w, first ? 4 : 0);
#pragma heddle lanes
    for (int l = 4 * first; l < 4 * BLOCKS; l++)
        quantise_row(w, l < 4 * LUMA_BLOCKS ? &s->luma : &s->chroma, l >> 2, l & 3, 1);
#pragma heddle lanes
    for (int l = 4 * first; l < 4 * BLOCKS; l++)
        reconstruct_column(w, l >> 2, l & 3);
}

/* ---- 4x4 prediction */

/* Two blocks, `first` and first + 2, or one, that do not depend on each other. */
static void gather_neighbours(struct scratch *w, int first, int blocks, struct around has) {
#pragma heddle lanes
    for (int l = 0; l < 16 * blocks; l++) {
        const int b = first + 2 * (l >> 4), k = l & 15, row = b & 12, column = (b & 3) * 4;
        const int most = has_above_right(b, has) ? 7 : 3;
        if (k < 4)
            w->filtered[l >> 4][k] = (uint8_t)decoded_pixel(w, row + 3 - k, column - 1);
        else if (k < 13)
            w->filtered[l >> 4][k] = (uint8_t)decoded_pixel(w, row - 1, column + (k - 5 < most ? k - 5 : most));
    }
}

static void filter_neighbours(const struct intra_setup *s, struct scratch *w, int first, int blocks,
                              struct around has) {
#pragma heddle lanes
    for (int l = 0; l < 16 * blocks; l++) {
        uint8_t *n = w->filtered[l >> 4];
        const int b = first + 2 * (l >> 4), k = l & 15;
        if (k == N_DC)
            n[k] = (uint8_t)mean_small(n, (b & 3) || has.left, b > 3 || has.above);
        if (k > N_T7)
            continue;
        const int before = n[k ? k - 1 : 0], after = n[k < N_T7 ? k + 1 : N_T7];
        n[FILTERED_2 + k] = (uint8_t)((n[k] + after + 1) >> 1);
        n[FILTERED_4 + k] = (uint8_t)((before + 2 * n[k] + after + 2) >> 2);
    }
#pragma heddle lanes
    for (int l = 0; l < PATTERN_SIZE * blocks; l++) {
        const int q = l >= PATTERN_SIZE, k = l - q * PATTERN_SIZE;
        w->pattern[q][k] = w->filtered[q][s->pattern[k]];
    }
}

static void cost_small(const struct intra_setup *s, struct scratch *w, int first, int blocks, struct around has) {
#pragma heddle lanes
    for (int l = 0; l < MODES_4 * blocks; l++) {
        const int q = l >= MODES_4, mode = l - q * MODES_4, b = first + 2 * q;
        const int left = (b & 3) || has.left, above = b > 3 || has.above;
        const int corner = left && above && (b || has.above_left);
        int d[16];
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 4; c++)
                d[4 * r + c] = w->source[b][4 * r + c] - w->pattern[q][s->pattern_row[mode][r] + c];
        const int cost = transformed_difference(d) + s->lambda * (mode == likely_mode(w, b) ? 1 : 4);
        w->mode_cost[q][mode] = mode4_possible(mode, left, above, corner) ? cost : COST_NEVER >> 4;
    }
}

/* Of block q of two, as choose_large() packs it. */
static int choose_small(const struct scratch *w, int q) {
    int best = COST_NEVER;
    for (int mode = 0; mode < MODES_4; mode++) {
        const int cost = w->mode_cost[q][mode] * 16 + mode;
        best = cost < best ? cost : best;
    }
    return best;
}

static void code_small(const struct intra_setup *s, struct scratch *w, int first, int blocks, int mode0, int mode1) {
#pragma heddle lanes
    for (int l = 0; l < 16 * blocks; l++) {
        const int q = l >> 4, k = l & 15, b = first + 2 * q, mode = q ? mode1 : mode0;
        w->predicted[b][k] = w->pattern[q][s->pattern_row[mode][k >> 2] + (k & 3)];
        if (k == 0)
            w->out.record.mode[b] = (uint8_t)mode;
    }
#pragma heddle lanes
    for (int l = 0; l < 4 * blocks; l++)
        transform_column(w, first + (l >> 2) * 2, l & 3);
#pragma heddle lanes
    for (int l = 0; l < 4 * blocks; l++) {
        transform_row(w, first + (l >> 2) * 2, l & 3);
        quantise_row(w, &s->luma, first + (l >> 2) * 2, l & 3, 0);
    }
#pragma heddle lanes
    for (int l = 0; l < 4 * blocks; l++)
        reconstruct_column(w, first + (l >> 2) * 2, l & 3);
}

/* Codes luma by 4x4 prediction, unless that gets dearer than `limit` on the way. Blocks on a line
 * x + 2 y = step have all their neighbours on earlier lines. */
static int try_small(const struct intra_setup *s, struct scratch *w, struct around has, int limit) {
    int cost = s->lambda * 4;
    for (int step = 0; step < 10 && cost < limit; step++) {
        const int row = step < 4 ? 0 : (step - 2) / 2, first = 2 * row + step;
        const int blocks = step < 2 || step > 7 ? 1 : 2;
        gather_neighbours(w, first, blocks, has);
        filter_neighbours(s, w, first, blocks, has);
        cost_small(s, w, first, blocks, has);
        const int best0 = choose_small(w, 0), best1 = blocks > 1 ? choose_small(w, 1) : 0;
        cost += (best0 >> 4) + (best1 >> 4);
        code_small(s, w, first, blocks, best0 & 15, best1 & 15);
    }
    return cost;
}

static void load_modes(const struct intra_setup *s, const struct mb_record *record, struct around has,
                       struct scratch *w) {
#pragma heddle lanes
    for (int l = 0; l < 8; l++)
        if (l < 4)
            w->mode_left[l] = has.left ? (int8_t)record[-1].mode[4 * l + 3] : -1;
        else
            w->mode_above[l - 4] = has.above ? (int8_t)record[-s->mb_width].mode[12 + l - 4] : -1;
}

/* ---- results */

static void summarise(const struct intra_setup *s, struct scratch *w, int y, int x) {
#pragma heddle lanes
    for (int b = 0; b < BLOCKS; b++) {
        w->out.record.mask[b] =
            (uint16_t)(w->row_mask[b][0] | w->row_mask[b][1] | w->row_mask[b][2] | w->row_mask[b][3]);
        w->block_error[b] = block_error(s, w, y, x, b);
    }
}

static void finish_record(struct scratch *w, int kind, int mode16, int chroma_mode) {
    const struct mb_record *r = &w->out.record;
    unsigned cbp = 0;
    for (int b = 0; b < LUMA_BLOCKS; b++)
        cbp |= r->mask[b] ? kind == KIND_I16 ? 15 : 1u << ((b >> 3 << 1) + (b >> 1 & 1)) : 0;
    unsigned ac = 0;
    for (int b = LUMA_BLOCKS; b < BLOCKS; b++)
        ac |= r->mask[b];
    cbp |= ac ? 32 : r->chroma_dc_mask[0] | r->chroma_dc_mask[1] ? 16 : 0;
#pragma heddle lanes
    for (int l = 0; l < 20; l++) {
        struct mb_record *out = &w->out.record;
        if (l < 3) {
            uint32_t sum = 0;
            for (int b = l ? 12 + 4 * l : 0; b < (l ? 16 + 4 * l : 16); b++)
                sum += w->block_error[b];
            out->error[l] = sum;
        } else if (l == 3) {
            const unsigned dc = w->dc_row_mask[0] | w->dc_row_mask[1] | w->dc_row_mask[2] | w->dc_row_mask[3];
            out->dc_mask = kind == KIND_I16 ? (uint16_t)dc : 0;
            out->kind = (uint8_t)kind;
            out->mode16 = (uint8_t)mode16;
            out->chroma_mode = (uint8_t)chroma_mode;
            out->cbp = (uint8_t)cbp;
        } else if (kind == KIND_I16) {
            out->mode[l - 4] = 2;
        }
    }
}

static void store(const struct intra_setup *s, uint8_t *recon, struct mb_record *record, int y, int x,
                  const struct scratch *w) {
#pragma heddle lanes
    for (int l = 0; l < BLOCKS * 4; l++)
        memcpy(recon + block_offset(s, y, x, l >> 2, l & 3), &w->recon[l >> 2][4 * (l & 3)], 4);
    uint32_t *words = (uint32_t *)record;
#pragma heddle lanes
    for (int l = 0; l < RECORD_WORDS; l++)
        words[l] = w->out.words[l];
}

/* The host's form for processors with wide registers (wide.h). False: there is none here. */
#if defined(__x86_64__) && !defined(__NVPTX__) && !defined(__AMDGCN__) && !defined(INTRA_SERIAL)
__attribute__((target("avx2,bmi,bmi2"))) static void
code_avx2(const struct intra_setup *s, const uint8_t *source, uint8_t *recon, struct mb_record *records, int y, int x) {
    wide_macroblock(s, source, recon, records, y, x);
}

__attribute__((target("avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi"))) static void
code_avx512(const struct intra_setup *s, const uint8_t *source, uint8_t *recon, struct mb_record *records, int y,
            int x) {
    wide_macroblock(s, source, recon, records, y, x);
}

static int code_wide(const struct intra_setup *s, const uint8_t *source, uint8_t *recon, struct mb_record *records,
                     int y, int x) {
    if (s->wide == WIDE_AVX512)
        code_avx512(s, source, recon, records, y, x);
    else if (s->wide == WIDE_AVX2)
        code_avx2(s, source, recon, records, y, x);
    return s->wide != WIDE_NONE;
}
#else
#define code_wide(s, source, recon, records, y, x) 0
#endif

static void encode_macroblock(const struct intra_setup *s, const uint8_t *source, uint8_t *recon,
                              struct mb_record *records, int y, int x) {
    if (code_wide(s, source, recon, records, y, x))
        return;
    struct scratch scratch, *w = &scratch;
    struct mb_record *record = records + (size_t)y * (size_t)s->mb_width + x;
    struct around has;
    has.left = x > 0;
    has.above = !starts_slice(s, y);
    has.above_left = has.left && has.above;
    has.above_right = has.above && x + 1 < s->mb_width;
    load_source(s, source, y, x, w);
    load_edges(s, recon, y, x, has, w);
    load_modes(s, record, has, w);
    sum_edges(w);
    prepare_large(has, w);
    cost_large(w);
    const int best16 = choose_large(w, 0, 0, has, s->lambda), limit = best16 / MODES_16;
    const int chroma_mode = choose_large(w, 1, 2, has, s->lambda) % MODES_16;
    const int kind = try_small(s, w, has, limit) < limit ? KIND_I4 : KIND_I16, mode16 = best16 % MODES_16;
    if (kind == KIND_I16)
        predict_planes(w, 0, LUMA_BLOCKS, mode16);
    predict_planes(w, LUMA_BLOCKS, 8, chroma_mode);
    code_large(s, w, kind == KIND_I16 ? 0 : LUMA_BLOCKS);
    summarise(s, w, y, x);
    finish_record(w, kind, mode16, chroma_mode);
    store(s, recon, record, y, x, w);
}

void NAME(intra_encode)(const struct intra_setup *setup, int frames, const uint8_t *source, uint8_t *recon,
                        struct mb_record *records) {
    const size_t bytes = frame_bytes(setup), count = frame_records(setup);
    const int height = setup->mb_height, width = setup->mb_width;
#pragma heddle pool workers(warp) map(to : setup[0 : 1], source[0 : frames * bytes])                         \
    map(from : recon[0 : frames * bytes], records[0 : frames * count])
    {
#pragma heddle taskloop independent sink(f, y, x - 1) sink(f, y - 1, x - 1) sink(f, y - 1, x) sink(f, y - 1, x + 1)
        for (int f = 0; f < frames; f++)
            for (int y = 0; y < height; y++)
                for (int x = 0; x < width; x++)
                    encode_macroblock(setup, source + (size_t)f * bytes, recon + (size_t)f * bytes,
                                      records + (size_t)f * count, y, x);
    }
}
