/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time of a chunk against its size: setup + s each / (1 - exp(alpha s)). A launch costs a setup; a device that is not
 * filled by s iterations takes nearly as long for fewer (Weber 2012, figure 4.3). alpha is tried on a grid, which is
 * small and has no start to depend on; setup and each then follow.
 */
#include "plan.h"
#include <math.h>

static const double PLAINER = 1.1; /* a curve has to fit so much better than none */

/* For one alpha: setup and each by least squares of the relative error, weighted by chunks; 0 <= setup <= least.
   Returns the mean squared error. */
static double misfit(const struct heddle__sizes *z, double alpha, double least, double *setup, double *each) {
    double uu = 0, uv = 0, vv = 0, u1 = 0, v1 = 0,
           weights = 0; /* 1 = setup u + each v, with u = 1 / T, v = s / S(s) / T */
    for (int k = 0; k < HEDDLE__SIZES; k++) {
        if (!(z->chunks[k] > 0))
            continue;
        const double size = z->iterations[k] / z->chunks[k], took = z->seconds[k] / z->chunks[k],
                     weight = sqrt(z->chunks[k] * z->seconds[k]);
        const double u = 1 / took, v = size / (alpha < 0 ? -expm1(alpha * size) : 1) / took;
        weights += weight;
        uu += weight * u * u;
        uv += weight * u * v;
        vv += weight * v * v;
        u1 += weight * u;
        v1 += weight * v;
    }
    const double det = uu * vv - uv * uv;
    *setup = det > 1e-12 * uu * vv ? (u1 * vv - v1 * uv) / det : 0;
    *setup = *setup < 0 ? 0 : *setup > least ? least : *setup;
    *each = (v1 - *setup * uv) / vv;
    return (weights + *setup * *setup * uu + *each * *each * vv + 2 * *setup * *each * uv - 2 * *setup * u1 -
            2 * *each * v1) /
           weights;
}

void heddle__loop_fit_curve(const struct heddle__sizes *z, double least, double *setup, double *alpha, double *rate) {
    double best = HUGE_VAL;
    *setup = *alpha = *rate = 0;
    double largest = 0; /* where a device is full can only be told up to the sizes that were tried */
    for (int k = 0; k < HEDDLE__SIZES; k++)
        if (z->chunks[k] > 0)
            largest = z->iterations[k] / z->chunks[k];
    for (int k = -1; k < 0 || exp2(0.5 * k + 1) <= largest; k++) { /* k < 0: no curve */
        double begin, each;
        const double a = k < 0 ? 0 : -3 / exp2(0.5 * k + 1);
        const double off = misfit(z, a, least, &begin, &each) * (k < 0 ? 1 : PLAINER) + 1e-9;
        if (off < best && each > 0) {
            best = off;
            *setup = begin;
            *alpha = a;
            *rate = 1 / each;
        }
    }
}
