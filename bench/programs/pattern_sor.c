/* SPDX-License-Identifier: Apache-2.0 */
/* Successive over-relaxation: one sweep with a right-hand side, and several as apps/sor has them, without one
 * (Laplace's equation) and with one (Poisson's). */
#include "patterns.h"

static double sweep(const struct pattern_work *w, struct pattern_range r) {
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    float(*U)[m + 2] = w->x;
    const float(*F)[m + 2] = w->y;
    const float keep = -0.5f, part = 0.375f;
#pragma heddle wavefront
    for (int i = i0; i <= i1; i++)
        for (int j = j0; j <= j1; j++)
            U[i][j] = keep * U[i][j] + part * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1] - F[i][j]);
    return 0;
}

/* These return the largest change in the last sweep. */
static double laplace(const struct pattern_work *w, struct pattern_range r) {
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    const long t0 = w->t0, t1 = w->t1, sweeps = w->sweeps;
    float(*U)[m + 2] = w->x;
    const float keep = -0.5f, part = 0.375f;
    float change = 0;
#pragma heddle wavefront sweeps(t) reduction(max: change)
    for (long t = t0; t <= t1; t++)
        for (int i = i0; i <= i1; i++)
            for (int j = j0; j <= j1; j++) {
                float value = keep * U[i][j] + part * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1]);
                float by = value < U[i][j] ? U[i][j] - value : value - U[i][j];
                if (t == sweeps)
                    change = by > change ? by : change;
                U[i][j] = value;
            }
    return change;
}

static double poisson(const struct pattern_work *w, struct pattern_range r) {
    const int m = w->m, i0 = r.i0, i1 = r.i1, j0 = r.j0, j1 = r.j1;
    const long t0 = w->t0, t1 = w->t1, sweeps = w->sweeps;
    float(*U)[m + 2] = w->x;
    const float(*F)[m + 2] = w->y;
    const float keep = -0.5f, part = 0.375f;
    float change = 0;
#pragma heddle wavefront sweeps(t) reduction(max: change)
    for (long t = t0; t <= t1; t++)
        for (int i = i0; i <= i1; i++)
            for (int j = j0; j <= j1; j++) {
                float value = keep * U[i][j] + part * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1] - F[i][j]);
                float by = value < U[i][j] ? U[i][j] - value : value - U[i][j];
                if (t == sweeps)
                    change = by > change ? by : change;
                U[i][j] = value;
            }
    return change;
}

const struct pattern PATTERN(sor) = {"sor", true, false, 12, 'f', PATTERN_SMALL, PATTERN_SMALL, sweep};
const struct pattern PATTERN(sor_sweeps) = {"sor-sweeps", true, true, 8, 'f', PATTERN_SMALL, PATTERN_ZERO, laplace};
const struct pattern PATTERN(sor_rhs_sweeps) = {"sor-rhs-sweeps", true,          true,   12, 'f',
                                                PATTERN_SMALL,    PATTERN_SMALL, poisson};
