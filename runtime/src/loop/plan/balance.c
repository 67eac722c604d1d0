/* SPDX-License-Identifier: Apache-2.0 */
/* The linear program of one kind of work over devices that become free at different times, in closed form. */
#include "plan.h"
#include <math.h>

/*
 * `x` may be `rate`. What all can do until T grows with T, piecewise linearly and convex. So: the end if all took part,
 * then without those that would start after it, and so on; each turn drops somebody or is the last (Newton's method
 * from the right).
 */
double heddle__loop_balance(int devices, const double *ready, const double *rate, double n, double *x) {
    double end = HUGE_VAL;
    for (bool changed = true; changed;) {
        double rates = 0, offered = 0;
        for (int d = 0; d < devices; d++)
            if (rate[d] > 0 && ready[d] < end) {
                rates += rate[d];
                offered += rate[d] * ready[d];
            }
        const double before = end;
        if (rates > 0)
            end = (n + offered) / rates;
        changed = rates > 0 && end < before * (1 - 1e-12) - 1e-300;
    }
    for (int d = 0; d < devices; d++)
        x[d] = rate[d] > 0 && ready[d] < end && !isinf(end) ? (end - ready[d]) * rate[d] : 0;
    return end;
}

long heddle__loop_balance_singly(int devices, double *ready, const double *rate, long n, int device) {
    long mine = 0;
    for (long k = 0; k < n; k++) {
        int best = -1;
        double end = HUGE_VAL;
        for (int d = 0; d < devices; d++)
            if (rate[d] > 0 && ready[d] + 1 / rate[d] < end * (1 - 1e-9)) {
                end = ready[d] + 1 / rate[d];
                best = d;
            }
        if (best < 0)
            return 1;
        mine += best == device;
        ready[best] = end;
    }
    return mine;
}

void heddle__loop_round_shares(int devices, const double *x, long n, long *whole) {
    double sum = 0;
    long before = 0;
    int last = -1;
    for (int d = 0; d < devices; d++) { /* the running sum is rounded, so no share is off by one or more */
        sum += x[d];
        const long upto = lround(sum);
        whole[d] = x[d] > 0 && upto > before ? upto - before : 0;
        before += whole[d];
        if (x[d] > 0)
            last = d;
    }
    for (int d = devices - 1; d >= 0 && before > n; d--) {
        const long less = whole[d] < before - n ? whole[d] : before - n;
        whole[d] -= less;
        before -= less;
    }
    if (before < n && devices > 0)
        whole[last >= 0 ? last : 0] += n - before;
}
