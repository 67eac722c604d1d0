/* SPDX-License-Identifier: Apache-2.0 */
/* One tile of the recurrence, in both forms of tiles.h. */
#include "tiles.h"
#include "lane.h"

#include <string.h>

struct range {
    long i0, i1, j0, j1; /* inclusive, from 1 */
};

static int compute_full(const struct bench_pair *p, struct range t) {
    int(*H)[p->m + 1] = (int(*)[p->m + 1]) p->cells;
    const signed char *a = p->a, *b = p->b;
    int best = 0;
    for (long i = t.i0; i <= t.i1; i++)
        for (long j = t.j0; j <= t.j1; j++) {
            int s = a[i - 1] == b[j - 1] ? 2 : -1;
            int gapped = bench_max(H[i - 1][j], H[i][j - 1]) - 1;
            int h = bench_max(bench_max(H[i - 1][j - 1] + s, 0), gapped);
            H[i][j] = h;
            best = bench_max(best, h);
        }
    return best;
}

/* above: the last row of the tiles above; row: the same of this row of tiles, used as work space.
 */
static int compute_edges(const struct tiles *tiles, struct range t, const int *above, int *restrict row) {
    const struct bench_pair *p = tiles->pair;
    const signed char *restrict b = p->b;
    int corner = above[t.j0 - 1];
    lane best = lane_of(0);
    memcpy(row + t.j0, above + t.j0, (size_t)(t.j1 - t.j0 + 1) * sizeof *row);
    for (long i = t.i0; i <= t.i1; i++) {
        const signed char letter = p->a[i - 1];
        lane left = lane_of(tiles->right[i]), diagonal = lane_of(corner);
        corner = tiles->right[i];
        for (long j = t.j0; j <= t.j1; j++) {
            const lane up = lane_of(row[j]);
            left = lane_cell(letter == b[j - 1], diagonal, up, left);
            row[j] = lane_value(left);
            diagonal = up;
            best = lane_max(best, left);
        }
        tiles->right[i] = lane_value(left);
    }
    return lane_value(best);
}

void tiles_compute(const struct tiles *tiles, long r, long c) {
    const struct bench_pair *p = tiles->pair;
    const long i1 = (r + 1) * tiles->h, j1 = (c + 1) * tiles->w;
    const struct range t = {r * tiles->h + 1, i1 < p->n ? i1 : p->n, c * tiles->w + 1, j1 < p->m ? j1 : p->m};
    int *above = p->cells + (size_t)r * ((size_t)p->m + 1);
    tiles->best[r * tiles->cols + c] =
        tiles->edges ? compute_edges(tiles, t, above, above + p->m + 1) : compute_full(p, t);
}
