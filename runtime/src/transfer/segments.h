/* SPDX-License-Identifier: Apache-2.0 */
/* Host arrays that lie in one range of a device's memory, and page-locked pieces of that range. */
#ifndef HEDDLE_GATHER_H
#define HEDDLE_GATHER_H
#include "core/internal.h"

struct heddle__part {
    char *host;
    size_t at, bytes; /* in the range */
    bool direct;      /* page-locked by the program: copied as it is, by somebody else */
};

/* The bytes of the range that are both the part's and in [at, at + bytes); false: there are none. */
HEDDLE_HIDDEN bool heddle__part_within(const struct heddle__part *part, size_t at, size_t bytes, size_t *low,
                                       size_t *high);
/* Between the arrays and `piece`, which holds [at, at + bytes) of the range; in: to the piece. */
HEDDLE_HIDDEN void heddle__gather(const struct heddle__part *part, int parts, char *piece, size_t at, size_t bytes,
                                  bool in);
#endif
