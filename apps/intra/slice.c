/* SPDX-License-Identifier: Apache-2.0 */
/* Syntax of intra macroblocks, ITU-T H.264 sections 7.3.5 and 9.2. */
#include "cavlc.h"
#include "stream.h"

/* What a block needs of a neighbouring macroblock; NULL where the slice has none. */
struct place {
    const struct mb_record *mb, *left, *above;
};

/* Raster position of the k-th luma block in coding order: quarters, and quarters of these. */
static inline int coding_order(int k) { return (k & 1) | (k & 4) >> 1 | (k & 2) << 1 | (k & 8); }

static inline int levels_of(const struct mb_record *mb, int b) { return __builtin_popcount(mb->mask[b]); }

static inline int context_of(int left, int above) {
    if (left >= 0 && above >= 0)
        return (left + above + 1) >> 1;
    return left >= 0 ? left : above >= 0 ? above : 0;
}

static int luma_context(const struct place *p, int b) {
    const int left = b & 3 ? levels_of(p->mb, b - 1) : p->left ? levels_of(p->left, b + 3) : -1;
    const int above = b > 3 ? levels_of(p->mb, b - 4) : p->above ? levels_of(p->above, b + 12) : -1;
    return context_of(left, above);
}

static int chroma_context(const struct place *p, int b) {
    const int left = b & 1 ? levels_of(p->mb, b - 1) : p->left ? levels_of(p->left, b + 1) : -1;
    const int above = b & 2 ? levels_of(p->mb, b - 2) : p->above ? levels_of(p->above, b + 2) : -1;
    return context_of(left, above);
}

static void put_modes(struct bits *b, const struct place *p) {
    for (int k = 0; k < LUMA_BLOCKS; k++) {
        const int at = coding_order(k), mode = p->mb->mode[at];
        const int left = at & 3 ? p->mb->mode[at - 1] : p->left ? p->left->mode[at + 3] : -1;
        const int above = at > 3 ? p->mb->mode[at - 4] : p->above ? p->above->mode[at + 12] : -1;
        const int likely = left < 0 || above < 0 ? 2 : left < above ? left : above;
        if (mode == likely)
            bits_put(b, 1, 1);
        else
            bits_put(b, 4, (uint32_t)(mode - (mode > likely)));
    }
}

static void put_chroma(struct bits *b, const struct place *p) {
    const struct mb_record *mb = p->mb;
    if (mb->cbp >> 4)
        for (int plane = 0; plane < 2; plane++)
            cavlc_block(b, mb->level[LUMA_BLOCKS + 4 * plane], 16, mb->chroma_dc_mask[plane], 4, CAVLC_CHROMA_DC);
    if (mb->cbp >> 4 == 2)
        for (int k = LUMA_BLOCKS; k < BLOCKS; k++)
            cavlc_block(b, mb->level[k] + 1, 1, mb->mask[k] >> 1, 15, chroma_context(p, k));
}

static void put_macroblock(struct bits *b, const struct place *p) {
    /* numbers of the coded block patterns of 4x4 intra macroblocks */
    static const uint8_t cbp_number[48] = {3,  29, 30, 17, 31, 18, 37, 8,  32, 38, 19, 9,  20, 10, 11, 2,
                                           16, 33, 34, 21, 35, 22, 39, 4,  36, 40, 23, 5,  24, 6,  7,  1,
                                           41, 42, 43, 25, 44, 26, 46, 12, 45, 47, 27, 13, 28, 14, 15, 0};
    static const uint8_t chroma_number[MODES_16] = {2, 1, 0, 3};
    const struct mb_record *mb = p->mb;
    if (mb->kind == KIND_I4) {
        bits_put(b, 1, 1); /* mb_type 0 */
        put_modes(b, p);
    } else {
        bits_ue(b, 1u + mb->mode16 + 4u * (mb->cbp >> 4) + (mb->cbp & 15 ? 12 : 0));
    }
    bits_ue(b, chroma_number[mb->chroma_mode]);
    if (mb->kind == KIND_I4)
        bits_ue(b, cbp_number[mb->cbp]);
    if (mb->cbp || mb->kind == KIND_I16)
        bits_put(b, 1, 1); /* mb_qp_delta 0 */
    if (mb->kind == KIND_I16)
        cavlc_block(b, mb->level[0], 16, mb->dc_mask, 16, luma_context(p, 0));
    for (int k = 0; k < LUMA_BLOCKS; k++) {
        const int at = coding_order(k);
        if (!(mb->cbp >> (k >> 2) & 1))
            continue;
        if (mb->kind == KIND_I16)
            cavlc_block(b, mb->level[at] + 1, 1, mb->mask[at] >> 1, 15, luma_context(p, at));
        else
            cavlc_block(b, mb->level[at], 1, mb->mask[at], 16, luma_context(p, at));
    }
    put_chroma(b, p);
}

bool slice_put(struct bits *b, const struct intra_setup *s, const struct mb_record *records, int first_row,
               int last_row) {
    for (int y = first_row; y < last_row; y++)
        for (int x = 0; x < s->mb_width; x++) {
            const struct mb_record *mb = records + (size_t)y * (size_t)s->mb_width + x;
            const struct place p = {mb, x > 0 ? mb - 1 : NULL, y > first_row ? mb - s->mb_width : NULL};
            if (!bits_room(b, BITS_MB_MOST))
                return false;
            put_macroblock(b, &p);
        }
    return true;
}
