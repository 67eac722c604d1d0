/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heterogeneous earliest finish time: tasks by the longest way from them to the end, each to the unit that ends it
 * first, in a gap of its plan where one is wide enough. A unit then follows its plan; what a lost unit had planned goes
 * to whoever is idle.
 */
#include "graph/plan/plan.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST = 1e-9; /* seconds: a task without time still comes after those that it waits for */

struct plan {
    const struct heddle_graph_machine *m;
    const struct heddle_graph *g;
    bool due;
    double unknown, latency, byte; /* of an average copy */
    double *rank, *begin, *end;    /* [task] */
    int *order, *unit, *next;      /* [task] by rank; planned; of the same unit */
    int *head, *at;                /* [unit] the first; the next to run */
    char *ready, *taken;           /* [task] */
    bool *gone;
    long mappings;
    int *writer; /* [data] the last task that writes it, while ranks and plans are made; -1: none yet */
};

static double time_on(const struct plan *s, int task, int unit) {
    const double time = heddle__graph_time(s->m, s->g, task, s->m->unit[unit].class, s->unknown);
    return time < 0 ? -1 : fmax(time, LEAST);
}

/* ---- ranks ------------------------------------------------------------------------------------------------------- */
static double mean_time(const struct plan *s, int task) {
    double sum = 0;
    int count = 0;
    for (int u = 0; u < s->m->units; u++)
        if (!s->gone[u] && time_on(s, task, u) >= 0) {
            sum += time_on(s, task, u);
            count++;
        }
    return count ? sum / count : s->unknown;
}

static void average_copy(struct plan *s) {
    int count = 0;
    s->latency = s->byte = 0;
    for (int a = 0; a < s->m->memories; a++)
        for (int b = 0; b < s->m->memories; b++, count++) {
            s->latency += s->m->latency[a * s->m->memories + b];
            s->byte += s->m->byte[a * s->m->memories + b];
        }
    s->latency /= count;
    s->byte /= count;
}

/* Bytes that a task reads of what another writes. */
static double bytes_between(const struct plan *s, int from, int to) {
    const struct heddle_graph_task *a = &s->g->task[from], *b = &s->g->task[to];
    double sum = 0;
    for (int j = 0; j < b->accesses; j++) {
        const struct heddle_graph_access *reads = &s->g->access[b->access + j];
        for (int k = 0; k < a->accesses && reads->reads; k++)
            if (s->g->access[a->access + k].writes && s->g->access[a->access + k].data == reads->data)
                sum += s->g->data[reads->data].bytes;
    }
    return sum;
}

static const double *compared; /* one thread makes plans at a time: see heddle/graph.h */
static int by_rank(const void *x, const void *y) {
    const int a = *(const int *)x, b = *(const int *)y;
    return compared[a] != compared[b] ? (compared[a] < compared[b]) - (compared[a] > compared[b]) : a - b;
}

