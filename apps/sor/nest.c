/* SPDX-License-Identifier: Apache-2.0 */
/* Successive over-relaxation in the natural order, five-point formula: the upper and the left neighbour are new, the
 * lower and the right one old. keep = 1 - omega, part = omega / 4. Compiled once for each precision: SOR_REAL is
 * float or double. Both return the largest change of a point in the last sweep. */
#include "nest.h"

typedef SOR_REAL real;

static real laplace(int n, int m, real *cells, real keep, real part, long sweeps, int device) {
    real(*U)[m + 2] = (real(*)[m + 2]) cells;
    real change = 0;
    (void)device;
#pragma heddle wavefront sweeps(t) device(device) reduction(max: change)
    for (long t = 1; t <= sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                real value = keep * U[i][j] + part * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1]);
                real by = value < U[i][j] ? U[i][j] - value : value - U[i][j];
                if (t == sweeps)
                    change = by > change ? by : change;
                U[i][j] = value;
            }
    return change;
}

static real poisson(int n, int m, real *cells, const real *sources, real keep, real part, long sweeps, int device) {
    real(*U)[m + 2] = (real(*)[m + 2]) cells;
    const real(*F)[m + 2] = (const real(*)[m + 2]) sources;
    real change = 0;
    (void)device;
#pragma heddle wavefront sweeps(t) device(device) reduction(max: change)
    for (long t = 1; t <= sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                real value = keep * U[i][j] + part * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1] - F[i][j]);
                real by = value < U[i][j] ? U[i][j] - value : value - U[i][j];
                if (t == sweeps)
                    change = by > change ? by : change;
                U[i][j] = value;
            }
    return change;
}

void SOR_NEST(SOR_REAL)(struct sor_work *work) {
    struct sweeps *sweeps = &work->sweeps;
    const int n = work->u.n, m = work->u.m, device = sweeps->device;
    const real part = (real)(work->omega / 4), keep = (real)(1 - work->omega);
    real *cells = work->u.cells;
    const real *sources = work->f.cells;
    const size_t count = field_count(&work->u), source_count = sources ? count : 0;
    bool more = true;
    (void)count;
    (void)source_count;
#pragma omp target data map(tofrom: cells[0:count]) map(to: sources[0:source_count]) \
    device(device) if (device >= 0)
    while (more) {
        const long batch = sweeps_batch(sweeps);
        const real change = sources ? poisson(n, m, cells, sources, keep, part, batch, device)
                                    : laplace(n, m, cells, keep, part, batch, device);
        more = sweeps_go_on(sweeps, batch, (double)change);
    }
}
