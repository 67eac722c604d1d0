/* SPDX-License-Identifier: Apache-2.0 */
/* cuBLAS, opened at run time: the program is built without CUDA and runs without it. */
#ifndef GEMM_CUBLAS_H
#define GEMM_CUBLAS_H

#include "tile.h"

/* Looks for the library: `path`, or, NULL, the system's libraries, CUDA's folders and those of Python's packages. False:
 * `message` says what is missing. The first call decides for all. */
bool cublas_open(const char *path, char *message, size_t size);
/* "cuBLAS 13.1.0" */
const char *cublas_name(void);
/* A handle whose work goes to `stream`; NULL: it failed. The device's context is current. TF32 is never used. */
void *cublas_handle(void *stream);
void cublas_handle_free(void *handle);
/* 0, or negative. Returns at once. */
int cublas_product(void *handle, const struct product *p);

#endif
