/* SPDX-License-Identifier: Apache-2.0 */
/* The plate before the first sweep. */
#ifndef HEAT_PLATE_H
#define HEAT_PLATE_H

#include "field.h"

#include <stdint.h>

struct plate {
    double top, bottom, left, right; /* temperatures of the edges, which stay */
    bool uniform;                    /* inside: `start` everywhere, or seeded between the edges' extremes */
    double start;
    uint64_t seed;
};

void plate_fill(const struct plate *plate, struct field *field);
/* Inside from a picture of the field's size: black is the coldest edge, white the hottest. */
void plate_fill_from(const struct plate *plate, const struct image *image, struct field *field);

#endif
