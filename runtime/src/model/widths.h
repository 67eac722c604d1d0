/* SPDX-License-Identifier: Apache-2.0 */
/* widths.h - what tiles of nests cost, kept for each program: the terms of PeerWave's model (tile_width.c). */
#ifndef HEDDLE_MODEL_WIDTHS_H
#define HEDDLE_MODEL_WIDTHS_H

#include "table.h"

enum { HEDDLE__WIDTH_NAME = 192 };
struct heddle__width_terms {
    char nest[HEDDLE__WIDTH_NAME], device[HEDDLE__WIDTH_NAME]; /* of heddle__name_copy */
    long layout;                                               /* HEDDLE_LAYOUT_ROW or _HYBRID */
    long height, workers, rows, columns;                       /* rows, columns: logarithms */
    double diagonal, sync;                                     /* seconds */
    bool own;                                                  /* measured by this process */
};
/* Fills in the times of the nest, device, layout and sizes that are set; false: they are not known. */
MODEL_HIDDEN bool heddle__width_recall(struct heddle__width_terms *t);
MODEL_HIDDEN void heddle__width_remember(const struct heddle__width_terms *t);

#endif
