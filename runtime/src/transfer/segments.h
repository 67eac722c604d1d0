/* SPDX-License-Identifier: Apache-2.0 */
/* Host arrays that lie side by side in one range of a device's memory, and blocks of that range. */
#ifndef HEDDLE_TRANSFER_SEGMENTS_H
#define HEDDLE_TRANSFER_SEGMENTS_H
#include "core/internal.h"

struct heddle__segment {
    char *host;
    size_t at, bytes; /* in the range */
    bool direct;      /* page-locked by the program: copied as it is, by somebody else */
};

/* The bytes of the range that are both the segment's and in [at, at + bytes); false: there are none. */
HEDDLE_HIDDEN bool heddle__segment_within(const struct heddle__segment *segment, size_t at, size_t bytes, size_t *low,
                                          size_t *high);
/* Between the arrays and `block`, which holds [at, at + bytes) of the range; in: to the block. */
HEDDLE_HIDDEN void heddle__segments_gather(const struct heddle__segment *segment, int segments, char *block, size_t at,
                                           size_t bytes, bool in);
#endif
