/* SPDX-License-Identifier: Apache-2.0 */
/* The nest of nest_score.c for many problems: a and b cut into pieces of `side` letters, every piece of one against
 * every piece of the other, so that all problems together have the cells of the one pair. Built twice, as nest_score.c
 * is. */
#include "batch.h"

#ifdef BENCH_SERIAL
#define scores bench_serial_scores
#else
#define scores bench_heddle_scores
#endif

void scores(int n, int m, const signed char *a, const signed char *b, int side, int *score) {
    const int across = m / side, count = n / side * across;
#pragma heddle wavefront batch(p) reduction(max: best) map(to: a[0:n], b[0:m]) map(from: score[0:count])
    for (int p = 0; p < count; p++) {
        const signed char *rows = a + p / across * side, *cols = b + p % across * side;
        int best = 0;
        int H[2][side + 1];
        for (int j = 0; j <= side; j++)
            H[0][j] = H[1][j] = 0;
        for (int i = 1; i <= side; i++)
            for (int j = 1; j <= side; j++) {
                int s = rows[i - 1] == cols[j - 1] ? 2 : -1;
                int gapped = bench_max(H[(i - 1) & 1][j], H[i & 1][j - 1]) - 1;
                int h = bench_max(bench_max(H[(i - 1) & 1][j - 1] + s, 0), gapped);
                H[i & 1][j] = h;
                best = bench_max(best, h);
            }
        score[p] = best;
    }
}
