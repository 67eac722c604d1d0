/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices in files: .npy (npy.h), or .bin, plain little-endian elements row after row. */
#ifndef GEMM_FILES_H
#define GEMM_FILES_H

#include "npy.h"
#include "problem.h"

/* What is in a file. A .bin knows no shape and no type: they are -1 and false. False: `message` says "PATH: what". */
bool file_look(const char *path, struct npy *npy, bool *is_bin, char *message, size_t size);
/* Reads a file that has been looked at into a matrix of g, which has its sizes and its memory. A .bin has to have just
 * as many elements of g's type. */
bool file_read(const char *path, struct gemm *g, enum gemm_matrix which, char *message, size_t size);
/* C as .npy or .bin, by the name's end. */
bool file_write(const char *path, const struct gemm *g, char *message, size_t size);
bool file_ends(const char *path, const char *end); /* in `end`, with something before it */
/* Whether a value of a matrix is infinite or no number. */
bool file_has_odd_values(const struct gemm *g, enum gemm_matrix which);

#endif
