/* SPDX-License-Identifier: Apache-2.0 */
/* As plain OpenMP: the default device (HEDDLE_DEVICE, OMP_DEFAULT_DEVICE). Times are measured all the same. */
#include "selector/selector.h"

static int choose(const struct heddle_choice *c, void *state) {
    (void)c, (void)state;
    return -1;
}

const struct heddle_policy heddle__policy_fixed = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "fixed",
    .help = "the device that plain OpenMP takes",
    .choose = choose,
};
