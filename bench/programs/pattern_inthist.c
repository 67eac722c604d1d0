/* SPDX-License-Identifier: Apache-2.0 */
/* One bin of an integral histogram. The codes are the bytes of y. */
#include "patterns.h"

static double plane(const struct pattern_work *w, struct pattern_range r) {
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    const int bin = 0; /* frequent in the bytes of small floats */
    int(*H)[m + 2] = w->x;
    const unsigned char(*W)[m + 2] = w->y;
#pragma heddle wavefront
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++)
            H[i][j] = (W[i][j] == bin) + H[i - 1][j] + H[i][j - 1] - H[i - 1][j - 1];
    return 0;
}

const struct pattern PATTERN(inthist) = {"inthist", true, false, 5, 'i', PATTERN_ZERO, PATTERN_SMALL, plane};
