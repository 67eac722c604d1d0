/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stealing guided by affinity and by the kind of unit (Hermann et al. 2010, section 5). Partitions begin where the last
 * iteration left them. Before a partition's first task has run everybody may take it; afterwards only a unit that
 * holds a neighbour of it. A processor takes those whose CPU time / GPU time lies below a threshold, a GPU the others;
 * the threshold rises when a processor finds none and falls when a GPU finds none, within limits.
 *
 * `affinity_published` does just that. `affinity` refines the mapping by each class's times of each partition, after
 * 1, 2, 4 … iterations; a partition is stolen only if it ends sooner so, copies there and back included, and belongs to
 * its unit again in the next iteration.
 *
 * Parameters: threshold at first (1), part by which it changes (0.1), most that it becomes, against the first (8).
 */
#include "graph/plan/plan.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FIRST = 1, STEP = 0.1, LIMIT = 8;
static const double AGAIN = 50e-6; /* seconds: a threshold that moves needs another look */

struct guided {
    struct heddle__graph_owners *o;
    uint64_t random;
    bool asks; /* whether the steal helps */
    double first, step, limit, threshold;
    double *all;   /* [partition * classes + class] seconds of an iteration; < 0: it cannot run there */
    double *left;  /* ... of what has not run */
    double *bytes; /* [partition] of its data */
    double *load;  /* [unit] seconds of what is left of its partitions */
    double unknown;
};

/* ---- times ------------------------------------------------------------------------------------------------------- */
static int class_of(const struct guided *s, int unit) { return s->o->q->m->unit[unit].class; }
static bool is_host(const struct guided *s, int unit) { return s->o->q->m->unit[unit].device < 0; }
static double *left_of(const struct guided *s, int p, int unit) {
    return &s->left[p * s->o->q->m->classes + class_of(s, unit)];
}

static bool add_times(struct guided *s) {
    const struct heddle__graph_queues *q = s->o->q;
    const struct heddle_graph *g = q->g;
    const int classes = q->m->classes;
    s->unknown = heddle__graph_unknown(q->m, g);
    if (!heddle__graph_add_times(q->m, g, s->unknown, s->all))
        return false; /* what was known stays */
    memcpy(s->left, s->all, (size_t)g->partitions * (size_t)classes * sizeof *s->all);
    memset(s->load, 0, (size_t)q->m->units * sizeof *s->load);
    for (int p = 0; p < g->partitions; p++)
        if (q->owner[p] >= 0)
            s->load[q->owner[p]] += fmax(0, *left_of(s, p, q->owner[p]));
    return true;
}

static void pass(struct guided *s, int task) {
    const struct heddle__graph_queues *q = s->o->q;
    const int p = q->g->task[task].partition, classes = q->m->classes;
    for (int k = 0; k < classes; k++) {
        double *left = &s->left[p * classes + k];
        if (*left < 0)
            continue;
        const double time = fmin(*left, fmax(0, heddle__graph_time(q->m, q->g, task, k, s->unknown)));
        *left -= time;
        if (q->owner[p] >= 0 && class_of(s, q->owner[p]) == k)
            s->load[q->owner[p]] -= time;
    }
}

static void move(struct guided *s, int p, int to) {
    const int from = s->o->q->owner[p];
    if (from >= 0)
        s->load[from] -= fmax(0, *left_of(s, p, from));
    s->load[to] += fmax(0, *left_of(s, p, to));
}

/* ---- who may take what ------------------------------------------------------------------------------------------- */
/* Time on the fastest processor / on the fastest GPU; 0: there are not both. */
static double ratio_of(const struct guided *s, int p) {
    const struct heddle__graph_queues *q = s->o->q;
    double host = HUGE_VAL, device = HUGE_VAL;
    for (int u = 0; u < q->m->units; u++) {
        const double time = q->gone[u] ? -1 : s->all[p * q->m->classes + class_of(s, u)];
        if (time >= 0)
            *(is_host(s, u) ? &host : &device) = fmin(is_host(s, u) ? host : device, time);
    }
    return isinf(host) || isinf(device) || device <= 0 ? 0 : host / device;
}

static bool suits(const struct guided *s, int p, int unit) {
    const double ratio = ratio_of(s, p);
    return ratio <= 0 || (ratio < s->threshold) == is_host(s, unit);
}

static bool has_affinity(const struct guided *s, int p, int unit) {
    const struct heddle__graph_queues *q = s->o->q;
    if (q->at[p] == q->first_task[p])
        return true;
    for (int k = q->g->first_neighbour[p]; k < q->g->first_neighbour[p + 1]; k++)
        if (q->owner[q->g->neighbour[k].partition] == unit)
            return true;
    return false;
}

static double copy_time(const struct guided *s, int p, int from, int to) {
    const struct heddle_graph_machine *m = s->o->q->m;
    const int a = m->unit[from].memory, b = m->unit[to].memory;
    return a == b ? 0 : m->latency[a * m->memories + b] + s->bytes[p] * m->byte[a * m->memories + b];
}

static bool helps(const struct guided *s, int p, int unit) {
    const int from = s->o->q->owner[p];
    if (!s->asks || from < 0 || s->o->due)
        return true;
    const double here = *left_of(s, p, unit);
    const double copies = copy_time(s, p, from, unit) + copy_time(s, p, unit, from); /* it goes home again */
    return here >= 0 && s->load[unit] + here + copies < s->load[from];
}

