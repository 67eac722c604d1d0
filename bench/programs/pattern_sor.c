/* SPDX-License-Identifier: Apache-2.0 */
/* One sweep of successive over-relaxation with a right-hand side. */
#include "patterns.h"

static double sweep(const struct pattern_work *w, struct pattern_range r)
{
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    float(*U)[m + 2] = w->x;
    const float(*F)[m + 2] = w->y;
    const float keep = -0.5f, part = 0.375f;
#pragma heddle wavefront
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++)
            U[i][j] = keep * U[i][j] +
                      part * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1] - F[i][j]);
    return 0;
}

const struct pattern PATTERN(sor) = {"sor", true, 12, 'f', PATTERN_SMALL, PATTERN_SMALL, sweep};
