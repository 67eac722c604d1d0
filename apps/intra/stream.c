/* SPDX-License-Identifier: Apache-2.0 */
/* Parameter sets and slice headers of constrained Baseline profile, ITU-T H.264 sections 7.3.2, 7.3.3
 * and annex E. Every picture is an IDR picture. */
#include "stream.h"

enum { NAL_SLICE_IDR = 0x65, NAL_SPS = 0x67, NAL_PPS = 0x68 };
enum { PROFILE_BASELINE = 66, SLICE_I = 7 /* all slices of the picture are I */ };

int stream_level(const struct intra_setup *s, const struct stream_format *f) {
    static const struct {
        int level;
        double per_second, per_picture; /* macroblocks */
    } levels[] = {{10, 1485, 99},      {11, 3000, 396},      {12, 6000, 396},       {20, 11880, 396},
                  {21, 19800, 792},    {22, 20250, 1620},    {30, 40500, 1620},     {31, 108000, 3600},
                  {32, 216000, 5120},  {40, 245760, 8192},   {42, 522240, 8704},    {50, 589824, 22080},
                  {51, 983040, 36864}, {52, 2073600, 36864}, {60, 4177920, 139264}, {62, 16711680, 139264}};
    const double count = (double)s->mb_width * s->mb_height;
    const double rate = f->rate_scale ? (double)f->rate / f->rate_scale : 25;
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        const double side = 8 * levels[k].per_picture; /* square of the longest side */
        if (count <= levels[k].per_picture && count * rate <= levels[k].per_second &&
            (double)s->mb_width * s->mb_width <= side && (double)s->mb_height * s->mb_height <= side)
            return levels[k].level;
    }
    return 0;
}

static void put_usability(struct bits *b, const struct stream_format *f) {
    const bool aspect = f->aspect && f->aspect_scale && f->aspect < 65536 && f->aspect_scale < 65536;
    bits_put(b, 1, aspect);
    if (aspect) {
        bits_put(b, 8, 255); /* given as a fraction */
        bits_put(b, 16, f->aspect);
        bits_put(b, 16, f->aspect_scale);
    }
    bits_put(b, 3, 0); /* overscan, signal type, chroma location */
    const bool timing = f->rate && f->rate_scale && f->rate < UINT32_C(1) << 31;
    bits_put(b, 1, timing);
    if (timing) {
        bits_put(b, 32, f->rate_scale);
        bits_put(b, 32, 2 * f->rate); /* fields */
        bits_put(b, 1, 1);            /* constant */
    }
    bits_put(b, 4, 0); /* no buffering parameters, no picture structure, no restrictions */
}

static void put_sps(struct bits *b, const struct intra_setup *s, const struct stream_format *f) {
    const int level = stream_level(s, f);
    bits_put(b, 8, PROFILE_BASELINE);
    bits_put(b, 8, 0xc0); /* Main profile decoders can, too: no slice groups, no redundancy */
    bits_put(b, 8, (uint32_t)(level ? level : 62));
    bits_ue(b, 0); /* its number */
    bits_ue(b, 0); /* frame numbers of 4 bits */
    bits_ue(b, 2); /* output order is coding order */
    bits_ue(b, 0); /* no reference frames */
    bits_put(b, 1, 0);
    bits_ue(b, (uint32_t)s->mb_width - 1);
    bits_ue(b, (uint32_t)s->mb_height - 1);
    bits_put(b, 2, 3); /* frames only; direct_8x8_inference */
    const uint32_t right = (uint32_t)(16 * s->mb_width - s->width) / 2;
    const uint32_t bottom = (uint32_t)(16 * s->mb_height - s->height) / 2;
    bits_put(b, 1, right || bottom);
    if (right || bottom) {
        bits_ue(b, 0);
        bits_ue(b, right);
        bits_ue(b, 0);
        bits_ue(b, bottom);
    }
    bits_put(b, 1, 1);
    put_usability(b, f);
    bits_end(b);
}

static void put_pps(struct bits *b, const struct intra_setup *s) {
    bits_ue(b, 0);
    bits_ue(b, 0);
    bits_put(b, 2, 0); /* CAVLC, no field order */
    bits_ue(b, 0);     /* one slice group */
    bits_ue(b, 0);
    bits_ue(b, 0);
    bits_put(b, 3, 0); /* no weighted prediction */
    bits_se(b, s->qp - 26);
    bits_se(b, 0);
    bits_se(b, 0);     /* chroma QP as the table has it */
    bits_put(b, 3, 4); /* deblocking is controlled in the slice header */
    bits_end(b);
}

bool stream_head(struct bits *out, struct bits *scratch, const struct intra_setup *s, const struct stream_format *f) {
    scratch->count = 0;
    if (!bits_room(scratch, 256))
        return false;
    put_sps(scratch, s, f);
    if (!bits_append_nal(out, NAL_SPS, scratch))
        return false;
    scratch->count = 0;
    put_pps(scratch, s);
    return bits_append_nal(out, NAL_PPS, scratch);
}

bool stream_picture(struct bits *out, struct bits *scratch, const struct intra_setup *s,
                    const struct mb_record *records, long number) {
    for (int slice = 0; slice < s->slices; slice++) {
        const int first = slice_first_row(s, slice), last = slice_first_row(s, slice + 1);
        scratch->count = 0;
        if (!bits_room(scratch, 256))
            return false;
        bits_ue(scratch, (uint32_t)first * (uint32_t)s->mb_width);
        bits_ue(scratch, SLICE_I);
        bits_ue(scratch, 0);                      /* picture parameter set */
        bits_put(scratch, 4, 0);                  /* frame number */
        bits_ue(scratch, (uint32_t)(number & 1)); /* neighbouring IDR pictures differ here */
        bits_put(scratch, 2, 0);                  /* output of earlier pictures, long term */
        bits_se(scratch, 0);                      /* the QP is the parameter set's */
        bits_ue(scratch, 1);                      /* no deblocking */
        if (!slice_put(scratch, s, records, first, last))
            return false;
        bits_end(scratch);
        if (!bits_append_nal(out, NAL_SLICE_IDR, scratch))
            return false;
    }
    return true;
}
