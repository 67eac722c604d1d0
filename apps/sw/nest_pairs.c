/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of pairs in 16 bits, as in nest_scores.c, where both sequences are a problem's own. */
#include "nest.h"

#include <string.h>

static inline short max2(short x, short y) { return x > y ? x : y; }

void SW_NEST(pairs_equal)(const struct sw_pairs *work, const struct sw_scheme *scheme) {
    const int count = work->count, *a_length = work->a_length, *b_length = work->b_length;
    const long *a_first = work->a_first, *b_first = work->b_first;
    const signed char *a_all = work->a, *b_all = work->b;
    const short match = (short)scheme->match, mismatch = (short)scheme->mismatch;
    const short open = (short)scheme->open, extend = (short)scheme->extend;
    short *score = work->score;
#pragma heddle wavefront batch(p) reduction(max: best)                                                                 \
    map(to: a_all[0:work->a_residues], b_all[0:work->b_residues]) map(from: score[0:count])
    for (int p = 0; p < count; p++) {
        const int n = a_length[p], m = b_length[p];
        const signed char *a = a_all + a_first[p], *b = b_all + b_first[p];
        short best = 0;
        short H[2][m + 1], F[m + 1], E[n + 1];
        memset(H, 0, sizeof H);
        memset(F, 0, sizeof F);
        memset(E, 0, sizeof E);
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                short s = a[i - 1] == b[j - 1] ? match : mismatch;
                short f = max2(F[j] - extend, H[(i - 1) & 1][j] - open);
                short e = max2(E[i] - extend, H[i & 1][j - 1] - open);
                short h = max2(max2(H[(i - 1) & 1][j - 1] + s, 0), max2(e, f));
                F[j] = f;
                E[i] = e;
                H[i & 1][j] = h;
                best = max2(best, h);
            }
        score[p] = best;
    }
}
