/* SPDX-License-Identifier: Apache-2.0 */
/*
 * While segments run there is no policy: the device's first unit takes segments, and regions that are none of one, in
 * the order in which they become ready, and the host's units take tasks of the host. When the device is lost, each task
 * is one's own again, and the host's units take them all.
 */
#include "segment.h"

enum { OF_HOST, OF_DEVICE };

struct heddle__graph_segment *heddle__graph_segment_of(const struct heddle__graph_engine *e, int task) {
    const struct heddle__graph_whole *w = e->segments;
    return w && !w->broken && w->of[task] >= 0 ? &w->segment[w->of[task]] : NULL;
}

bool heddle__graph_segments_inside(const struct heddle__graph_engine *e, int task, int other) {
    const struct heddle__graph_whole *w = e->segments;
    return w && !w->broken && w->of[task] >= 0 && w->of[task] == w->of[other];
}

void heddle__graph_segments_begin(struct heddle__graph_engine *e) {
    struct heddle__graph_whole *w = e->segments;
    const struct heddle__graph_shape *s = e->run;
    w->broken = false;
    for (int q = 0; q < 2; q++)
        w->first[q] = w->ready[q] = 0;
    for (int k = 0; k < w->segments; k++)
        w->segment[k].waits = w->segment[k].tasks;
    for (int t = 0; t < s->g.tasks; t++)
        for (int k = 0; k < s->task[t].befores; k++)
            e->left[t] -= heddle__graph_segments_inside(e, t, s->before[s->task[t].before + k]);
}

bool heddle__graph_segments_ready(struct heddle__graph_engine *e, int *task) {
    struct heddle__graph_whole *w = e->segments;
    struct heddle__graph_segment *g = heddle__graph_segment_of(e, *task);
    if (g && --g->waits > 0)
        return false;
    *task = g ? g->task[0] : *task;
    const int q = e->run->made.task[*task].type->device && !w->broken ? OF_DEVICE : OF_HOST;
    w->queue[q][(w->first[q] + w->ready[q]++) % e->run->g.tasks] = *task;
    return true;
}

int heddle__graph_segments_next(struct heddle__graph_engine *e, const struct heddle__graph_unit *u) {
    struct heddle__graph_whole *w = e->segments;
    const int q = u->device >= 0 ? OF_DEVICE : OF_HOST, tasks = e->run->g.tasks;
    if (q == OF_DEVICE && u->number > 0)
        return NONE;
    for (int left = w->ready[q]; left > 0; left--) {
        const int task = w->queue[q][w->first[q]];
        w->first[q] = (w->first[q] + 1) % tasks;
        if (e->run->g.time[(long)task * e->machine.classes + u->class] >= 0) {
            w->ready[q]--;
            return task;
        }
        w->queue[q][(w->first[q] + w->ready[q] - 1) % tasks] = task; /* for nobody who is there */
    }
    return NONE;
}