static void rank(struct plan *s) {
    average_copy(s);
    for (int t = 0; t < s->g->tasks; t++)
        s->rank[t] = 0;
    for (int t = s->g->tasks - 1; t >= 0; t--) {
        s->rank[t] += mean_time(s, t);
        for (int k = 0; k < s->g->task[t].befores; k++) {
            const int b = s->g->before[s->g->task[t].before + k];
            const double bytes = bytes_between(s, b, t);
            const double copy = bytes > 0 ? s->latency + bytes * s->byte : 0;
            s->rank[b] = fmax(s->rank[b], s->rank[t] + copy);
        }
        s->order[t] = t;
    }
    compared = s->rank;
    qsort(s->order, (size_t)s->g->tasks, sizeof *s->order, by_rank);
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */
static double copy_time(const struct plan *s, int from, int to, double bytes) {
    const int a = s->m->unit[from].memory, b = s->m->unit[to].memory;
    return a == b ? 0 : s->m->latency[a * s->m->memories + b] + bytes * s->m->byte[a * s->m->memories + b];
}

/* When all that a task reads is on the unit. */
static double earliest(const struct plan *s, int task, int unit) {
    const struct heddle_graph_task *t = &s->g->task[task];
    double start = 0;
    for (int k = 0; k < t->befores; k++)
        start = fmax(start, s->end[s->g->before[t->before + k]]);
    for (int k = 0; k < t->accesses; k++) {
        const struct heddle_graph_access *a = &s->g->access[t->access + k];
        const struct heddle_graph_data *d = &s->g->data[a->data];
        const int writer = s->writer[a->data], home = d->partition < 0 ? -1 : s->g->owner[d->partition];
        if (!a->reads)
            continue;
        if (writer >= 0)
            start = fmax(start, s->end[writer] + copy_time(s, s->unit[writer], unit, d->bytes));
        else if (home >= 0)
            start = fmax(start, copy_time(s, home, unit, d->bytes));
    }
    return start;
}

/* The first gap of a unit's plan; *after: the task before it, -1: none. */
static double gap(const struct plan *s, int unit, double start, double time, int *after) {
    *after = -1;
    for (int t = s->head[unit]; t >= 0; *after = t, t = s->next[t]) {
        if (start + time <= s->begin[t])
            return start;
        start = fmax(start, s->end[t]);
    }
    return start;
}

static void place(struct plan *s, int task) {
    double best = HUGE_VAL;
    int after = -1, unit = -1;
    for (int u = 0; u < s->m->units; u++) {
        const double time = s->gone[u] ? -1 : time_on(s, task, u);
        int behind;
        if (time < 0)
            continue;
        const double start = gap(s, u, earliest(s, task, u), time, &behind);
        if (start + time < best) {
            best = start + time;
            s->begin[task] = start;
            after = behind;
            unit = u;
        }
    }
    s->unit[task] = unit < 0 ? 0 : unit; /* nobody can: the engine says so */
    s->end[task] = unit < 0 ? 0 : best;
    if (unit < 0)
        return;
    int *link = after < 0 ? &s->head[unit] : &s->next[after];
    s->next[task] = *link;
    *link = task;
    for (int k = 0; k < s->g->task[task].accesses; k++) {
        const struct heddle_graph_access *a = &s->g->access[s->g->task[task].access + k];
        if (a->writes)
            s->writer[a->data] = task;
    }
}

static void make_plan(struct plan *s) {
    s->unknown = heddle__graph_unknown(s->m, s->g);
    for (int u = 0; u < s->m->units; u++)
        s->head[u] = -1;
    for (int d = 0; d < s->g->datas; d++)
        s->writer[d] = -1;
    rank(s);
    for (int k = 0; k < s->g->tasks; k++)
        place(s, s->order[k]);
    s->mappings++;
}

/* ---- the policy -------------------------------------------------------------------------------------------------- */
static void drop(struct plan *s) {
    void *all[] = {s->rank, s->begin, s->end, s->order, s->unit, s->next, s->ready, s->taken, s->writer};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    s->rank = s->begin = s->end = NULL;
    s->order = s->unit = s->next = s->writer = NULL;
    s->ready = s->taken = NULL;
}

static void stop(void *state) {
    struct plan *s = state;
    drop(s);
    free(s->head);
    free(s->at);
    free(s->gone);
    free(s);
}

static void *start(const struct heddle_graph_machine *m) {
    struct plan *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->m = m;
    s->head = malloc((size_t)m->units * sizeof *s->head);
    s->at = malloc((size_t)m->units * sizeof *s->at);
    s->gone = calloc((size_t)m->units, sizeof *s->gone);
    if (s->head && s->at && s->gone)
        return s;
    stop(s);
    return NULL;
}

static bool change(void *state, const struct heddle_graph *g) {
    struct plan *s = state;
    const size_t tasks = (size_t)g->tasks + 1;
    drop(s);
    s->g = g;
    double **reals[] = {&s->rank, &s->begin, &s->end};
    int **whole[] = {&s->order, &s->unit, &s->next};
    bool good = true;
    for (int k = 0; k < 3; k++) {
        good = (*reals[k] = calloc(tasks, sizeof **reals[k])) && good;
        good = (*whole[k] = calloc(tasks, sizeof **whole[k])) && good;
    }
    s->writer = malloc(((size_t)g->datas + 1) * sizeof *s->writer);
    s->ready = calloc(tasks, 1);
    s->taken = calloc(tasks, 1);
    s->due = true;
    if (good && s->writer && s->ready && s->taken)
        make_plan(s);
    return good && s->writer && s->ready && s->taken;
}

/* The second iteration knows times. */
static void begin(void *state, long iteration) {
    struct plan *s = state;
    (void)iteration;
    if (s->due && heddle__graph_unknown(s->m, s->g) != s->unknown) {
        s->due = false;
        make_plan(s);
    }
    memcpy(s->at, s->head, (size_t)s->m->units * sizeof *s->at);
    memset(s->ready, 0, (size_t)s->g->tasks);
    memset(s->taken, 0, (size_t)s->g->tasks);
}

static void ready(void *state, int task) {
    struct plan *s = state;
    s->ready[task] = 1;
    s->taken[task] = 0;
}

static int of_the_lost(const struct plan *s, int unit) {
    for (int u = 0; u < s->m->units; u++)
        for (int t = s->gone[u] ? s->head[u] : -1; t >= 0; t = s->next[t])
            if (s->ready[t] && !s->taken[t] && heddle__graph_can(s->m, s->g, t, unit))
                return t;
    return -1;
}

static void next(void *state, int unit, struct heddle_graph_answer *answer) {
    struct plan *s = state;
    int t = s->at[unit];
    if (t >= 0 && s->ready[t])
        s->at[unit] = s->next[t];
    else
        t = of_the_lost(s, unit);
    if (t >= 0)
        s->taken[t] = 1;
    answer->task = t;
}

static void done(void *state, int task, int unit, double seconds) {
    (void)state;
    (void)task;
    (void)unit;
    (void)seconds;
}

static void lost(void *state, int unit) {
    struct plan *s = state;
    s->gone[unit] = true;
    s->due = true; /* the next iteration has a plan without it */
    s->unknown = -1;
}

static void report(void *state, struct heddle_graph_report *r) { r->mappings = ((struct plan *)state)->mappings; }

const struct heddle_graph_policy heddle__graph_heft = {
    .version = HEDDLE_GRAPH_VERSION,
    .name = "heft",
    .help = "a plan of all tasks by earliest finish; nothing is stolen",
    .source = "Topcuoglu et al. 2002",
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
