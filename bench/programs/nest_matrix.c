/* SPDX-License-Identifier: Apache-2.0 */
/* Smith-Waterman with every cell kept. Built twice, as nest_score.c is. */
#include "bench.h"

#ifdef BENCH_SERIAL
#define matrix bench_serial_matrix
#else
#define matrix bench_heddle_matrix
#endif

void matrix(int n, int m, const signed char *a, const signed char *b, int *cells) {
    int(*H)[m + 1] = (int(*)[m + 1]) cells;
#pragma heddle wavefront map(to: a[0:n], b[0:m]) map(tofrom: H[0:n+1][0:m+1]) keep(H: all)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = a[i - 1] == b[j - 1] ? 2 : -1;
            int gapped = bench_max(H[i - 1][j], H[i][j - 1]) - 1;
            H[i][j] = bench_max(bench_max(H[i - 1][j - 1] + s, 0), gapped);
        }
}
