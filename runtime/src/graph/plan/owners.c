/* SPDX-License-Identifier: Apache-2.0 */
/* What the policies share that map partitions to units. A graph that is new has no times: after its first iteration it
   is mapped by them, and once more when it is warm, since first times are those of copies and of code that is loaded.
 */
#include "plan.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WARM = 2 };
enum { SAVED = 4 };               /* looks for each unit, at most, that were not needed */
static const double LOOKS = 2e3;  /* that may fail, a second of tasks: one takes about a microsecond */
static const double WORTH = 0.02; /* of the largest load: less is noise */

/* Is most of it measured? */
static bool has_times(const struct heddle_graph_machine *m, const struct heddle_graph *g) {
    long known = 0;
    for (int t = 0; t < g->tasks; t++)
        for (int k = 0; k < m->classes; k++)
            if (g->time[t * m->classes + k] > 0) {
                known++;
                break;
            }
    return 2 * known > g->tasks;
}

static bool map(struct heddle__graph_owners *o) {
    const char *by = heddle__graph_partition(o->q->m, o->q->g, o->q->gone, o->q->owner);
    if (!by)
        return false;
    o->report.partitioner = by;
    o->report.mappings++;
    if (o->refines && has_times(o->q->m, o->q->g))
        heddle__graph_refine(o->q->m, o->q->g, o->q->gone, 0, o->q->owner);
    if (o->refines)
        memcpy(o->home, o->q->owner, (size_t)o->q->g->partitions * sizeof *o->home);
    o->iteration = 0;
    o->again = 1;
    return true;
}

/* Who stole gives back: the mapping is better than what was left by chance. */
static void go_home(struct heddle__graph_owners *o) {
    const struct heddle__graph_queues *q = o->q;
    for (int p = 0; p < q->g->partitions; p++)
        if (!q->gone[o->home[p]])
            q->owner[p] = o->home[p];
    if (o->due || ++o->iteration < o->again)
        return;
    o->again *= 2;
    if (heddle__graph_refine(q->m, q->g, q->gone, WORTH, q->owner))
        o->report.mappings++;
    memcpy(o->home, q->owner, (size_t)q->g->partitions * sizeof *o->home);
}

struct heddle__graph_owners *heddle__graph_owners_make(const struct heddle_graph_machine *m) {
    struct heddle__graph_owners *o = calloc(1, sizeof *o);
    if (o && (o->q = heddle__graph_queues_make(m)))
        return o;
    free(o);
    return NULL;
}

void heddle__graph_owners_free(struct heddle__graph_owners *o) {
    heddle__graph_queues_free(o->q);
    free(o->home);
    free(o);
}

bool heddle__graph_owners_change(struct heddle__graph_owners *o, const struct heddle_graph *g) {
    if (!heddle__graph_queues_change(o->q, g))
        return false;
    if (o->refines) {
        int *home = realloc(o->home, ((size_t)g->partitions + 1) * sizeof *home);
        if (!home)
            return false;
        o->home = home;
    }
    o->due = !has_times(o->q->m, g);
    o->warms_up = 0;
    return map(o);
}

bool heddle__graph_owners_may_look(const struct heddle__graph_owners *o) { return o->looks >= 1; }
void heddle__graph_owners_fails(struct heddle__graph_owners *o) {
    o->looks--;
    o->report.failed++;
}

void heddle__graph_owners_begin(struct heddle__graph_owners *o) {
    o->looks = SAVED * o->q->m->units;
    if (o->due && has_times(o->q->m, o->q->g)) {
        o->due = false;
        o->warms_up = o->refines ? 0 : WARM; /* it is refined instead */
        map(o);                              /* no memory: the owners stay */
    } else if (o->warms_up && !--o->warms_up) {
        map(o);
    } else if (o->refines) {
        go_home(o);
    }
    heddle__graph_queues_begin(o->q);
}

void *heddle__graph_start(const struct heddle_graph_machine *m) { return heddle__graph_owners_make(m); }
bool heddle__graph_change(void *state, const struct heddle_graph *g) { return heddle__graph_owners_change(state, g); }
void heddle__graph_begin(void *state, long iteration) {
    (void)iteration;
    heddle__graph_owners_begin(state);
}
void heddle__graph_ready(void *state, int task) {
    heddle__graph_queues_ready(((struct heddle__graph_owners *)state)->q, task);
}
void heddle__graph_done(void *state, int task, int unit, double seconds) {
    struct heddle__graph_owners *o = state;
    (void)unit;
    o->looks = fmin(o->looks, SAVED * o->q->m->units) + LOOKS * seconds;
    heddle__graph_queues_done(o->q, task);
}
void heddle__graph_lost(void *state, int unit) {
    heddle__graph_queues_lost(((struct heddle__graph_owners *)state)->q, unit);
}
void heddle__graph_report(void *state, struct heddle_graph_report *report) {
    *report = ((struct heddle__graph_owners *)state)->report;
}
void heddle__graph_stop(void *state) { heddle__graph_owners_free(state); }

static uint64_t draw(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return z ^ (z >> 31);
}

int heddle__graph_victim(const struct heddle__graph_queues *q, uint64_t *random, int unit, int *turn, int *begin) {
    const int units = q->m->units;
    if (!*turn)
        *begin = (int)(draw(random) % (uint64_t)units);
    while (*turn < units) {
        const int victim = (*begin + (*turn)++) % units;
        if (victim != unit && q->head[victim] >= 0)
            return victim;
    }
    return -1;
}
