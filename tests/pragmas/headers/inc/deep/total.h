/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOTAL_H
#define TOTAL_H
#include "../local.h"
#define PRAGMA(x) _Pragma(#x)
#define PARALLEL PRAGMA(heddle for)

static inline double total(int n, const double *x) {
    double s = LOCAL - 1;
#pragma heddle for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}
#endif
