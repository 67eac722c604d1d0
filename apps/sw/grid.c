/* SPDX-License-Identifier: Apache-2.0 */
/* See grid.h. H and F hold row i - 1 to the right of the current cell and row i to the left of it.
 * A cell that enters the band at its right end still has the value of row 0, which is therefore
 * "unreachable" beyond the reach; a cell that leaves it at the left end is made so. */
#include "grid.h"

#include "app.h"

#include <stdlib.h>

static inline int max2(int x, int y) { return x > y ? x : y; }

static size_t band_width(int m, long reach) {
    return (double)reach * 2 + 1 < (double)m + 1 ? (size_t)reach * 2 + 1 : (size_t)m + 1;
}

double sw_grid_cells(int n, int m, long reach) { return ((double)n + 1) * (double)band_width(m, reach); }

int sw_grid_low(const struct sw_grid *g, int i) { return i > g->reach ? i - (int)g->reach : 0; }

int sw_grid_high(const struct sw_grid *g, int i) { return (long)i + g->reach < g->m ? i + (int)g->reach : g->m; }

static unsigned char *row_of(const struct sw_grid *g, int i) {
    return g->traced ? g->from + (size_t)i * g->width : g->from;
}

int sw_grid_from(const struct sw_grid *g, int i, int j) { return row_of(g, i)[j - sw_grid_low(g, i)]; }

void sw_grid_start(struct sw_grid *g) {
    const struct sw_scheme *s = g->scheme;
    size_t cols = (size_t)g->m + 1;
    int high = sw_grid_high(g, 0);
    g->width = band_width(g->m, g->reach);
    g->H = app_resize(NULL, 2 * cols, sizeof(int));
    g->F = g->H + cols;
    g->from = app_resize(NULL, g->traced ? ((size_t)g->n + 1) * g->width : g->width, 1);
    g->H[0] = 0;
    g->F[0] = SW_LOWEST;
    g->from[0] = SW_CORNER;
    for (int j = 1; j <= g->m; j++) {
        g->H[j] = j <= high ? -s->open - (j - 1) * s->extend : SW_LOWEST;
        g->F[j] = SW_LOWEST;
    }
    for (int j = 1; j <= high; j++)
        g->from[j] = SW_FROM_E | (j > 1 ? SW_E_GOES_ON : 0);
}

void sw_grid_row(struct sw_grid *g, int i) {
    const struct sw_scheme *s = g->scheme;
    const int *scores = s->matrix[g->a[i - 1]], open = s->open, extend = s->extend;
    int low = sw_grid_low(g, i), high = sw_grid_high(g, i), *H = g->H, *F = g->F;
    unsigned char *from = row_of(g, i) - low;
    int corner, left, e = SW_LOWEST, j = max2(low, 1);
    corner = H[j - 1];
    if (low == 0) {
        left = F[0] = -g->top - i * extend;
        from[0] = SW_FROM_F | (i > 1 ? SW_F_GOES_ON : 0);
    } else {
        left = F[low - 1] = SW_LOWEST;
    }
    H[j - 1] = left;
    for (; j <= high; j++) {
        int diagonal = corner + scores[g->b[j - 1]];
        int f_opened = H[j] - open, f_longer = F[j] - extend;
        int e_opened = left - open, e_longer = e - extend;
        int f = max2(f_opened, f_longer), gap;
        e = max2(e_opened, e_longer);
        gap = max2(e, f);
        corner = H[j];
        left = max2(diagonal, gap);
        int source = diagonal >= gap ? SW_CORNER : e >= f ? SW_FROM_E : SW_FROM_F;
        from[j] = (unsigned char)(source | (f_longer > f_opened ? SW_F_GOES_ON : 0) |
                                  (e_longer > e_opened ? SW_E_GOES_ON : 0));
        H[j] = left;
        F[j] = f;
    }
}

void sw_grid_free(struct sw_grid *g) {
    free(g->H);
    free(g->from);
}
