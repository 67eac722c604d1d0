/* SPDX-License-Identifier: Apache-2.0 */
/* What the macroblock tasks read and write. A frame is coded in two halves: tasks decide, transform
 * and reconstruct (nest_macroblock.c) and leave one record per macroblock; CPU threads turn the
 * records into bits (slice.c). Names and numbers are those of ITU-T H.264. */
#ifndef INTRA_CODING_H
#define INTRA_CODING_H

#include <stddef.h>
#include <stdint.h>

enum { LUMA_BLOCKS = 16, BLOCKS = 24 }; /* 4x4 blocks, raster order: luma, then Cb, then Cr */
enum { MB_PIXELS = 384 };
enum { KIND_I4 = 0, KIND_I16 = 1 };

/* Intra 16x16 modes; chroma has the same four under other numbers (see slice.c). */
enum { MODE_VERTICAL, MODE_HORIZONTAL, MODE_DC, MODE_PLANE, MODES_16 };
enum { MODES_4 = 9 };

/* Levels are in scan order. Blocks whose DC goes through a second transform (16x16 luma, chroma)
 * keep it apart: the k-th DC level of luma is level[k][0], of a chroma plane level[16 or 20 + k][0];
 * the masks of these blocks have AC only. */
struct mb_record {
    int16_t level[BLOCKS][16];
    uint16_t mask[BLOCKS]; /* bit k: level k is not zero */
    uint16_t dc_mask;      /* the same for the 16 DC levels of a 16x16 macroblock */
    uint8_t chroma_dc_mask[2];
    uint8_t mode[LUMA_BLOCKS]; /* prediction of each 4x4 block; DC in a 16x16 macroblock */
    uint8_t kind, mode16, chroma_mode, cbp;
    uint32_t error[3]; /* squared error of Y, Cb, Cr inside the visible picture */
};
enum { RECORD_WORDS = sizeof(struct mb_record) / 4 };

/* Scaling by position class: both coordinates even, both odd, other. */
struct quantiser {
    int32_t scale[3];   /* multipliers of the forward quantisation */
    int32_t unscale[3]; /* of the inverse one, the QP's power of two included */
    int32_t shift, bias;
};

/* Neighbours of a 4x4 block by index: left from below, the corner, above; the mean of DC prediction. */
enum { N_L3, N_L2, N_L1, N_L0, N_X, N_T0, N_T7 = 12, N_DC = 14 };
/* From them come two more rows of values: the mean of neighbours k and k + 1, and of k - 1, twice k, k + 1.
 */
enum { FILTERED_2 = 16, FILTERED_4 = 32, FILTERED = 48, PATTERN_SIZE = 72 };
struct intra_setup {
    int32_t width, height;       /* visible */
    int32_t mb_width, mb_height; /* in macroblocks */
    int32_t slices;
    int32_t qp, lambda;
    int32_t wide; /* which of the host's forms its processor has (enum below) */
    struct quantiser luma, chroma;
    /* A 4x4 prediction is those values in some order. They are put in order once for all modes (indices
     * here); row r of mode m is from place pattern_row[m][r] on. */
    uint8_t pattern[PATTERN_SIZE];
    uint8_t pattern_row[MODES_4][4];
};

enum { WIDE_NONE, WIDE_AVX2, WIDE_AVX512 };

/* Slices are whole rows of macroblocks, as equal as they can be. */
static inline int slice_first_row(const struct intra_setup *s, int slice) {
    return (int)((int64_t)slice * s->mb_height / s->slices);
}

static inline size_t frame_bytes(const struct intra_setup *s) {
    return (size_t)s->mb_width * (size_t)s->mb_height * MB_PIXELS;
}

static inline size_t frame_records(const struct intra_setup *s) { return (size_t)s->mb_width * (size_t)s->mb_height; }

/* QP 0 to 51. */
void intra_prepare(struct intra_setup *setup, int width, int height, int qp, int slices);

/* Frames are planar, Y then Cb then Cr, whole macroblocks (frame_bytes() each). */
typedef void intra_encode(const struct intra_setup *setup, int frames, const uint8_t *source, uint8_t *recon,
                          struct mb_record *records);
intra_encode intra_encode_heddle, intra_encode_serial;

#endif
