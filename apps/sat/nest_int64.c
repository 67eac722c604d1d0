/* SPDX-License-Identifier: Apache-2.0 */
/* Summed-area table (Crow 1984) of int64_t; the nest_*.c differ in this type alone. */
#include "nest.h"

void SAT_NEST(sat_int64)(int n, int m, const void *w, void *s) {
    const int64_t(*W)[m] = (const int64_t(*)[m])w;
    int64_t(*S)[m + 1] = (int64_t(*)[m + 1]) s;
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            S[i][j] = W[i - 1][j - 1] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
}
