/* SPDX-License-Identifier: Apache-2.0 */
/* region.h - what one region costs on one class of devices: the sizes that were measured, and a line through them. */
#ifndef HEDDLE_MODEL_REGION_H
#define HEDDLE_MODEL_REGION_H

#include "table.h"

enum { CELLS = 16, RING = 15, STALE_NOW = 1000 /* cell.stale: the median is taken at once */ };
struct size {
    double n, bytes, to; /* trip count; bytes of the region's own maps; those of them that go to a device */
};
struct cell { /* one size of a region on one class of device */
    double n, bytes, to;
    unsigned runs, next, filled, outliers, stale, guesses;
    unsigned own, alone;          /* runs of this process, of `runs`; those that had the place for themselves */
    double asked;                 /* region.spent when it last was run here to learn */
    unsigned long retry;          /* region.runs from which on it is asked again though it lost; 0: never */
    unsigned gap;                 /* runs between two of these */
    bool doubtful;                /* it got slow of a sudden */
    double median, spread, error; /* seconds; seconds; share of the median */
    double baseline;              /* the median before it got slow, while that is not long ago; seconds */
    unsigned above_baseline;      /* runs in a row that took longer than usual */
    float ring[RING], errors[RING];
};
struct model {
    struct cell cells[CELLS];
    int count;
    double first,
        asked; /* seconds of the shortest first run in a process; region.spent when it was last run to learn */
    /* The fitted line: T = setup + per_item n + per_byte bytes + link (per_to to + per_from from). The last term is
       what the links alone would take, and `link` how much of that the region shows. */
    double setup, per_item, per_byte, per_to, per_from, link;
    bool fitted;
};

/* NULL: there is none of about that size, and `make` is false. */
MODEL_HIDDEN struct cell *heddle__model_cell(struct model *m, const struct size *size, bool make);
/* One more run; predicted < 0: it was not predicted. `runs`: of the region. */
MODEL_HIDDEN void heddle__cell_add(struct cell *c, double predicted, double seconds, unsigned long runs);
MODEL_HIDDEN double heddle__cell_median(struct cell *c);
MODEL_HIDDEN double heddle__cell_least(const struct cell *c); /* seconds of the shortest run that is remembered */
MODEL_HIDDEN double heddle__cell_error(const struct cell *c);
MODEL_HIDDEN bool heddle__cell_has_settled(const struct cell *c); /* the last two runs agree, or it is given up */
MODEL_HIDDEN bool heddle__cell_is_suspect(const struct cell *c);  /* slower than usual, nobody knows for how long */
/* The rates are those of the links, in seconds per byte to a device and from it. */
MODEL_HIDDEN void heddle__model_fit_line(struct model *m, double per_to, double per_from);
MODEL_HIDDEN double heddle__model_predict(const struct model *m, const struct size *size); /* by the line; seconds */
MODEL_HIDDEN double heddle__per_byte(const struct model *m, const struct size *size); /* T_trans of the fitted line */
MODEL_HIDDEN double heddle__median(float *t, int n);                                  /* sorts t */

#endif
