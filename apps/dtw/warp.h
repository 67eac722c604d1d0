/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of many series to one. Rows are joined up to rows_most at a time; memory is about 24
 * bytes per row and 24 per column. Where a band is narrow against long series, only the blocks of
 * cells that it crosses are computed. */
#ifndef DTW_WARP_H
#define DTW_WARP_H

#include "series.h"

struct dtw_engine {
    bool squared;
    long band; /* half width, -1: none; widened to the difference of the lengths, else no path
                  exists */
    long rows_most;
    int repeat;
    bool check;

    double seconds, cells; /* results */
    bool differs;
    struct dtw_buffers *buffers;
};

void dtw_engine_start(struct dtw_engine *engine);
void dtw_engine_stop(struct dtw_engine *engine);
/* sums[k] of rows->at[first + k] to the column series, for all series from first to last - 1. */
void dtw_warp(struct dtw_engine *engine, const struct series_set *rows, int first, int last, const double *column,
              int length, double *sums);

#endif
