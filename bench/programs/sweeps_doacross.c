/* SPDX-License-Identifier: Apache-2.0 */
/* The sweeps as an OpenMP doacross loop over tiles, one nest for each sweep. */
#include "bench.h"

enum { HEIGHT = 64, WIDTH = 512 };

static void tile(int n, int m, float *cells, int i0, int j0) {
    float(*U)[m + 2] = (float(*)[m + 2]) cells;
    const int i1 = i0 + HEIGHT - 1 < n ? i0 + HEIGHT - 1 : n, j1 = j0 + WIDTH - 1 < m ? j0 + WIDTH - 1 : m;
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++)
            U[i][j] = -0.5f * U[i][j] + 0.375f * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1]);
}

void bench_doacross_sweeps(int n, int m, float *cells, long count) {
    const int rows = (n + HEIGHT - 1) / HEIGHT, columns = (m + WIDTH - 1) / WIDTH;
    for (long t = 0; t < count; t++) {
#pragma omp parallel for ordered(2) schedule(static, 1)
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++) {
#pragma omp ordered depend(sink : r - 1, c)
                tile(n, m, cells, 1 + r * HEIGHT, 1 + c * WIDTH);
#pragma omp ordered depend(source)
            }
    }
}
