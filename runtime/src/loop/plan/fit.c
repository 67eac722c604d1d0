/* SPDX-License-Identifier: Apache-2.0 */
/* Speed against chunk size: Weber 2012, section 4.2.2, eqs. 4.10 to 4.13. */
#include "plan.h"
#include <math.h>

static const double TAIL = 0.95;    /* of the highest rate: beyond it a point says nothing of the slope */
static const double EPSILON = 1e-3; /* keeps log(1 - S) finite at the highest rate */
static const double GAIN = 1.05;    /* of a doubling, below which larger chunks are not tried */

double heddle__loop_fit_alpha(int count, const double *size, const double *speed) {
    double top = 0, xy = 0, xx = 0;
    for (int k = 0; k < count; k++)
        top = speed[k] > top ? speed[k] : top;
    for (int k = 0; k < count; k++) {
        const double share = speed[k] / top;
        if (!(top > 0) || share > TAIL)
            continue;
        xy += size[k] * log(1 + EPSILON - share);
        xx += size[k] * size[k];
    }
    return xx > 0 && xy < 0 ? xy / xx : 0;
}

long heddle__loop_amortized_chunk(double alpha) {
    if (!(alpha < 0))
        return 1;
    const double size = ceil(log(1 - HEDDLE__LOOP_BETA) / alpha);
    return size < 1 ? 1 : size > 1e15 ? (long)1e15 : (long)size;
}

int heddle__size_bucket(long count) {
    int k = 0;
    while (count > 1 && k < HEDDLE__SIZES - 1) {
        count /= 2;
        k++;
    }
    return k;
}

void heddle__sizes_add(struct heddle__sizes *z, long count, double seconds) {
    const int k = heddle__size_bucket(count);
    if (count <= 0 || !(seconds > 0))
        return;
    z->iterations[k] += (double)count;
    z->seconds[k] += seconds;
    z->chunks[k]++;
}

double heddle__sizes_alpha(const struct heddle__sizes *z) {
    double size[HEDDLE__SIZES], speed[HEDDLE__SIZES];
    int n = 0;
    for (int k = 0; k < HEDDLE__SIZES; k++)
        if (z->chunks[k] > 0) {
            size[n] = z->iterations[k] / z->chunks[k];
            speed[n++] = z->iterations[k] / z->seconds[k];
        }
    return heddle__loop_fit_alpha(n, size, speed);
}

bool heddle__sizes_complete(const struct heddle__sizes *z, long *next) {
    int last = -1, before = -1;
    for (int k = 0; k < HEDDLE__SIZES; k++)
        if (z->chunks[k] > 0) {
            before = last;
            last = k;
        }
    *next = last < 0 ? 1 : last >= HEDDLE__SIZES - 2 ? 1L << (HEDDLE__SIZES - 1) : 1L << (last + 1);
    return before >= 0 && z->seconds[last] >= HEDDLE__LOOP_NOTICED * z->chunks[last] &&
           z->iterations[last] / z->seconds[last] < GAIN * z->iterations[before] / z->seconds[before];
}

long heddle__sizes_chunk(const struct heddle__sizes *z) {
    const long chunk = heddle__loop_amortized_chunk(heddle__sizes_alpha(z));
    double seconds = 0, iterations = 0; /* of the largest size */
    for (int k = 0; k < HEDDLE__SIZES; k++)
        if (z->chunks[k] > 0) {
            seconds = z->seconds[k];
            iterations = z->iterations[k];
        }
    return (double)chunk * seconds < HEDDLE__LOOP_NOTICED * iterations
               ? (long)(HEDDLE__LOOP_NOTICED * iterations / seconds) + 1
               : chunk;
}
