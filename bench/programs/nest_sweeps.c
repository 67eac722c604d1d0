/* SPDX-License-Identifier: Apache-2.0 */
/* Successive over-relaxation in place, many sweeps. Built twice, as nest_score.c is. */
#include "bench.h"

#ifdef BENCH_SERIAL
#define over_relax bench_serial_sweeps
#else
#define over_relax bench_heddle_sweeps
#endif

void over_relax(int n, int m, float *cells, long count) {
    float(*U)[m + 2] = (float(*)[m + 2]) cells;
#pragma heddle wavefront sweeps(t)
    for (long t = 0; t < count; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                U[i][j] = -0.5f * U[i][j] + 0.375f * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1]);
}
