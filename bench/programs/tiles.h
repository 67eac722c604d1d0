/* SPDX-License-Identifier: Apache-2.0 */
/* The recurrence on tiles, for OpenMP's own ways to order them (doacross.c). Two forms: `full` is
 * the plain loop on the whole matrix; `edges` is rewritten by hand so that only the last row of
 * every row of tiles and one column are kept. */
#ifndef HEDDLE_BENCH_TILES_H
#define HEDDLE_BENCH_TILES_H

#include "bench.h"

struct tiles {
    const struct bench_pair *pair;
    long h, w;       /* rows and columns of a tile */
    long rows, cols; /* tiles */
    int *right;      /* edges: [n + 1] last column of each row done so far */
    int *best;       /* [rows * cols] best cell of each tile */
    bool edges;
};

/* Computes tile (r, c); the tiles above, left and above left are done. */
void tiles_compute(const struct tiles *tiles, long r, long c);

#endif
