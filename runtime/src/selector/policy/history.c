/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Performance history (Jiménez et al. 2009): a candidate is fit for a region if it was not much slower there than
 * on the best candidate; of the fit ones the first free is taken, and if none is free the best.
 */
#include "selector/selector.h"

/* A candidate may be this much slower and still be worth taking when it is free. */
static const double TOLERATED = 2.0;

static double cost(const struct heddle_candidate *p) { return p->run + p->move; }

static int choose(const struct heddle_choice *c, void *state) {
    (void)state;
    int pick = -1;
    const int best = heddle__policy_cheapest(c, cost);
    if (best < 0 || !c->candidates[best].busy)
        return best;
    const double limit = TOLERATED * cost(&c->candidates[best]);
    for (int k = 0; k < c->count; k++) {
        const struct heddle_candidate *p = &c->candidates[k];
        if (p->run >= 0 && !p->busy && cost(p) <= limit && (pick < 0 || cost(p) < cost(&c->candidates[pick])))
            pick = k;
    }
    return pick < 0 ? best : pick;
}

const struct heddle_policy heddle__policy_history = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "history",
    .help = "the first free candidate among those that were not much slower for the region",
    .choose = choose,
    .learns = true,
};
