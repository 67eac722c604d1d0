/* SPDX-License-Identifier: Apache-2.0 */
/* The partitioner's mapping, and nothing else: no copies that could be spared, but nobody helps (Hermann et al. 2010,
 * section 6.2). */
#include "graph/plan/plan.h"

static void next(void *state, int unit, struct heddle_graph_answer *answer) {
    struct heddle__graph_owners *o = state;
    const int p = heddle__graph_queues_own(o->q, unit);
    if (p >= 0)
        answer->task = heddle__graph_queues_take(o->q, p, unit, false);
}

const struct heddle_graph_policy heddle__graph_static = {
    .version = HEDDLE_GRAPH_VERSION,
    .name = "static",
    .help = "partitions by METIS, and no stealing",
    .source = "Hermann et al. 2010, section 6.2",
    .start = heddle__graph_start,
    .change = heddle__graph_change,
    .begin = heddle__graph_begin,
    .ready = heddle__graph_ready,
    .next = next,
    .done = heddle__graph_done,
    .lost = heddle__graph_lost,
    .report = heddle__graph_report,
    .stop = heddle__graph_stop,
};
