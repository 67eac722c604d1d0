/* SPDX-License-Identifier: Apache-2.0 */
/* Summed-area table (Crow 1984) of float; the nest_*.c differ in this type alone. */
#include "nest.h"

void SAT_NEST(sat_float)(int n, int m, const void *w, void *s) {
    const float(*W)[m] = (const float(*)[m])w;
    float(*S)[m + 1] = (float(*)[m + 1]) s;
#pragma heddle wavefront schedule(scan) /* sums may be added in another order */
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            S[i][j] = W[i - 1][j - 1] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
}
