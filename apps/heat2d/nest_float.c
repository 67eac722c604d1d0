/* SPDX-License-Identifier: Apache-2.0 */
/* Heat2D of PeerWave (Belviranli et al., ICS 2015): each point becomes the mean of its four neighbours, in place,
 * so that the upper and the left one are new and the lower and the right one old. nest_double.c is this file
 * with every float a double. */
#include "nest.h"

static void sweep(int n, int m, float *cells, int device) {
    float(*A)[m + 2] = (float(*)[m + 2])cells;
    (void)device;
#pragma heddle wavefront device(device)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) / 4;
}

/* The same; returns the largest change of a point. */
static float sweep_measured(int n, int m, float *cells, int device) {
    float(*A)[m + 2] = (float(*)[m + 2])cells;
    float change = 0;
    (void)device;
#pragma heddle wavefront device(device) reduction(max: change)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            float value = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) / 4;
            float by = value < A[i][j] ? A[i][j] - value : value - A[i][j];
            change = by > change ? by : change;
            A[i][j] = value;
        }
    return change;
}

void HEAT_NEST(heat_solve_float)(struct field *field, struct sweeps *sweeps) {
    const int n = field->n, m = field->m, device = sweeps->device;
    float *cells = field->cells;
    const size_t count = field_count(field);
    bool more = true;
    (void)count;
#pragma omp target data map(tofrom: cells[0:count]) device(device) if (device >= 0)
    while (more) {
        const bool measured = sweeps_measure(sweeps);
        double change = 0;
        if (measured)
            change = (double)sweep_measured(n, m, cells, device);
        else
            sweep(n, m, cells, device);
        more = sweeps_go_on(sweeps, measured, change);
    }
}
