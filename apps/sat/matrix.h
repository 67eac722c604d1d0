/* SPDX-License-Identifier: Apache-2.0 */
/* A matrix, its summed-area table, and what one gets from it: box sums and means over windows. */
#ifndef SAT_MATRIX_H
#define SAT_MATRIX_H

#include "grid.h"
#include "table.h"

struct matrix {
    enum table_type type;
    int n, m;
    void *values; /* [n][m] */
    void *sums;   /* [n + 1][m + 1], row 0 and column 0 zero */
    double white; /* values lie between 0 and this */
};

/* False: no memory. */
bool matrix_alloc(struct matrix *matrix, enum table_type type, int n, int m);
void matrix_free(struct matrix *matrix);
size_t matrix_value_bytes(const struct matrix *matrix);
size_t matrix_sum_bytes(const struct matrix *matrix);
/* Random integers from 0 to `white`, or reals from 0 to 1. */
void matrix_fill(struct matrix *matrix, uint64_t seed, int white);
void matrix_fill_from(struct matrix *matrix, const struct image *image);
double matrix_value(const struct matrix *matrix, int i, int j);
double matrix_sum(const struct matrix *matrix, int i, int j);
/* Largest error of a sum of floating point numbers that are not negative, in units of its last place's half (u =
 * 2^-24 or 2^-53 times the sum), against sums in long double. */
double matrix_error(const struct matrix *matrix);
/* Exact for integers. */
double matrix_box(const struct matrix *matrix, struct box box);
/* Picture of the table, 16 bits, or, radius >= 0, of the means over (2 radius + 1)^2 pixels, fewer
 * at the edges. */
void matrix_picture(const struct matrix *matrix, long radius, struct image *image);

#endif
