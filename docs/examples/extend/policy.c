/* SPDX-License-Identifier: Apache-2.0 */
/* A policy of one's own for target regions: where the data is already, and of several such devices the one that is free
 * first.
 *
 *     clang -shared -fPIC policy.c -o policy.so
 *     heddle run --policy=./policy.so --explain ./prog
 *
 * `places` holds only devices that give plain OpenMP's result, so a policy may be a bad one but never a wrong one. */
#include <heddle/policy.h>

static int choose(const struct heddle_choice *c, void *state) {
    int best = -1;
    (void)state;
    for (int k = 0; k < c->count; k++) {
        const struct heddle_candidate *p = &c->candidates[k];
        if (best < 0 || p->move < c->candidates[best].move ||
            (p->move == c->candidates[best].move && p->wait < c->candidates[best].wait))
            best = k;
    }
    return best; /* -1, where there is no place: as plain OpenMP */
}

const struct heddle_policy heddle_policy = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "near",
    .help = "where the data is, and first free",
    .choose = choose,
};
