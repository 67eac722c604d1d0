/* SPDX-License-Identifier: Apache-2.0 */
/* Who should take no part under `auto` towards a loop's end; and who gets the last iterations. */
#include "plan.h"

bool heddle__tail_excludes(const struct heddle_loop_problem *p, struct heddle__timeline *f,
                           const struct heddle__prediction_error *error, long left, int device) {
    const double mine = f->rate[device];
    double faster = 0;
    for (int d = 0; d < f->devices; d++) {
        f->share[d] = f->rate[d] > mine * 1.01 ? f->rate[d] : 0;
        faster += f->share[d];
    }
    const double end = heddle__loop_balance(f->devices, f->ready, f->share, (double)left, f->share);
    const double over = heddle__prediction_overrun(&error[p->device[device].class], 1 / mine, end - f->ready[device]);
    return faster > 0 && over > 1 / faster;
}

long heddle__tail_share(const struct heddle_loop_problem *p, struct heddle__timeline *f,
                        const struct heddle__prediction_error *error, long left, int device) {
    for (int d = 0; d < f->devices; d++) {
        if (!(f->rate[d] > 0) || (d && p->device[d - 1].class == p->device[d].class))
            continue;
        int soonest = d; /* of its class */
        for (int k = d; k < f->devices && p->device[k].class == p->device[d].class; k++)
            soonest = f->ready[k] < f->ready[soonest] ? k : soonest;
        if (heddle__tail_excludes(p, f, error, left, soonest))
            for (int k = d; k < f->devices && p->device[k].class == p->device[d].class; k++)
                f->rate[k] = 0;
    }
    return heddle__loop_balance_singly(f->devices, f->ready, f->rate, left, device);
}
