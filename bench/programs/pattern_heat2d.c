/* SPDX-License-Identifier: Apache-2.0 */
/* In-place sweeps of the mean of four neighbours: one, and several as apps/heat2d has them. */
#include "patterns.h"

static double sweep(const struct pattern_work *w, struct pattern_range r) {
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    float(*A)[m + 2] = w->x;
#pragma heddle wavefront
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) / 4;
    return 0;
}

/* Returns the largest change in the last sweep. */
static double relax(const struct pattern_work *w, struct pattern_range r) {
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    const long t0 = w->t0, t1 = w->t1, sweeps = w->sweeps;
    float(*A)[m + 2] = w->x;
    float change = 0;
#pragma heddle wavefront sweeps(t) reduction(max: change)
    for (long t = t0; t <= t1; t++)
        for (int i = i0; i <= i1; i++)
            for (int j = j0; j <= j1; j++) {
                float value = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) / 4;
                float by = value < A[i][j] ? A[i][j] - value : value - A[i][j];
                if (t == sweeps)
                    change = by > change ? by : change;
                A[i][j] = value;
            }
    return change;
}

const struct pattern PATTERN(heat2d) = {"heat2d", true, false, 8, 'f', PATTERN_SMALL, PATTERN_ZERO, sweep};
const struct pattern PATTERN(heat2d_sweeps) = {"heat2d-sweeps", true, true, 8, 'f', PATTERN_SMALL, PATTERN_ZERO, relax};
