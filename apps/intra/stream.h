/* SPDX-License-Identifier: Apache-2.0 */
/* A coded picture from its macroblocks' records: parameter sets, slice headers, macroblock syntax. */
#ifndef INTRA_STREAM_H
#define INTRA_STREAM_H

#include "bits.h"
#include "coding.h"

/* What players are told and the decoder does not need; a zero: nothing is said. */
struct stream_format {
    uint32_t rate, rate_scale;     /* frames per second as a fraction */
    uint32_t aspect, aspect_scale; /* width of a pixel by its height */
};

/* The profile's limits: the level of Annex A that fits, or 0: too large for any. */
int stream_level(const struct intra_setup *setup, const struct stream_format *format);

/* Both append whole NAL units with start codes. False: no memory. `scratch` is only to save
 * allocations. */
bool stream_head(struct bits *out, struct bits *scratch, const struct intra_setup *setup,
                 const struct stream_format *format);
bool stream_picture(struct bits *out, struct bits *scratch, const struct intra_setup *setup,
                    const struct mb_record *records, long number);

/* One slice's macroblocks, for stream_picture(). */
bool slice_put(struct bits *b, const struct intra_setup *setup, const struct mb_record *records, int first_row,
               int last_row);

#endif
