/* SPDX-License-Identifier: Apache-2.0 */
/* Products of tiles on the host. */
#ifndef GEMM_TILE_H
#define GEMM_TILE_H

#include "problem.h"

/* c (m x n, row-major, pitch ldc) = alpha a b + beta c; a is stored transposed (k x m, pitch lda), b row-major (k x n,
 * pitch ldb): as tiles and panels are. m, n, k >= 0. */
struct product {
    bool is_double;
    long m, n, k;
    double alpha, beta;
    const void *a, *b;
    void *c;
    long lda, ldb, ldc;
};

/* The product that makes tile t of C from whole panels. */
struct product gemm_product(const struct gemm *g, long t);
/* Plain C, one thread. */
void product_plain(const struct product *p);

#endif
