/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions go to the units in turn, and stay: even, but what belongs together is torn apart (Hermann et al. 2010,
 * section 6.2). */
#include "graph/plan/plan.h"

static void *start(const struct heddle_graph_machine *m) { return heddle__graph_queues_make(m); }
static void stop(void *state) { heddle__graph_queues_free(state); }

static bool change(void *state, const struct heddle_graph *g) {
    struct heddle__graph_queues *q = state;
    int unit = -1;
    if (!heddle__graph_queues_change(q, g))
        return false;
    for (int p = 0; p < g->partitions && q->units; p++) {
        do
            unit = (unit + 1) % q->m->units;
        while (q->gone[unit]);
        q->owner[p] = unit;
    }
    return true;
}

static void begin(void *state, long iteration) {
    (void)iteration;
    heddle__graph_queues_begin(state);
}

static void ready(void *state, int task) { heddle__graph_queues_ready(state, task); }

static void next(void *state, int unit, struct heddle_graph_answer *answer) {
    const int p = heddle__graph_queues_own(state, unit);
    if (p >= 0)
        answer->task = heddle__graph_queues_take(state, p, unit, false);
}

static void done(void *state, int task, int unit, double seconds) {
    (void)unit;
    (void)seconds;
    heddle__graph_queues_done(state, task);
}

static void lost(void *state, int unit) { heddle__graph_queues_lost(state, unit); }

const struct heddle_graph_policy heddle__graph_round_robin = {
    .version = HEDDLE_GRAPH_VERSION,
    .name = "round_robin",
    .help = "partitions to units in turn",
    .source = "Hermann et al. 2010, section 6.2",
    .start = start,
    .change = change,
    .begin = begin,
    .ready = ready,
    .next = next,
    .done = done,
    .lost = lost,
    .stop = stop,
};
