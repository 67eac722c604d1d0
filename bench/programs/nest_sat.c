/* SPDX-License-Identifier: Apache-2.0 */
/* Summed-area table of float. Built twice, as nest_score.c is. */
#include "sat.h"

#ifdef BENCH_SERIAL
#define sat bench_serial_sat
#else
#define sat bench_heddle_sat
#endif

void sat(int n, int m, const float *values, float *sums) {
    const float(*W)[m] = (const float(*)[m])values;
    float(*S)[m + 1] = (float(*)[m + 1]) sums;
#pragma heddle wavefront schedule(scan)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            S[i][j] = W[i - 1][j - 1] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
}
