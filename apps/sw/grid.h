/* SPDX-License-Identifier: Apache-2.0 */
/* One small global alignment on the host, row by row, within a band: cells with |i - j| > reach are
 * taken as unreachable. Affine gaps (Gotoh 1982); optionally with a byte per cell that says where
 * it came from. */
#ifndef SW_GRID_H
#define SW_GRID_H

#include "nest.h"

#include <stdbool.h>
#include <stddef.h>

/* "Minus infinity", with room to subtract. */
enum { SW_LOWEST = -(1 << 30) };

/* A direction byte: the neighbour (FROM mask) and whether the gap that ends here was longer
 * already. */
enum { SW_CORNER = 0, SW_FROM_E = 1, SW_FROM_F = 2, SW_FROM = 3, SW_E_GOES_ON = 4, SW_F_GOES_ON = 8 };

struct sw_grid {
    int n, m;
    long reach; /* largest |i - j|; n + m and more: no band */
    int top;    /* charge of a vertical gap at the top border, besides extend per residue */
    const signed char *a, *b;
    const struct sw_scheme *scheme; /* with a matrix */
    bool traced;

    size_t width; /* directions kept per row */
    int *H, *F;   /* [m + 1] of the current row */
    unsigned char *from;
};

/* Cells that a grid of this shape computes. */
double sw_grid_cells(int n, int m, long reach);
/* Row 0. The members up to `traced` are set by the caller. */
void sw_grid_start(struct sw_grid *grid);
/* Row i, in order from 1. */
void sw_grid_row(struct sw_grid *grid, int i);
int sw_grid_low(const struct sw_grid *grid, int i); /* first and last column of row i in the band */
int sw_grid_high(const struct sw_grid *grid, int i);
int sw_grid_from(const struct sw_grid *grid, int i, int j);
void sw_grid_free(struct sw_grid *grid);

#endif
