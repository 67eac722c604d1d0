/* SPDX-License-Identifier: Apache-2.0 */
/* One in-place sweep of the mean of four neighbours. */
#include "patterns.h"

static double sweep(const struct pattern_work *w, struct pattern_range r)
{
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    float(*A)[m + 2] = w->x;
#pragma heddle wavefront
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) / 4;
    return 0;
}

const struct pattern PATTERN(heat2d) = {"heat2d", true, 8, 'f', PATTERN_SMALL, PATTERN_ZERO, sweep};
