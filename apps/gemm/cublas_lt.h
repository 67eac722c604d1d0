/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products in double precision by the kernel that cuBLAS takes for very large ones. For products of single tiles
 * cublasDgemm takes kernels with smaller blocks, which are as fast by the clock but need a fifth more energy; GPUs that
 * reach their power limit, as an H100 does in double precision, then lower the clock by as much (README.md). cublasLt
 * lets the caller choose.
 */
#ifndef GEMM_CUBLAS_LT_H
#define GEMM_CUBLAS_LT_H

#include "tile.h"

struct cublas_lt;

/* Looks up cublasLt in the library that cuBLAS came from, once. False: it is not there. */
bool cublas_lt_open(void *library);
/* For the current device; NULL: not to be had, cublasDgemm does it all. */
struct cublas_lt *cublas_lt_handle(void);
void cublas_lt_free(struct cublas_lt *lt);
/* False: nothing was done, since the kernel does not do, or would not fill a GPU with, a product of these sizes. */
bool cublas_lt_product(struct cublas_lt *lt, const struct product *p, void *stream);

#endif
