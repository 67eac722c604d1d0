/* SPDX-License-Identifier: Apache-2.0 */
/* Local alignment score of one pair (Smith, Waterman 1981; affine gaps: Gotoh 1982). Only the score
 * leaves the loop, so memory is O(n + m) and the inner state can stay in registers. */
#include "nest.h"

static inline int max2(int x, int y) { return x > y ? x : y; }

int SW_NEST(score_linear)(int n, int m, const signed char *a, const signed char *b, int match, int mismatch, int gap,
                          int *rolling) {
    int(*H)[m + 1] = (int(*)[m + 1]) rolling;
    int best = 0;
#pragma heddle wavefront map(to: a[0:n], b[0:m]) keep(H: none) reduction(max: best)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = a[i - 1] == b[j - 1] ? match : mismatch;
            int gapped = max2(H[(i - 1) & 1][j], H[i & 1][j - 1]) - gap;
            int h = max2(max2(H[(i - 1) & 1][j - 1] + s, 0), gapped);
            H[i & 1][j] = h;
            best = max2(best, h);
        }
    return best;
}

int SW_NEST(score_affine)(int n, int m, const signed char *a, const signed char *b, int match, int mismatch, int open,
                          int extend, int *rolling, int *down, int *right) {
    int(*H)[m + 1] = (int(*)[m + 1]) rolling;
    int *F = down, *E = right;
    int best = 0;
#pragma heddle wavefront map(to: a[0:n], b[0:m]) keep(H: none) reduction(max: best)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = a[i - 1] == b[j - 1] ? match : mismatch;
            int f = max2(F[j] - extend, H[(i - 1) & 1][j] - open);
            int e = max2(E[i] - extend, H[i & 1][j - 1] - open);
            int h = max2(max2(H[(i - 1) & 1][j - 1] + s, 0), max2(e, f));
            F[j] = f;
            E[i] = e;
            H[i & 1][j] = h;
            best = max2(best, h);
        }
    return best;
}
