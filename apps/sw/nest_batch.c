/* SPDX-License-Identifier: Apache-2.0 */
/* Local alignment of a batch: many sequences joined as rows against one as columns (Smith, Waterman
 * 1981; affine gaps: Gotoh 1982). A row that starts a sequence sees zeros above it (cont[] masks
 * them), so one nest does the work of many; each row reports its best score and the column of it.
 * Four nests instead of one with switches: the inner loop is all that counts here. */
#include "nest.h"

static inline int max2(int x, int y) { return x > y ? x : y; }

void SW_NEST(batch_equal_linear)(const struct sw_batch *work, const struct sw_scheme *scheme) {
    const int n = work->n, m = work->m;
    const signed char *a = work->a, *b = work->b;
    const int *cont = work->cont;
    int(*H)[m + 1] = (int(*)[m + 1]) work->rolling;
    int *best = work->best, *end = work->end;
    const int match = scheme->match, mismatch = scheme->mismatch;
    const int gap = scheme->open;
#pragma heddle wavefront map(to: a[0:n], cont[0:n], b[0:m]) keep(H: none)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int up = H[(i - 1) & 1][j] & cont[i - 1];
            int corner = H[(i - 1) & 1][j - 1] & cont[i - 1];
            int s = a[i - 1] == b[j - 1] ? match : mismatch;
            int gapped = max2(up, H[i & 1][j - 1]) - gap;
            int h = max2(max2(corner + s, 0), gapped);
            H[i & 1][j] = h;
            if (h > best[i]) {
                best[i] = h;
                end[i] = j;
            }
        }
}

void SW_NEST(batch_equal_affine)(const struct sw_batch *work, const struct sw_scheme *scheme) {
    const int n = work->n, m = work->m;
    const signed char *a = work->a, *b = work->b;
    const int *cont = work->cont;
    int(*H)[m + 1] = (int(*)[m + 1]) work->rolling;
    int *best = work->best, *end = work->end;
    const int match = scheme->match, mismatch = scheme->mismatch;
    const int open = scheme->open, extend = scheme->extend;
    int *F = work->down, *E = work->right;
#pragma heddle wavefront map(to: a[0:n], cont[0:n], b[0:m]) keep(H: none)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int up = H[(i - 1) & 1][j] & cont[i - 1];
            int corner = H[(i - 1) & 1][j - 1] & cont[i - 1];
            int s = a[i - 1] == b[j - 1] ? match : mismatch;
            int f = max2((F[j] & cont[i - 1]) - extend, up - open);
            int e = max2(E[i] - extend, H[i & 1][j - 1] - open);
            int h = max2(max2(corner + s, 0), max2(e, f));
            F[j] = f;
            E[i] = e;
            H[i & 1][j] = h;
            if (h > best[i]) {
                best[i] = h;
                end[i] = j;
            }
        }
}

void SW_NEST(batch_matrix_linear)(const struct sw_batch *work, const struct sw_scheme *scheme) {
    const int n = work->n, m = work->m;
    const signed char *a = work->a, *b = work->b;
    const int *cont = work->cont;
    int(*H)[m + 1] = (int(*)[m + 1]) work->rolling;
    int *best = work->best, *end = work->end;
    const int(*S)[SW_CODES] = scheme->matrix;
    const int gap = scheme->open;
#pragma heddle wavefront map(to: a[0:n], cont[0:n], b[0:m], S[0:SW_CODES]) keep(H: none)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int up = H[(i - 1) & 1][j] & cont[i - 1];
            int corner = H[(i - 1) & 1][j - 1] & cont[i - 1];
            int s = S[a[i - 1]][b[j - 1]];
            int gapped = max2(up, H[i & 1][j - 1]) - gap;
            int h = max2(max2(corner + s, 0), gapped);
            H[i & 1][j] = h;
            if (h > best[i]) {
                best[i] = h;
                end[i] = j;
            }
        }
}

void SW_NEST(batch_matrix_affine)(const struct sw_batch *work, const struct sw_scheme *scheme) {
    const int n = work->n, m = work->m;
    const signed char *a = work->a, *b = work->b;
    const int *cont = work->cont;
    int(*H)[m + 1] = (int(*)[m + 1]) work->rolling;
    int *best = work->best, *end = work->end;
    const int(*S)[SW_CODES] = scheme->matrix;
    const int open = scheme->open, extend = scheme->extend;
    int *F = work->down, *E = work->right;
#pragma heddle wavefront map(to: a[0:n], cont[0:n], b[0:m], S[0:SW_CODES]) keep(H: none)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int up = H[(i - 1) & 1][j] & cont[i - 1];
            int corner = H[(i - 1) & 1][j - 1] & cont[i - 1];
            int s = S[a[i - 1]][b[j - 1]];
            int f = max2((F[j] & cont[i - 1]) - extend, up - open);
            int e = max2(E[i] - extend, H[i & 1][j - 1] - open);
            int h = max2(max2(corner + s, 0), max2(e, f));
            F[j] = f;
            E[i] = e;
            H[i & 1][j] = h;
            if (h > best[i]) {
                best[i] = h;
                end[i] = j;
            }
        }
}
