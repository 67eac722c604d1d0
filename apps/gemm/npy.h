/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's .npy files, versions 1 and 2 (numpy.lib.format), as far as matrices go: one or two dimensions of
 * little-endian float32 or float64, in C's or Fortran's order. */
#ifndef GEMM_NPY_H
#define GEMM_NPY_H

#include <stdbool.h>
#include <stddef.h>

struct npy {
    long rows, cols; /* one dimension: a column */
    bool is_double, fortran;
    size_t begin; /* of the elements, in bytes from the file's begin */
};

enum { NPY_SIDE_MOST = 2000000000 };

/* Reads the header at the begin of `count` bytes of a file (the first 128 KiB are enough). False: `message`. */
bool npy_parse(struct npy *npy, const unsigned char *bytes, size_t count, char *message, size_t size);
/* Writes a header of version 1 for a C-ordered matrix into `bytes` (room for 128): its length, a multiple of 64. */
size_t npy_header(char *bytes, long rows, long cols, bool is_double);

#endif
