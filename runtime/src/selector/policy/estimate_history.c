/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimated history (Jiménez et al. 2009): the candidate where waiting for what already runs there and then running
 * is over first. Transfers are not part of the estimate: that is earliest-finish.
 */
#include "selector/selector.h"

static int choose(const struct heddle_choice *c, void *state) {
    (void)state;
    int best = -1;
    for (int k = 0; k < c->count; k++)
        if (c->candidates[k].run >= 0 && (best < 0 || c->candidates[k].wait + c->candidates[k].run <
                                                          c->candidates[best].wait + c->candidates[best].run))
            best = k;
    return best;
}

const struct heddle_policy heddle__policy_estimate_history = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "estimate-history",
    .help = "the candidate where waiting and running are over first, without transfers",
    .choose = choose,
    .learns = true,
};
