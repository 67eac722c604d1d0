/* SPDX-License-Identifier: Apache-2.0 */
/* The annotated loop nests of sat, one per element type. The nest files are compiled twice: by
 * heddle, and with -DSAT_SERIAL by a plain compiler that ignores the pragmas; the second one is the
 * reference of --check. */
#ifndef SAT_NEST_H
#define SAT_NEST_H

#include <stdint.h>

/* s[i][j] = sum of w[0 .. i-1][0 .. j-1]; s is [n + 1][m + 1] with row 0 and column 0 zero, w is
 * [n][m]. */
typedef void sat_sum(int n, int m, const void *w, void *s);

extern sat_sum sat_int32_heddle, sat_int32_serial;
extern sat_sum sat_int64_heddle, sat_int64_serial;
extern sat_sum sat_float_heddle, sat_float_serial;
extern sat_sum sat_double_heddle, sat_double_serial;

#ifdef SAT_SERIAL
#define SAT_NEST(name) name##_serial
#else
#define SAT_NEST(name) name##_heddle
#endif

#endif
