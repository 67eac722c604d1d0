/* SPDX-License-Identifier: Apache-2.0 */
/* Smith-Waterman, score only, two rolling rows. This file is built twice: through heddle, and by
 * the plain compiler, which does not know the pragma (BENCH_SERIAL). */
#include "bench.h"

#ifdef BENCH_SERIAL
#define score bench_serial_score
#else
#define score bench_heddle_score
#endif

int score(int n, int m, const signed char *a, const signed char *b, int *rolling) {
    int(*H)[m + 1] = (int(*)[m + 1]) rolling;
    int best = 0;
#pragma heddle wavefront map(to: a[0:n], b[0:m]) keep(H: none) reduction(max: best)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = a[i - 1] == b[j - 1] ? 2 : -1;
            int gapped = bench_max(H[(i - 1) & 1][j], H[i & 1][j - 1]) - 1;
            int h = bench_max(bench_max(H[(i - 1) & 1][j - 1] + s, 0), gapped);
            H[i & 1][j] = h;
            best = bench_max(best, h);
        }
    return best;
}
