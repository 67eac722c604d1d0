/* SPDX-License-Identifier: Apache-2.0 */
/* Heat2D of PeerWave (Belviranli et al., ICS 2015): each point becomes the mean of its four neighbours, in place,
 * so that the upper and the left one are new and the lower and the right one old. Compiled once for each
 * precision: HEAT_REAL is float or double. */
#include "nest.h"

typedef HEAT_REAL real;

/* Returns the largest change of a point in the last sweep. */
static real relax(int n, int m, real *cells, long sweeps, int device) {
    real(*A)[m + 2] = (real(*)[m + 2]) cells;
    real change = 0;
    (void)device;
#pragma heddle wavefront sweeps(t) device(device) reduction(max: change)
    for (long t = 1; t <= sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                real value = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) / 4;
                real by = value < A[i][j] ? A[i][j] - value : value - A[i][j];
                if (t == sweeps)
                    change = by > change ? by : change;
                A[i][j] = value;
            }
    return change;
}

void HEAT_NEST(HEAT_REAL)(struct field *field, struct sweeps *sweeps) {
    const int n = field->n, m = field->m, device = sweeps->device;
    real *cells = field->cells;
    const size_t count = field_count(field);
    bool more = true;
    (void)count;
#pragma omp target data map(tofrom: cells[0:count]) device(device) if (device >= 0)
    while (more) {
        const long batch = sweeps_batch(sweeps);
        const double change = (double)relax(n, m, cells, batch, device);
        more = sweeps_go_on(sweeps, batch, change);
    }
}
