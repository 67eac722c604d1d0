/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A policy of one's own: never the default device if another may take the region. Build and use:
 *     clang -shared -fPIC policy_away.c -o away.so      (with -I where heddle/policy.h is)
 *     HEDDLE_POLICY=./away.so heddle run ./prog
 */
#include <heddle/policy.h>

static int choose(const struct heddle_choice *c, void *state) {
    (void)state;
    int best = -1;
    for (int k = 0; k < c->count; k++)
        if (c->candidates[k].device >= 0 && c->candidates[k].device != c->default_device &&
            (best < 0 || c->candidates[k].runs < c->candidates[best].runs))
            best = k;
    return best;
}

__attribute__((visibility("default"))) const struct heddle_policy heddle_policy = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "away",
    .help = "never the default device",
    .choose = choose,
};
