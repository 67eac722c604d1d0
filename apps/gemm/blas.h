/* SPDX-License-Identifier: Apache-2.0 */
/* The processor's BLAS, opened at run time: OpenBLAS or BLIS where there is one (Debian: libopenblas0, libblis4),
 * otherwise the plain C of tile.c. */
#ifndef GEMM_BLAS_H
#define GEMM_BLAS_H

#include "tile.h"

/* Looks for the library; `name` is a file to take, "none" for plain C, NULL for the usual ones. False: a library asked
 * for by name is not usable; `message` says why. Not thread-safe. */
bool blas_open(const char *name, char *message, size_t size);
/* "OpenBLAS SkylakeX", "BLIS", "plain C". */
const char *blas_name(void);
/* One thread: the threads are the loop's. */
void blas_product(const struct product *p);
/* The loop's body for a thread of the host. */
void gemm_host(struct gemm *g, long t);

#endif
