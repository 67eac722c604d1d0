/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of one sequence against many, in 16 bits (Smith, Waterman 1981; affine gaps: Gotoh 1982). Each of the many is
 * a problem of its own, as long as it is. A score that is near the largest 16-bit number may be wrong, since cells
 * wrap: the caller repeats such a pair in 32 bits. */
#include "nest.h"

#include <string.h>

static inline short max2(short x, short y) { return x > y ? x : y; }

void SW_NEST(scores_equal)(const struct sw_scores *work, const struct sw_scheme *scheme) {
    const int n = work->n, count = work->count, *length = work->length;
    const long *first = work->first;
    const signed char *a = work->a, *b_all = work->b;
    const short match = (short)scheme->match, mismatch = (short)scheme->mismatch;
    const short open = (short)scheme->open, extend = (short)scheme->extend;
    short *score = work->score;
#pragma heddle wavefront batch(p) reduction(max: best) map(to: a[0:n], b_all[0:work->residues]) map(from: score[0:count])
    for (int p = 0; p < count; p++) {
        const int m = length[p];
        const signed char *b = b_all + first[p];
        short best = 0;
        short H[2][m + 1], F[m + 1], E[n + 1];
        memset(H, 0, sizeof H);
        memset(F, 0, sizeof F);
        memset(E, 0, sizeof E);
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                short s = a[i - 1] == b[j - 1] ? match : mismatch;
                short f = max2(F[j] - extend, H[(i - 1) & 1][j]);
                short e = max2(E[i] - extend, H[i & 1][j - 1]);
                short h = max2(max2(max2(H[(i - 1) & 1][j - 1] + s, e - open), f - open), 0);
                F[j] = f;
                E[i] = e;
                H[i & 1][j] = h;
                best = max2(best, h);
            }
        score[p] = best;
    }
}

void SW_NEST(scores_matrix)(const struct sw_scores *work, const struct sw_scheme *scheme) {
    const int n = work->n, count = work->count, *length = work->length;
    const long *first = work->first;
    const signed char *a = work->a, *b_all = work->b;
    const short(*S)[SW_CODES] = work->matrix;
    const short open = (short)scheme->open, extend = (short)scheme->extend;
    short *score = work->score;
#pragma heddle wavefront batch(p) reduction(max: best) map(to: a[0:n], b_all[0:work->residues], S[0:SW_CODES])               \
    map(from: score[0:count])
    for (int p = 0; p < count; p++) {
        const int m = length[p];
        const signed char *b = b_all + first[p];
        short best = 0;
        short H[2][m + 1], F[m + 1], E[n + 1];
        memset(H, 0, sizeof H);
        memset(F, 0, sizeof F);
        memset(E, 0, sizeof E);
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                short s = S[a[i - 1]][b[j - 1]];
                short f = max2(F[j] - extend, H[(i - 1) & 1][j]);
                short e = max2(E[i] - extend, H[i & 1][j - 1]);
                short h = max2(max2(max2(H[(i - 1) & 1][j - 1] + s, e - open), f - open), 0);
                F[j] = f;
                E[i] = e;
                H[i & 1][j] = h;
                best = max2(best, h);
            }
        score[p] = best;
    }
}
