/* SPDX-License-Identifier: Apache-2.0 */
/* What warp.c and pair.c share: numbers in the engine's precision, measuring and comparing. */
#ifndef DTW_ENGINE_H
#define DTW_ENGINE_H

#include "nest.h"
#include "warp.h"

struct dtw_buffers {
    void *samples; /* in single precision; NULL: those of the set */
    long *start;   /* [series + 1] */
    double *times; /* [repeat] */

    int pairs; /* what there is room for */
    int *x, *y, *place;
    void *sums, *check_sums;

    size_t rows, cols;
    void *last, *check_last, *rolling, *edge;
};

const struct dtw_nests *dtw_nests(const struct dtw_engine *engine, bool serial);
size_t dtw_size(const struct dtw_engine *engine); /* bytes of a number */
const void *dtw_samples(const struct dtw_engine *engine, size_t at);
double dtw_value(const struct dtw_engine *engine, const void *numbers, size_t at);

/* The nest's measured calls, and with --check the serial one before: `work` as `call` takes it. Results are `count`
 * numbers from `result` on, those of the serial nest from `expected` on. */
typedef void dtw_call(const struct dtw_engine *engine, const struct dtw_nests *nests, const void *work, void *result);
void dtw_measure(struct dtw_engine *engine, dtw_call *call, const void *work, void *result, void *expected,
                 size_t count, double cells);

/* --- pair.c ---- */

int dtw_half_width(const struct dtw_engine *engine, int rows, int cols);
/* Whether blocks along the band have less than 1 / `part` of the matrix. */
bool dtw_is_narrow(const struct dtw_engine *engine, int rows, int cols, double part);
double dtw_pair(struct dtw_engine *engine, int x, int y);

#endif
