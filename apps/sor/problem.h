/* SPDX-License-Identifier: Apache-2.0 */
/* Problems on a rectangle of n x m points inside a border, mesh width 1 / (m + 1): some with a
 * solution that the five-point formula has exactly, so that it can be compared with. */
#ifndef SOR_PROBLEM_H
#define SOR_PROBLEM_H

#include "nest.h"

#include <stdint.h>

enum sor_problem {
    SOR_HARMONIC, /* no right-hand side; border and solution x^2 - y^2 */
    SOR_SINE,     /* border 0, solution sin(pi x) sin(pi y / height) */
    SOR_RANDOM,   /* seeded border and right-hand side; no known solution */
    SOR_PROBLEMS
};
extern const char *const sor_problem_names[SOR_PROBLEMS + 1]; /* ends with NULL */

bool sor_problem_has_sources(enum sor_problem problem);
/* Border and right-hand side; inside of u is 0, or, `guess`, seeded between -1 and 1. */
void sor_problem_fill(enum sor_problem problem, uint64_t seed, bool guess, struct field *u, struct field *f);
/* Charges from a picture of the field's size: f is -1 where it is white, border 0. */
void sor_problem_picture(const struct image *image, struct field *f);
/* Largest distance from the known solution; negative: none is known. */
double sor_problem_error(enum sor_problem problem, const struct field *u);
/* Largest residual of the five-point formula: |sum of neighbours - 4 u - f|. */
double sor_residual(const struct sor_work *work);
/* Where the spectral radius is least (Young 1954). */
double sor_best_omega(int n, int m);

#endif
