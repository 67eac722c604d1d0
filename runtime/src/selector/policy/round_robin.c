/* SPDX-License-Identifier: Apache-2.0 */
/* One candidate after the other, in the order of their numbers, the host last. For tests and as a baseline. */
#include "selector/selector.h"

static int choose(const struct heddle_choice *c, void *state) {
    (void)state;
    static int last = -1; /* candidate number of the choice before, with the host after all devices */
    int next = -1, lowest = -1;
    for (int k = 0; k < c->count; k++) {
        const int number = c->candidates[k].device < 0 ? PLACES : c->candidates[k].device;
        if (lowest < 0)
            lowest = k;
        if (number > last && next < 0)
            next = k;
    }
    next = next < 0 ? lowest : next;
    last = next < 0 ? -1 : c->candidates[next].device < 0 ? PLACES : c->candidates[next].device;
    return next;
}

const struct heddle_policy heddle__policy_round_robin = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "round-robin",
    .help = "one candidate after the other",
    .choose = choose,
};
