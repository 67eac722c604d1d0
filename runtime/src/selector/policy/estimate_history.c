/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimated history (Jiménez et al. 2009): the place where waiting for what already runs there and then running
 * is over first. Transfers are not part of the estimate: that is earliest-finish.
 */
#include "selector/selector.h"

static int choose(const struct heddle_choice *c, void *state) {
    (void)state;
    int best = -1;
    for (int k = 0; k < c->count; k++)
        if (c->places[k].run >= 0 &&
            (best < 0 || c->places[k].wait + c->places[k].run < c->places[best].wait + c->places[best].run))
            best = k;
    return best;
}

const struct heddle_policy heddle__policy_estimate_history = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "estimate-history",
    .help = "the place where waiting and running are over first, without transfers",
    .choose = choose,
    .learns = true,
};
