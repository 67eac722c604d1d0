/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that read further along the row above than an application's do: one column to the right, and two to the left. */
#include "patterns.h"

static double ahead(const struct pattern_work *w, struct pattern_range r) {
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    int(*A)[m + 2] = w->x;
    const signed char *a = w->a, *b = w->b;
#pragma heddle wavefront map(to: a[0:i1+1], b[0:m+1])
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++) {
            int s = a[i] == b[j] ? 2 : -1;
            A[i][j] =
                bench_max(bench_max(A[i - 1][j - 1], A[i - 1][j + 1]) + s, bench_max(A[i - 1][j], A[i][j - 1]) - 1);
        }
    return 0;
}

static double behind(const struct pattern_work *w, struct pattern_range r) {
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = bench_max(r.j0, 2), j1 = r.j1;
    int(*A)[m + 2] = w->x;
    const signed char *a = w->a, *b = w->b;
#pragma heddle wavefront map(to: a[0:i1+1], b[0:m+1])
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++) {
            int s = a[i] == b[j] ? 2 : -1;
            A[i][j] =
                bench_max(bench_max(A[i - 1][j - 2], A[i - 1][j - 1]) + s, bench_max(A[i - 1][j], A[i][j - 1]) - 1);
        }
    return 0;
}

const struct pattern PATTERN(ahead) = {"ahead", true, false, 4, 'i', PATTERN_SMALL, PATTERN_ZERO, ahead};
const struct pattern PATTERN(behind) = {"behind", true, false, 4, 'i', PATTERN_SMALL, PATTERN_ZERO, behind};
