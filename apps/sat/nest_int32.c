/* SPDX-License-Identifier: Apache-2.0 */
/* Summed-area table (Crow 1984) of int32_t; the nest_*.c differ in this type alone. */
#include "nest.h"

void SAT_NEST(sat_int32)(int n, int m, const void *w, void *s) {
    const int32_t(*W)[m] = (const int32_t(*)[m])w;
    int32_t(*S)[m + 1] = (int32_t(*)[m + 1]) s;
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            S[i][j] = W[i - 1][j - 1] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
}
