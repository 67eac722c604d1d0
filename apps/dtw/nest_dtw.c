/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic time warping (Sakoe, Chiba 1978) of many series, joined as rows, against one as columns.
 * The first row of a series sees "far" above it, except for the corner where a path may start; so
 * one nest does the work of many. The band (same paper) limits the path to |row - column| <= width.
 */
#include "nest.h"

static inline double min2(double x, double y) { return x < y ? x : y; }

static inline double distance(double x, double y) { return x < y ? y - x : x - y; }

static inline int apart(int x, int y) { return x < y ? y - x : x - y; }

static void absolute(const struct dtw_batch *work) {
    const int n = work->n, m = work->m;
    const double *a = work->a, *b = work->b;
    const int *place = work->place;
    double(*D)[m + 1] = (double(*)[m + 1]) work->rolling;
    double *last = work->last;
#pragma heddle wavefront map(to: a[0:n], place[0:n], b[0:m]) keep(D: none)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int first = place[i - 1] == 1;
            double up = first ? DTW_FAR : D[(i - 1) & 1][j];
            double start = j == 1 ? 0.0 : DTW_FAR;
            double corner = first ? start : D[(i - 1) & 1][j - 1];
            double d = distance(a[i - 1], b[j - 1]) + min2(min2(up, corner), D[i & 1][j - 1]);
            D[i & 1][j] = d;
            last[i] = d;
        }
}

static void absolute_band(const struct dtw_batch *work) {
    const int n = work->n, m = work->m;
    const double *a = work->a, *b = work->b;
    const int *place = work->place, *width = work->width;
    double(*D)[m + 1] = (double(*)[m + 1]) work->rolling;
    double *last = work->last;
#pragma heddle wavefront map(to: a[0:n], place[0:n], width[0:n], b[0:m]) keep(D: last)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int first = place[i - 1] == 1;
            double up = first ? DTW_FAR : D[(i - 1) & 1][j];
            double start = j == 1 ? 0.0 : DTW_FAR;
            double corner = first ? start : D[(i - 1) & 1][j - 1];
            double d = distance(a[i - 1], b[j - 1]) + min2(min2(up, corner), D[i & 1][j - 1]);
            d = apart(place[i - 1], j) <= width[i - 1] ? d : DTW_FAR;
            D[i & 1][j] = d;
            last[i] = d;
        }
}

static void squared(const struct dtw_batch *work) {
    const int n = work->n, m = work->m;
    const double *a = work->a, *b = work->b;
    const int *place = work->place;
    double(*D)[m + 1] = (double(*)[m + 1]) work->rolling;
    double *last = work->last;
#pragma heddle wavefront map(to: a[0:n], place[0:n], b[0:m]) keep(D: none)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int first = place[i - 1] == 1;
            double up = first ? DTW_FAR : D[(i - 1) & 1][j];
            double start = j == 1 ? 0.0 : DTW_FAR;
            double corner = first ? start : D[(i - 1) & 1][j - 1];
            double d = (a[i - 1] - b[j - 1]) * (a[i - 1] - b[j - 1]) + min2(min2(up, corner), D[i & 1][j - 1]);
            D[i & 1][j] = d;
            last[i] = d;
        }
}

static void squared_band(const struct dtw_batch *work) {
    const int n = work->n, m = work->m;
    const double *a = work->a, *b = work->b;
    const int *place = work->place, *width = work->width;
    double(*D)[m + 1] = (double(*)[m + 1]) work->rolling;
    double *last = work->last;
#pragma heddle wavefront map(to: a[0:n], place[0:n], width[0:n], b[0:m]) keep(D: last)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int first = place[i - 1] == 1;
            double up = first ? DTW_FAR : D[(i - 1) & 1][j];
            double start = j == 1 ? 0.0 : DTW_FAR;
            double corner = first ? start : D[(i - 1) & 1][j - 1];
            double d = (a[i - 1] - b[j - 1]) * (a[i - 1] - b[j - 1]) + min2(min2(up, corner), D[i & 1][j - 1]);
            d = apart(place[i - 1], j) <= width[i - 1] ? d : DTW_FAR;
            D[i & 1][j] = d;
            last[i] = d;
        }
}

#ifdef DTW_SERIAL
const struct dtw_nests dtw_nests_serial = {
#else
const struct dtw_nests dtw_nests_heddle = {
#endif
    .absolute = absolute,
    .squared = squared,
    .absolute_band = absolute_band,
    .squared_band = squared_band,
};
