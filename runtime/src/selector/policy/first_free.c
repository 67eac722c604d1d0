/* SPDX-License-Identifier: Apache-2.0 */
/* The first candidate with the fewest running regions, the default device before others, the host last. */
#include "selector/selector.h"

static int choose(const struct heddle_choice *c, void *state) {
    (void)state;
    int best = -1;
    for (int k = 0; k < c->count; k++)
        if (best < 0 || c->candidates[k].busy < c->candidates[best].busy ||
            (c->candidates[k].busy == c->candidates[best].busy && c->candidates[k].device == c->default_device))
            best = k;
    return best;
}

const struct heddle_policy heddle__policy_first_free = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "first-free",
    .help = "the candidate with the fewest running regions",
    .choose = choose,
};
