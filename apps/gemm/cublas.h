/* SPDX-License-Identifier: Apache-2.0 */
/* cuBLAS, opened at run time: the program is built without CUDA and runs without it. */
#ifndef GEMM_CUBLAS_H
#define GEMM_CUBLAS_H

#include "tile.h"

/* Looks for the library: `path`, or, NULL, the system's libraries, CUDA's folders and those of Python's packages.
 * False: `message` says what is missing. The first call decides for all. */
bool cublas_open(const char *path, char *message, size_t size);
/* "cuBLAS 13.1.0" */
const char *cublas_name(void);
/* A handle whose work goes to `stream`; NULL: it failed. The device's context is current. TF32 is never used. */
struct cublas_handle *cublas_handle(void *stream);
void cublas_handle_free(struct cublas_handle *handle);
/* 0, or negative. Returns at once. `plain`: by the kernel that cuBLAS would take, not by cublas_lt.h's. */
int cublas_product(struct cublas_handle *handle, const struct product *p, bool plain);

/* NVIDIA's own product with the data on the host, cuBLASXt, on one device or more: what the loop is compared with.
 * `block`: side of its tiles. It has ended when the call returns. */
void *cublas_xt_handle(const int *devices, int count, int block);
int cublas_xt_product(void *handle, const struct product *p);
void cublas_xt_free(void *handle);

#endif