static int find(struct guided *s, int unit) {
    const struct heddle__graph_queues *q = s->o->q;
    int turn = 0, begin = 0, victim;
    while ((victim = heddle__graph_victim(q, &s->random, unit, &turn, &begin)) >= 0)
        for (int p = q->tail[victim]; p >= 0; p = q->prev[p])
            if (heddle__graph_queues_can(q, p, unit) && has_affinity(s, p, unit) && suits(s, p, unit) &&
                helps(s, p, unit))
                return p;
    return -1;
}

/* Only where something was there to be taken: otherwise the threshold would drift while all wait. */
static void adapt(struct guided *s, int unit, struct heddle_graph_answer *answer) {
    const struct heddle__graph_queues *q = s->o->q;
    heddle__graph_owners_fails(s->o);
    for (int u = 0; u < q->m->units; u++) {
        if (u == unit || q->head[u] < 0)
            continue;
        const double next = s->threshold * (is_host(s, unit) ? 1 + s->step : 1 / (1 + s->step));
        s->threshold = fmax(s->first / s->limit, fmin(s->first * s->limit, next));
        answer->again = AGAIN;
        return;
    }
}

/* ---- the policy -------------------------------------------------------------------------------------------------- */
static void drop(struct guided *s) {
    free(s->all);
    free(s->left);
    free(s->bytes);
    s->all = s->left = s->bytes = NULL;
}

static void stop(void *state) {
    struct guided *s = state;
    drop(s);
    free(s->load);
    heddle__graph_owners_free(s->o);
    free(s);
}

static void *start(const struct heddle_graph_machine *m) {
    struct guided *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->random = m->seed;
    s->threshold = s->first = m->parameter[0] > 0 ? m->parameter[0] : FIRST;
    s->step = m->parameter[1] > 0 ? m->parameter[1] : STEP;
    s->limit = m->parameter[2] >= 1 ? m->parameter[2] : LIMIT;
    s->load = calloc((size_t)m->units, sizeof *s->load);
    s->o = heddle__graph_owners_make(m);
    if (s->load && s->o)
        return s;
    free(s->load);
    if (s->o)
        heddle__graph_owners_free(s->o);
    free(s);
    return NULL;
}

static void *start_asking(const struct heddle_graph_machine *m) {
    struct guided *s = start(m);
    if (s)
        s->asks = s->o->refines = true;
    return s;
}

static bool change(void *state, const struct heddle_graph *g) {
    struct guided *s = state;
    const size_t parts = (size_t)g->partitions + 1, classes = (size_t)s->o->q->m->classes;
    drop(s);
    s->all = malloc(parts * classes * sizeof *s->all);
    s->left = malloc(parts * classes * sizeof *s->left);
    s->bytes = calloc(parts, sizeof *s->bytes);
    if (!s->all || !s->left || !s->bytes || !heddle__graph_owners_change(s->o, g))
        return false;
    for (int d = 0; d < g->datas; d++)
        if (g->data[d].partition >= 0)
            s->bytes[g->data[d].partition] += g->data[d].bytes;
    return add_times(s);
}

static void begin(void *state, long iteration) {
    struct guided *s = state;
    (void)iteration;
    heddle__graph_owners_begin(s->o);
    (void)add_times(s);
}

static void ready(void *state, int task) { heddle__graph_queues_ready(((struct guided *)state)->o->q, task); }

static void done(void *state, int task, int unit, double seconds) {
    struct guided *s = state;
    pass(s, task);
    heddle__graph_done(s->o, task, unit, seconds);
}

static void lost(void *state, int unit) {
    struct guided *s = state;
    const struct heddle__graph_queues *q = s->o->q;
    heddle__graph_queues_lost(s->o->q, unit);
    memset(s->load, 0, (size_t)q->m->units * sizeof *s->load);
    for (int p = 0; q->g && p < q->g->partitions; p++)
        if (q->owner[p] >= 0)
            s->load[q->owner[p]] += fmax(0, *left_of(s, p, q->owner[p]));
}

static void next(void *state, int unit, struct heddle_graph_answer *answer) {
    struct guided *s = state;
    int p = heddle__graph_queues_own(s->o->q, unit);
    const bool steals = p < 0;
    if (steals && !heddle__graph_owners_may_look(s->o))
        return;
    if (steals && (p = find(s, unit)) >= 0) {
        s->o->report.steals++;
        move(s, p, unit);
    }
    if (p < 0)
        adapt(s, unit, answer);
    else
        answer->task = heddle__graph_queues_take(s->o->q, p, unit, steals);
}

static void report(void *state, struct heddle_graph_report *r) {
    const struct guided *s = state;
    *r = s->o->report;
    r->threshold = s->threshold;
}

const struct heddle_graph_policy heddle__graph_affinity = {
    .version = HEDDLE_GRAPH_VERSION,
    .name = "affinity",
    .help = "partitions by METIS, refined by each class's times; stealing by neighbourhood and kind of unit where it "
            "helps (threshold 1, step 0.1, limit 8)",
    .source = "after Hermann et al. 2010",
    .start = start_asking,
    .change = change,
    .begin = begin,
    .ready = ready,
    .next = next,
    .done = done,
    .lost = lost,
    .report = report,
    .stop = stop,
};

const struct heddle_graph_policy heddle__graph_affinity_published = {
    .version = HEDDLE_GRAPH_VERSION,
    .name = "affinity_published",
    .help = "the same without refining, and without asking whether a steal helps",
    .source = "Hermann et al. 2010, section 5",
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
