/* SPDX-License-Identifier: Apache-2.0 */
/* Successive over-relaxation in the natural order, five-point formula: the upper and the left neighbour are new, the
 * lower and the right one old. keep = 1 - omega, part = omega / 4. nest_double.c is this file with every float
 * a double. */
#include "nest.h"

static void laplace(int n, int m, float *cells, float keep, float part, int device) {
    float(*U)[m + 2] = (float(*)[m + 2])cells;
    (void)device;
#pragma heddle wavefront device(device)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            U[i][j] = keep * U[i][j] + part * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1]);
}

static void poisson(int n, int m, float *cells, const float *sources, float keep, float part,
                    int device) {
    float(*U)[m + 2] = (float(*)[m + 2])cells;
    const float(*F)[m + 2] = (const float(*)[m + 2])sources;
    (void)device;
#pragma heddle wavefront device(device)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            U[i][j] = keep * U[i][j] +
                      part * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1] - F[i][j]);
}

/* The same two; they return the largest change of a point. */
static float laplace_measured(int n, int m, float *cells, float keep, float part, int device) {
    float(*U)[m + 2] = (float(*)[m + 2])cells;
    float change = 0;
    (void)device;
#pragma heddle wavefront device(device) reduction(max: change)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            float value =
                keep * U[i][j] + part * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1]);
            float by = value < U[i][j] ? U[i][j] - value : value - U[i][j];
            change = by > change ? by : change;
            U[i][j] = value;
        }
    return change;
}

static float poisson_measured(int n, int m, float *cells, const float *sources, float keep,
                              float part, int device) {
    float(*U)[m + 2] = (float(*)[m + 2])cells;
    const float(*F)[m + 2] = (const float(*)[m + 2])sources;
    float change = 0;
    (void)device;
#pragma heddle wavefront device(device) reduction(max: change)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            float value =
                keep * U[i][j] +
                part * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1] - F[i][j]);
            float by = value < U[i][j] ? U[i][j] - value : value - U[i][j];
            change = by > change ? by : change;
            U[i][j] = value;
        }
    return change;
}

void SOR_NEST(sor_solve_float)(struct sor_work *work) {
    struct sweeps *sweeps = &work->sweeps;
    const int n = work->u.n, m = work->u.m, device = sweeps->device;
    const float part = (float)(work->omega / 4), keep = (float)(1 - work->omega);
    float *cells = work->u.cells;
    const float *sources = work->f.cells;
    const size_t count = field_count(&work->u), source_count = sources ? count : 0;
    bool more = true;
    (void)count;
    (void)source_count;
#pragma omp target data map(tofrom: cells[0:count]) map(to: sources[0:source_count]) \
    device(device) if (device >= 0)
    while (more) {
        const bool measured = sweeps_measure(sweeps);
        double change = 0;
        if (measured && sources)
            change = (double)poisson_measured(n, m, cells, sources, keep, part, device);
        else if (measured)
            change = (double)laplace_measured(n, m, cells, keep, part, device);
        else if (sources)
            poisson(n, m, cells, sources, keep, part, device);
        else
            laplace(n, m, cells, keep, part, device);
        more = sweeps_go_on(sweeps, measured, change);
    }
}
