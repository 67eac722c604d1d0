/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimated history (Jiménez et al. 2009): the candidate where waiting for what already runs there and then running
 * is over first. Transfers are not part of the estimate: that is earliest-finish.
 */
#include "selector/selector.h"

static double finish(const struct heddle_candidate *p) { return p->wait + p->run; }

static int choose(const struct heddle_choice *c, void *state) {
    return (void)state, heddle__policy_cheapest(c, finish);
}

const struct heddle_policy heddle__policy_estimate_history = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "estimate-history",
    .help = "the candidate where waiting and running are over first, without transfers",
    .choose = choose,
    .learns = true,
};
