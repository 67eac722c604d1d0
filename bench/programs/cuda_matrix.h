/* SPDX-License-Identifier: Apache-2.0 */
/* Smith-Waterman with every cell kept by hand-written kernels; shared by host and device. */
#ifndef BENCH_CUDA_MATRIX_H
#define BENCH_CUDA_MATRIX_H

/* Rows and columns of a tile; diagonals that a tile row is behind the one above it. */
enum { CUDA_ROWS = 256, CUDA_WIDTH = 256, CUDA_LAG = 2 };

struct cuda_matrix {
    int n, m;
    const signed char *a, *b; /* all pointers: on the device */
    int *cells;               /* (n + 1) * (m + 1), row and column 0 are zero */
    unsigned *arrived;        /* zero */
    long tiles, tile_rows;    /* in a tile row; of them */
};

struct bench_pair;
/* Fills p->cells on CUDA device 0. graph: a kernel for each diagonal in a CUDA graph, else one with a grid barrier.
   Ends the program with a message where there is no GPU. *seconds: of the kernels. */
void bench_cuda_matrix(const struct bench_pair *p, int graph, double *seconds);
#endif
