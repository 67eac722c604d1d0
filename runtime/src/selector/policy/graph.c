/* SPDX-License-Identifier: Apache-2.0 */
/* Policies of heddle/graph.h for the target tasks of an unmodified program that repeats a graph of them. Regions that
   are in no such graph go where they are done first. */
#include "selector/selector.h"

static int choose(const struct heddle_choice *c, void *state) {
    return heddle__policy_earliest_finish.choose(c, state);
}

const struct heddle_policy heddle__policy_partition = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "partition",
    .help = "graphs of tasks: objects to devices by METIS, and they stay there",
    .choose = choose,
    .learns = true,
    .graph = "static",
};
const struct heddle_policy heddle__policy_steal = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "steal",
    .help = "the same, and an idle device takes another one's objects",
    .choose = choose,
    .learns = true,
    .graph = "steal",
};
const struct heddle_policy heddle__policy_affinity = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "affinity",
    .help = "the same, where it has a neighbour of the object and the object is done sooner",
    .choose = choose,
    .learns = true,
    .graph = "affinity",
};
