/* SPDX-License-Identifier: Apache-2.0 */
/* What policies share: the candidate with the least of some cost. */
#include "selector/selector.h"

int heddle__policy_cheapest(const struct heddle_choice *c, double (*cost)(const struct heddle_candidate *p)) {
    int best = -1;
    for (int k = 0; k < c->count; k++)
        if (c->candidates[k].run >= 0 && (best < 0 || cost(&c->candidates[k]) < cost(&c->candidates[best])))
            best = k;
    return best;
}
