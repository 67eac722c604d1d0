/* SPDX-License-Identifier: Apache-2.0 */
/* Where one sequence's best alignments with many others end, whose scores are known: the first row and the first column
 * of cells with that score, in 16 bits as in nest_scores.c. Each problem has as many rows as its caller wants. */
#include "nest.h"

#include <limits.h>
#include <string.h>

static inline short max2(short x, short y) { return x > y ? x : y; }
static inline short min2(short x, short y) { return x < y ? x : y; }

void SW_NEST(ends_matrix)(const struct sw_ends *work, const struct sw_scheme *scheme) {
    const int count = work->count, *rows = work->rows, *length = work->length;
    const long *first = work->first;
    const signed char *a = work->a, *b_all = work->b;
    const short(*S)[SW_CODES] = work->matrix;
    const short open = (short)scheme->open, extend = (short)scheme->extend;
    const short *score = work->score;
    short *row = work->row, *column = work->column;
#pragma heddle wavefront batch(p) reduction(min: top, left)                                                            \
    map(to: a[0:work->n], b_all[0:work->residues], S[0:SW_CODES]) map(from: row[0:count], column[0:count])
    for (int p = 0; p < count; p++) {
        const int n = rows[p], m = length[p];
        const signed char *b = b_all + first[p];
        const short wanted = score[p];
        short top = SHRT_MAX, left = SHRT_MAX;
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
                short y = h == wanted ? (short)i : SHRT_MAX;
                short x = h == wanted ? (short)j : SHRT_MAX;
                top = min2(top, y);
                left = min2(left, x);
            }
        row[p] = top;
        column[p] = left;
    }
}
