/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A policy of the device selector: where the least data has to move, of those the first that is free. To add it to
 * heddle, put this file into runtime/src/selector/policy/ and the row X(nearest_data, "nearest-data") into
 * HEDDLE_POLICIES of heddle/words.h.
 */
#include "selector/selector.h"

static int choose(const struct heddle_choice *choice, void *state) {
    (void)state;
    int best = 0;
    for (int k = 1; k < choice->count; k++) {
        const struct heddle_candidate *a = &choice->candidates[k], *b = &choice->candidates[best];
        if (a->move < b->move || (a->move == b->move && a->wait < b->wait))
            best = k;
    }
    return best;
}

const struct heddle_policy heddle__policy_nearest_data = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "nearest-data",
    .help = "where the least data has to move, of those the first that is free",
    .choose = choose,
};
