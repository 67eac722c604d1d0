/* SPDX-License-Identifier: Apache-2.0 */
/* Included several times, by several units, once each: its own headers are found from where it stands. */
#pragma once
#include "deep/total.h"
#include "local.h"
#include <stddef.h>

static inline void scale(int n, double *x, double f) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        x[i] = x[i] * f + LOCAL;
}

static inline void never_called(int n, double *x) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        x[i] = 0;
}
