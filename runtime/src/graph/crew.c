/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many threads of the host take part in an iteration. What a task needs under the engine's one lock is its price:
 * threads that wait for the lock only take it from each other, so tasks that are shorter get fewer threads. By the mean
 * time of a task at first, then by what iterations took with all threads, a half, a quarter … Who does not take part is
 * no unit of the shape's machine: the policy does not know it.
 */
#include "engine.h"

static const double LOCKED = 0.5e-6; /* seconds that a task holds the lock when others want it */

static int hosts_of(const struct heddle__graph_engine *e) {
    int hosts = 0;
    for (int k = 0; k < e->machine.units; k++)
        hosts += e->unit[k].device < 0;
    return hosts;
}

static int at_level(int hosts, int level) { return hosts >> level > 1 ? hosts >> level : 1; }

/* Seconds of all tasks of an iteration. */
static double work_of(const struct heddle__graph_engine *e, const struct heddle__graph_shape *s) {
    const int class = e->unit[e->machine.units - 1].class;
    double sum = 0;
    for (int t = 0; t < s->g.tasks; t++) {
        const double time = s->time[(long)t * e->machine.classes + class];
        sum += time > 0 ? time : 0;
    }
    return sum;
}

static int level_of(const struct heddle__graph_engine *e, const struct heddle__graph_shape *s, int hosts) {
    const double work = work_of(e, s), most = 1 + work / (s->g.tasks * LOCKED);
    int first = 0, best = -1;
    while (first + 1 < HEDDLE__GRAPH_CREWS && at_level(hosts, first) > most)
        first++;
    if (s->crew[first] <= 0)
        return first;
    for (int k = 0; k < HEDDLE__GRAPH_CREWS; k++)
        if (s->crew[k] > 0 && (best < 0 || s->crew[k] < s->crew[best]))
            best = k;
    const bool tries = s->iteration >= 4 && !(s->iteration & (s->iteration - 1));
    for (int k = best - 1; tries && k <= best + 1; k++)
        if (k >= 0 && k < HEDDLE__GRAPH_CREWS && s->crew[k] <= 0 && at_level(hosts, k) != at_level(hosts, best) &&
            work / at_level(hosts, k) < s->crew[best])
            return k;
    return best;
}

/* The policy begins anew with other units. False: no memory; all stays. */
static bool change(struct heddle__graph_engine *e, struct heddle__graph_shape *s, int units) {
    const int before = s->machine.units;
    s->machine.units = units;
    void *state = e->policy->start(&s->machine);
    for (int p = 0; p < s->g.partitions; p++)
        s->owner[p] = s->owner[p] < units ? s->owner[p] : -1;
    if (state && e->policy->change(state, &s->g)) {
        struct heddle_graph_machine now = s->machine;
        s->machine.units = before; /* as the one that stops knows it */
        e->policy->stop(s->state);
        s->machine = now;
        s->state = state;
        for (int k = 0; k < HEDDLE__GRAPH_UNITS; k++)
            s->lost[k] = 0;
        return true;
    }
    if (state)
        e->policy->stop(state);
    s->machine.units = before;
    return false;
}

void heddle__graph_crew(struct heddle__graph_engine *e) {
    struct heddle__graph_shape *s = e->run;
    const int hosts = hosts_of(e), devices = e->machine.units - hosts;
    s->level = 0;
    if (e->with_devices || hosts < 2 || !s->iteration)
        return;
    const int level = level_of(e, s, hosts), units = devices + at_level(hosts, level);
    if (units == s->machine.units || change(e, s, units))
        s->level = level;
}

void heddle__graph_crew_note(struct heddle__graph_engine *e, double seconds) {
    struct heddle__graph_shape *s = e->run;
    double *known = &s->crew[s->level];
    if (s->iteration <= 2) /* threads start in the first one */
        *known = *known > 0 && *known < seconds ? *known : seconds;
    else
        *known = *known > 0 ? *known + (seconds - *known) / 4 : seconds;
}
