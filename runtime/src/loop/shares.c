/* SPDX-License-Identifier: Apache-2.0 */
/* The linear program of one kind of work over devices that become free at different times, in closed form. */
#include "loop.h"
#include <math.h>

double heddle__loop_shares(int devices, const double *ready, const double *rate, double n, double *x)
{
    double end = HUGE_VAL, rates = 0, offered = 0, from = -HUGE_VAL;
    /* devices join in order of `ready` as long as the rest would end later than they start; devices are few */
    for (;;) {
        double soonest = HUGE_VAL, more = 0, offer = 0;
        for (int d = 0; d < devices; d++)
            if (rate[d] > 0 && ready[d] > from && ready[d] < soonest)
                soonest = ready[d];
        if (soonest >= end || isinf(soonest))
            break;
        for (int d = 0; d < devices; d++)
            if (rate[d] > 0 && ready[d] == soonest) {
                more += rate[d];
                offer += rate[d] * ready[d];
            }
        rates += more;
        offered += offer;
        from = soonest;
        end = (n + offered) / rates;
    }
    for (int d = 0; d < devices; d++)
        x[d] = rate[d] > 0 && ready[d] < end && !isinf(end) ? (end - ready[d]) * rate[d] : 0;
    return end;
}

void heddle__loop_round(int devices, const double *x, long n, long *whole)
{
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
