/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic time warping (Sakoe, Chiba 1978): many pairs, each a problem of its own, and one large pair. The band (same
 * paper) limits the path to |row - column| <= width. Compiled once for each precision and cost: DTW_REAL is float or
 * double, DTW_COST is absolute or squared. */
#include "nest.h"

#include <stddef.h>

typedef DTW_REAL real;
static const real far = DTW_JOINED(DTW_FAR_, DTW_REAL);

#define COST_absolute(x, y) ((x) < (y) ? (y) - (x) : (x) - (y))
#define COST_squared(x, y) (((x) - (y)) * ((x) - (y)))
static inline real cost(real x, real y) { return DTW_JOINED(COST_, DTW_COST)(x, y); }

static inline real min2(real x, real y) { return x < y ? x : y; }

static inline int apart(int x, int y) { return x < y ? y - x : x - y; }

static inline int max2(int x, int y) { return x > y ? x : y; }

static void pairs(const struct dtw_pairs *work, void *result) {
    const int count = work->count, series = work->series;
    const int *x = work->x, *y = work->y;
    const long *start = work->start;
    const real *samples = work->samples;
    real *sum = result;
    (void)series;
#pragma heddle wavefront batch(p) map(to: samples[0:start[series]], start[0:series + 1], x[0:count], y[0:count])       \
    map(from: sum[0:count])
    for (int p = 0; p < count; p++) {
        const int n = (int)(start[x[p] + 1] - start[x[p]]), m = (int)(start[y[p] + 1] - start[y[p]]);
        const real *a = samples + start[x[p]], *b = samples + start[y[p]];
        real D[2][m + 1];
        for (int j = 0; j <= m; j++)
            D[0][j] = D[1][j] = far;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                real corner = i == 1 && j == 1 ? 0 : D[(i - 1) & 1][j - 1];
                D[i & 1][j] = cost(a[i - 1], b[j - 1]) + min2(min2(D[(i - 1) & 1][j], corner), D[i & 1][j - 1]);
            }
        sum[p] = D[n & 1][m];
    }
}

/* No path exists if the band is narrower than the difference of the lengths. */
static void pairs_band(const struct dtw_pairs *work, void *result) {
    const int count = work->count, series = work->series, band = work->band;
    const int *x = work->x, *y = work->y;
    const long *start = work->start;
    const real *samples = work->samples;
    real *sum = result;
    (void)series;
#pragma heddle wavefront batch(p) map(to: samples[0:start[series]], start[0:series + 1], x[0:count], y[0:count])       \
    map(from: sum[0:count])
    for (int p = 0; p < count; p++) {
        const int n = (int)(start[x[p] + 1] - start[x[p]]), m = (int)(start[y[p] + 1] - start[y[p]]);
        const real *a = samples + start[x[p]], *b = samples + start[y[p]];
        const int width = max2(band, apart(n, m));
        real D[2][m + 1];
        for (int j = 0; j <= m; j++)
            D[0][j] = D[1][j] = far;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                real corner = i == 1 && j == 1 ? 0 : D[(i - 1) & 1][j - 1];
                real d = cost(a[i - 1], b[j - 1]) + min2(min2(D[(i - 1) & 1][j], corner), D[i & 1][j - 1]);
                D[i & 1][j] = apart(i, j) <= width ? d : far;
            }
        sum[p] = D[n & 1][m];
    }
}

/* Row 0 is the one above the first; what lies left of the first column is far. */
static real enter(const struct dtw_pair *work) {
    const size_t cols = (size_t)work->m + 1;
    const real *top = work->top;
    real *rolling = work->rolling;
    for (size_t k = 0; k < 2 * cols; k++)
        rolling[k] = top && k < cols ? top[k] : far;
    return top ? top[0] : 0;
}

static void pair(const struct dtw_pair *work, void *result) {
    const int n = work->n, m = work->m;
    const real *a = work->a, *b = work->b;
    const real start = enter(work);
    real(*D)[m + 1] = work->rolling;
    real *last = result;
#pragma heddle wavefront map(to: a[0:n], b[0:m]) keep(D: none)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            real corner = i == 1 && j == 1 ? start : D[(i - 1) & 1][j - 1];
            real d = cost(a[i - 1], b[j - 1]) + min2(min2(D[(i - 1) & 1][j], corner), D[i & 1][j - 1]);
            D[i & 1][j] = d;
            last[i] = d;
        }
}

static void pair_band(const struct dtw_pair *work, void *result) {
    const int n = work->n, m = work->m, shift = work->shift, width = work->width;
    const real *a = work->a, *b = work->b;
    const real start = enter(work);
    real(*D)[m + 1] = work->rolling;
    real *last = result;
#pragma heddle wavefront map(to: a[0:n], b[0:m]) keep(D: last)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            real corner = i == 1 && j == 1 ? start : D[(i - 1) & 1][j - 1];
            real d = cost(a[i - 1], b[j - 1]) + min2(min2(D[(i - 1) & 1][j], corner), D[i & 1][j - 1]);
            d = apart(i + shift, j) <= width ? d : far;
            D[i & 1][j] = d;
            last[i] = d;
        }
}

#ifdef DTW_SERIAL
const struct dtw_nests DTW_NESTS(DTW_REAL, DTW_COST, serial) = {
#else
const struct dtw_nests DTW_NESTS(DTW_REAL, DTW_COST, heddle) = {
#endif
    .pairs = pairs, .pairs_band = pairs_band, .pair = pair, .pair_band = pair_band};
