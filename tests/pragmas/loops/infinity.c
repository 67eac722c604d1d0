/* SPDX-License-Identifier: Apache-2.0 */
/* Constants that <math.h> makes of a compiler's built-in functions. */
#include "../run/run.h"

#include <math.h>

static float nearest(const float *x, int n, float at)
{
    float best = INFINITY;
    for (int k = 0; k < n; k++)
        best = fabsf(x[k] - at) < best ? fabsf(x[k] - at) : best;
    return best;
}

int main(void)
{
    enum { N = 200 };
    static float x[N], y[N];
    static double z[N];
    for (int k = 0; k < N; k++)
        x[k] = (float)(k * 37 % 101);
#pragma heddle for map(to: x[0:N]) map(from: y[heddle_lo:heddle_count], z[heddle_lo:heddle_count])
    for (int i = 0; i < N; i++) {
        y[i] = nearest(x, i, (float)i + 0.25f);
        z[i] = i % 3 ? (i % 3 == 1 ? HUGE_VAL : -HUGE_VAL) : isnan(NAN) ? 1 : 2;
    }
    run_report("y", y, sizeof y);
    run_report("z", z, sizeof z);
    return 0;
}
