/* SPDX-License-Identifier: Apache-2.0 */
/* The annotated loop nest of heat2d, in float and in double (HEAT_REAL). Each is compiled twice: by
 * heddle, and with -DHEAT_SERIAL by a plain compiler that ignores the pragmas; the second one is
 * the reference of --check. */
#ifndef HEAT_NEST_H
#define HEAT_NEST_H

#include "field.h"

/* Sweeps over the inside of the field, border kept, until `sweeps` says that it is enough. */
typedef void heat_solve(struct field *field, struct sweeps *sweeps);

extern heat_solve heat_solve_float_heddle, heat_solve_float_serial;
extern heat_solve heat_solve_double_heddle, heat_solve_double_serial;

#ifdef HEAT_SERIAL
#define HEAT_NAME(real) heat_solve_##real##_serial
#else
#define HEAT_NAME(real) heat_solve_##real##_heddle
#endif
#define HEAT_NEST(real) HEAT_NAME(real)

#endif
