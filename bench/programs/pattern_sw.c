/* SPDX-License-Identifier: Apache-2.0 */
/* Smith-Waterman: the score alone, and with every cell kept. */
#include "patterns.h"

static double score(const struct pattern_work *w, struct pattern_range r) {
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    int(*H)[m + 2] = w->x;
    const signed char *a = w->a, *b = w->b;
    int best = 0;
#pragma heddle wavefront map(to: a[0:i1+1], b[0:m+1]) keep(H: none) reduction(max: best)
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++) {
            int s = a[i] == b[j] ? 2 : -1;
            int gapped = bench_max(H[i - 1][j], H[i][j - 1]) - 1;
            int h = bench_max(bench_max(H[i - 1][j - 1] + s, 0), gapped);
            H[i][j] = h;
            best = bench_max(best, h);
        }
    return best;
}

static double all(const struct pattern_work *w, struct pattern_range r) {
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    int(*H)[m + 2] = w->x;
    const signed char *a = w->a, *b = w->b;
#pragma heddle wavefront map(to: a[0:i1+1], b[0:m+1]) keep(H: all)
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++) {
            int s = a[i] == b[j] ? 2 : -1;
            int gapped = bench_max(H[i - 1][j], H[i][j - 1]) - 1;
            H[i][j] = bench_max(bench_max(H[i - 1][j - 1] + s, 0), gapped);
        }
    return 0;
}

const struct pattern PATTERN(sw) = {"sw", false, false, 0, 'i', PATTERN_ZERO, PATTERN_ZERO, score};
const struct pattern PATTERN(sw_all) = {"sw-all", true, false, 4, 'i', PATTERN_ZERO, PATTERN_ZERO, all};
