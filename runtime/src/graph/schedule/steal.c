/* SPDX-License-Identifier: Apache-2.0 */
/* Plain work stealing: partitions begin as METIS maps them, and who has nothing ready takes one of a random unit's,
 * wherever its data lies and however slow it is there (Hermann et al. 2010, section 6.2). */
#include "graph/plan/plan.h"
#include <stdlib.h>

struct thieves {
    struct heddle__graph_owners *o;
    uint64_t random;
};

static void stop(void *state) {
    struct thieves *s = state;
    heddle__graph_owners_free(s->o);
    free(s);
}

static void *start(const struct heddle_graph_machine *m) {
    struct thieves *s = calloc(1, sizeof *s);
    if (s && (s->o = heddle__graph_owners_make(m))) {
        s->random = m->seed;
        return s;
    }
    free(s);
    return NULL;
}

static bool change(void *state, const struct heddle_graph *g) {
    return heddle__graph_owners_change(((struct thieves *)state)->o, g);
}
static void begin(void *state, long iteration) {
    (void)iteration;
    heddle__graph_owners_begin(((struct thieves *)state)->o);
}
static void ready(void *state, int task) { heddle__graph_queues_ready(((struct thieves *)state)->o->q, task); }
static void done(void *state, int task, int unit, double seconds) {
    heddle__graph_done(((struct thieves *)state)->o, task, unit, seconds);
}
static void lost(void *state, int unit) { heddle__graph_queues_lost(((struct thieves *)state)->o->q, unit); }
static void report(void *state, struct heddle_graph_report *r) { *r = ((struct thieves *)state)->o->report; }

static int find(struct thieves *s, int unit) {
    const struct heddle__graph_queues *q = s->o->q;
    int turn = 0, from = 0, victim;
    while ((victim = heddle__graph_victim(q, &s->random, unit, &turn, &from)) >= 0)
        for (int p = q->tail[victim]; p >= 0; p = q->prev[p])
            if (heddle__graph_queues_can(q, p, unit))
                return p;
    return -1;
}

static void next(void *state, int unit, struct heddle_graph_answer *answer) {
    struct thieves *s = state;
    int p = heddle__graph_queues_own(s->o->q, unit);
    const bool steals = p < 0;
    if (steals && !heddle__graph_owners_may_look(s->o))
        return;
    if (steals && (p = find(s, unit)) >= 0)
        s->o->report.steals++;
    if (p < 0)
        heddle__graph_owners_fails(s->o);
    else
        answer->task = heddle__graph_queues_take(s->o->q, p, unit, steals);
}

const struct heddle_graph_policy heddle__graph_steal = {
    .version = HEDDLE_GRAPH_VERSION,
    .name = "steal",
    .help = "partitions by METIS; who has nothing ready takes one of a random unit's",
    .source = "Hermann et al. 2010, section 6.2",
    .start = start,
    .change = change,
    .begin = begin,
    .ready = ready,
    .next = next,
    .done = done,
    .lost = lost,
    .report = report,
    .stop = stop,
};
