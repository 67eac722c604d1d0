/* SPDX-License-Identifier: Apache-2.0 */
/* The annotated loop nests of sor, in float and in double (SOR_REAL). Each is compiled twice: by
 * heddle, and with -DSOR_SERIAL by a plain compiler that ignores the pragmas; the second one is the
 * reference of --check. */
#ifndef SOR_NEST_H
#define SOR_NEST_H

#include "field.h"

struct sor_work {
    struct field u;
    struct field f; /* right-hand side times the square of the mesh width; cells NULL: Laplace's equation */
    double omega;
    struct sweeps sweeps;
};

/* Sweeps over the inside of u, border kept, until `sweeps` says that it is enough. */
typedef void sor_solve(struct sor_work *work);

extern sor_solve sor_solve_float_heddle, sor_solve_float_serial;
extern sor_solve sor_solve_double_heddle, sor_solve_double_serial;

#ifdef SOR_SERIAL
#define SOR_NAME(real) sor_solve_##real##_serial
#else
#define SOR_NAME(real) sor_solve_##real##_heddle
#endif
#define SOR_NEST(real) SOR_NAME(real)

#endif
