/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of pairs of series of a set. Pairs are computed together, each as a problem of its own; a pair of very long
 * series, or one whose band is narrow against them, is computed alone. Memory: 16 bytes per pair of a call, 8 per
 * sample in single precision. */
#ifndef DTW_WARP_H
#define DTW_WARP_H

#include "series.h"

struct dtw_engine {
    bool squared, single;
    long band; /* half width, -1: none; widened to the difference of the lengths, else no path exists */
    int repeat;
    bool check;

    double seconds, cells; /* results */
    bool differs;
    const struct series_set *set;
    struct dtw_buffers *buffers;
};

/* The set stays as it is until dtw_engine_stop(). */
void dtw_engine_start(struct dtw_engine *engine, const struct series_set *set);
void dtw_engine_stop(struct dtw_engine *engine);
/* sums[k] of series x[k] to series y[k]. */
void dtw_warp(struct dtw_engine *engine, int count, const int *x, const int *y, double *sums);
/* Cells of a pair's matrix, those outside a band, too. */
double dtw_cells(const struct series_set *set, int x, int y);

#endif
