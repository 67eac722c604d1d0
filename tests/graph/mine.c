/* SPDX-License-Identifier: Apache-2.0 */
/* A policy as somebody may write it, for `heddle sim graph --policy=./mine.so`: whoever asks gets the first ready task.
   -DWRONG: it gives tasks out twice. */
#include <heddle/graph.h>
#include <stdlib.h>
#include <string.h>

struct state {
    const struct heddle_graph_machine *m;
    const struct heddle_graph *g;
    char *ready;
};
static void *start(const struct heddle_graph_machine *m) {
    struct state *s = calloc(1, sizeof *s);
    if (s)
        s->m = m;
    return s;
}
static bool change(void *state, const struct heddle_graph *g) {
    struct state *s = state;
    free(s->ready);
    s->g = g;
    return (s->ready = calloc((size_t)g->tasks + 1, 1)) != NULL;
}
/* Perhaps once more, when data was lost. */
static void begin(void *state, long iteration) {
    struct state *s = state;
    (void)iteration;
    memset(s->ready, 0, (size_t)s->g->tasks);
}
static void ready(void *state, int task) { ((struct state *)state)->ready[task] = 1; }
static void next(void *state, int unit, struct heddle_graph_answer *answer) {
    struct state *s = state;
    for (int t = 0; t < s->g->tasks; t++)
        if (s->ready[t] && s->g->time[t * s->m->classes + s->m->unit[unit].class] >= 0) {
#ifndef WRONG
            s->ready[t] = 0;
#endif
            answer->task = t;
            return;
        }
}
static void done(void *state, int task, int unit, double seconds) {
    (void)state;
    (void)task;
    (void)unit;
    (void)seconds;
}
static void lost(void *state, int unit) {
    (void)state;
    (void)unit;
}
static void stop(void *state) {
    free(((struct state *)state)->ready);
    free(state);
}

#pragma GCC visibility push(default)
extern const struct heddle_graph_policy heddle_graph_policy;
const struct heddle_graph_policy heddle_graph_policy = {.version = HEDDLE_GRAPH_VERSION,
                                                        .name = "mine",
                                                        .help = "the first that is ready",
                                                        .source = "",
                                                        .start = start,
                                                        .change = change,
                                                        .begin = begin,
                                                        .ready = ready,
                                                        .next = next,
                                                        .done = done,
                                                        .lost = lost,
                                                        .stop = stop};
#pragma GCC visibility pop
