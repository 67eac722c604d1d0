/* SPDX-License-Identifier: Apache-2.0 */
/* Where a device should work: the part of what is left where it is fastest against the other classes. */
#include "plan.h"
#include <math.h>

static const double CUT = 0.03;   /* gain in speed-up that is worth one more hole */
static const double SHORT = 0.05; /* loss when a interval ends before the chunk does */

/* Bins between which intervals may be cut: a piece must last 50 times what a chunk costs, and fill every device. */
static int step_of(const struct heddle__costs *c) {
    double needed = 1;
    for (int class = 0; class < c->classes; class ++) {
        double all = 0;
        for (int b = 0; b < c->bins; b++)
            all += c->each[class * c->bins + b];
        const double bin = all / c->bins * (double)c->p->n / c->bins;
        const double fill = c->alpha[class] < 0 ? -3 / c->alpha[class] / ((double)c->p->n / c->bins) : 0;
        needed = fill > needed ? fill : needed;
        if (c->known[class] && bin > 0 && 50 * c->setup[class] / bin > needed)
            needed = 50 * c->setup[class] / bin;
    }
    return needed < c->bins ? (int)ceil(needed) : c->bins;
}

/* Mean of log norm over iterations first … first + count - 1. */
static double gain(const struct heddle__costs *c, const double *norm, long first, long count) {
    double sum = 0;
    const long end = first + count;
    for (int b = heddle__costs_bin(c, first); b < c->bins && heddle__costs_begin(c, b) < end; b++) {
        const long low = heddle__costs_begin(c, b), high = heddle__costs_begin(c, b + 1);
        sum += norm[b] * (double)((high < end ? high : end) - (low > first ? low : first));
    }
    return sum / (double)count;
}

int heddle__locate(const struct heddle__costs *c, int class, const struct heddle__interval_set *left, long want,
                   long *at) {
    double norm[HEDDLE__BINS], best = -HUGE_VAL, low = HUGE_VAL, high = -HUGE_VAL;
    int interval = 0;
    for (int b = 0; b < c->bins; b++) {
        norm[b] = log(heddle__costs_norm(c, class, b));
        low = norm[b] < low ? norm[b] : low;
        high = norm[b] > high ? norm[b] : high;
    }
    if (high - low < CUT) { /* alike everywhere: the first interval that is long enough, or the longest */
        for (int k = 0; k < left->count && left->at[interval].count < want; k++)
            interval = left->at[k].count > left->at[interval].count ? k : interval;
        *at = left->at[interval].first;
        return interval;
    }
    const int step = step_of(c);
    const double usual = heddle__costs_slowed(c, class, (double)want);
    for (int k = 0; k < left->count; k++) {
        const long end = left->at[k].first + left->at[k].count;
        long from = left->at[k].first;
        for (int b = heddle__costs_bin(c, from); from < end;) {
            const long count = want < end - from ? want : end - from;
            const double value = gain(c, norm, from, count) - (from > left->at[k].first ? CUT : 0) -
                                 SHORT * (1 - (double)count / (double)want) -
                                 log(heddle__costs_slowed(c, class, (double)count) / usual);
            if (value > best) {
                best = value;
                interval = k;
                *at = from;
            }
            b = (b / step + 1) * step;
            if (b >= c->bins)
                break;
            from = heddle__costs_begin(c, b);
        }
    }
    return interval;
}

double heddle__tree_point(unsigned k) {
    double at = 0, half = 0.5;
    for (; k; k /= 2, half /= 2)
        at += (k & 1) * half;
    return at;
}
