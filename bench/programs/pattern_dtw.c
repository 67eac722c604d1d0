/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic time warping of two series: the distance alone, and with every cell kept. The series are
 * the first rows of y. */
#include "patterns.h"

static inline double min2(double x, double y) { return x < y ? x : y; }

static inline double apart(double x, double y) { return x < y ? y - x : x - y; }

static double distance(const struct pattern_work *w, struct pattern_range r) {
    const int n = w->n, m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    double(*D)[m + 2] = w->x;
    const double *s = w->y, *t = s + n + 1;
#pragma heddle wavefront map(to: s[0:n+1], t[0:m+1]) keep(D: last)
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++)
            D[i][j] = apart(s[i], t[j]) + min2(min2(D[i - 1][j], D[i][j - 1]), D[i - 1][j - 1]);
    return i1 == n && j1 == m ? D[n][m] : 0;
}

static double all(const struct pattern_work *w, struct pattern_range r) {
    const int n = w->n, m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    double(*D)[m + 2] = w->x;
    const double *s = w->y, *t = s + n + 1;
#pragma heddle wavefront map(to: s[0:n+1], t[0:m+1])
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++)
            D[i][j] = apart(s[i], t[j]) + min2(min2(D[i - 1][j], D[i][j - 1]), D[i - 1][j - 1]);
    return 0;
}

const struct pattern PATTERN(dtw) = {"dtw", false, false, 0, 'd', PATTERN_FAR, PATTERN_SMALL, distance};
const struct pattern PATTERN(dtw_all) = {"dtw-all", true, false, 8, 'd', PATTERN_FAR, PATTERN_SMALL, all};
