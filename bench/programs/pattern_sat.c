/* SPDX-License-Identifier: Apache-2.0 */
/* Summed-area table. */
#include "patterns.h"

static double table(const struct pattern_work *w, struct pattern_range r) {
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    int(*S)[m + 2] = w->x;
    const int(*W)[m + 2] = w->y;
#pragma heddle wavefront
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++)
            S[i][j] = W[i][j] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
    return 0;
}

const struct pattern PATTERN(sat) = {"sat", true, false, 8, 'i', PATTERN_ZERO, PATTERN_SMALL, table};
