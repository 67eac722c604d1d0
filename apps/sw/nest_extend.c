/* SPDX-License-Identifier: Apache-2.0 */
/* Global alignment rows with affine gaps (Gotoh 1982), anchored in the top left corner. Serves
 * twice: the best cell of the reversed prefixes is where a local alignment starts, and the last
 * rows of two half problems tell where the alignment crosses the middle (Myers, Miller 1988).
 * Column 1 is the boundary, given as row data, which keeps the nest perfect. */
#include "nest.h"

static inline int max2(int x, int y) { return x > y ? x : y; }

void SW_NEST(extend)(const struct sw_extend *work, const struct sw_scheme *scheme) {
    const int n = work->n, m = work->m, open = scheme->open, extend = scheme->extend;
    const signed char *a = work->a, *b = work->b;
    const int *edge = work->edge;
    const int(*S)[SW_CODES] = scheme->matrix;
    int(*H)[m + 1] = (int(*)[m + 1]) work->rolling;
    int *F = work->down, *E = work->right, *best = work->best, *end = work->end;
#pragma heddle wavefront map(to: a[0:n], b[0:m], edge[0:n], S[0:SW_CODES]) keep(H: last)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int f = max2(F[j] - extend, H[(i - 1) & 1][j] - open);
            int e = max2(E[i] - extend, H[i & 1][j - 1] - open);
            int h = max2(H[(i - 1) & 1][j - 1] + S[a[i - 1]][b[j - 1]], max2(e, f));
            h = j == 1 ? edge[i - 1] : h;
            f = j == 1 ? edge[i - 1] : f;
            F[j] = f;
            E[i] = e;
            H[i & 1][j] = h;
            if (h > best[i]) {
                best[i] = h;
                end[i] = j;
            }
        }
}
