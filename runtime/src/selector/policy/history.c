/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Performance history (Jiménez et al. 2009): a place is fit for a region if it was not much slower there than
 * on the best place; of the fit ones the first free is taken, and if none is free the best.
 */
#include "selector/selector.h"

/* A place may be this much slower and still be worth taking when it is free. */
static const double TOLERATED = 2.0;

static int choose(const struct heddle_choice *c, void *state) {
    (void)state;
    int best = -1, pick = -1;
    for (int k = 0; k < c->count; k++)
        if (c->places[k].run >= 0 &&
            (best < 0 || c->places[k].run + c->places[k].move < c->places[best].run + c->places[best].move))
            best = k;
    if (best < 0 || !c->places[best].busy)
        return best;
    const double limit = TOLERATED * (c->places[best].run + c->places[best].move);
    for (int k = 0; k < c->count; k++) {
        const struct heddle_place *p = &c->places[k];
        if (p->run >= 0 && !p->busy && p->run + p->move <= limit &&
            (pick < 0 || p->run + p->move < c->places[pick].run + c->places[pick].move))
            pick = k;
    }
    return pick < 0 ? best : pick;
}

const struct heddle_policy heddle__policy_history = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "history",
    .help = "the first free place among those that were not much slower for the region",
    .choose = choose,
    .learns = true,
};
