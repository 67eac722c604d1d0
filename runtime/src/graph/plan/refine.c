/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mapping made better, step by step: a partition moves to another unit, or two change places, while the sum of the
 * units' loads to the eighth power falls. That is nearly the largest load, but has no plateaus. A partition's time may
 * differ from class to class by another factor than its neighbour's: the partitioner knows only one weight.
 */
#include "plan.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, PAIRS = 200000, TABLE = 1 << 22 };
static const double ENOUGH = 1e-4; /* a step that gains less is none */

struct refining {
    const struct heddle_graph_machine *m;
    const struct heddle_graph *g;
    const bool *gone;
    int *owner;
    double *time;  /* [partition * classes + class]; < 0: it cannot run there */
    double *reads; /* [neighbour] copies of its data, if it is elsewhere, in an iteration */
    double *cost;  /* [partition * units + unit]; < 0: it cannot run there */
    double *load, mean;
    bool *tried; /* [unit] no step of its partitions gains */
};

static double class_time(const struct refining *s, int p, int unit) {
    return s->time[p * s->m->classes + s->m->unit[unit].class];
}

static double copies(const struct refining *s, int k, int from, int to) {
    const int n = s->m->memories, a = s->m->unit[from].memory, b = s->m->unit[to].memory;
    return a == b ? 0 : s->reads[k] * s->m->latency[a * n + b] + s->g->neighbour[k].bytes * s->m->byte[a * n + b];
}

/* What p costs on each unit: its time, and the copies of what it reads of its neighbours. */
static void set_cost(struct refining *s, int p) {
    for (int u = 0; u < s->m->units; u++) {
        double sum = class_time(s, p, u);
        for (int k = s->g->first_neighbour[p]; k < s->g->first_neighbour[p + 1] && sum >= 0; k++)
            sum += copies(s, k, s->owner[s->g->neighbour[k].partition], u);
        s->cost[(long)p * s->m->units + u] = s->gone[u] ? -1 : sum;
    }
}

static void set_neighbours(struct refining *s, int p) {
    set_cost(s, p);
    for (int k = s->g->first_neighbour[p]; k < s->g->first_neighbour[p + 1]; k++)
        set_cost(s, s->g->neighbour[k].partition);
}

static double cost(const struct refining *s, int p, int unit) { return s->cost[(long)p * s->m->units + unit]; }

static double power(const struct refining *s, double load) {
    double x = load / s->mean;
    x *= x;
    x *= x;
    return x * x;
}

static void add_reads(struct refining *s) {
    const struct heddle_graph *g = s->g;
    for (int t = 0; t < g->tasks; t++)
        for (int j = 0; j < g->task[t].accesses; j++) {
            const struct heddle_graph_access *a = &g->access[g->task[t].access + j];
            const int p = g->task[t].partition, q = g->data[a->data].partition;
            for (int k = g->first_neighbour[p]; k < g->first_neighbour[p + 1] && a->reads && p != q; k++)
                if (g->neighbour[k].partition == q) {
                    s->reads[k]++;
                    break;
                }
        }
}

static void add_loads(struct refining *s) {
    int units = 0;
    s->mean = 0;
    memset(s->load, 0, (size_t)s->m->units * sizeof *s->load);
    for (int p = 0; p < s->g->partitions; p++)
        s->load[s->owner[p]] += fmax(0, cost(s, p, s->owner[p]));
    for (int u = 0; u < s->m->units; u++) {
        s->mean += s->load[u];
        units += !s->gone[u];
    }
    s->mean = fmax(s->mean / units, 1e-12);
}

/* What the sum gains when p goes to a unit and r (-1: none) comes from there. */
static double gain(const struct refining *s, int p, int r, int to) {
    const int from = s->owner[p];
    if (cost(s, p, to) < 0 || (r >= 0 && cost(s, r, from) < 0))
        return 0;
    const double leaves = cost(s, p, from), comes = cost(s, p, to);
    const double back = r < 0 ? 0 : cost(s, r, to), there = r < 0 ? 0 : cost(s, r, from);
    return power(s, s->load[from]) + power(s, s->load[to]) - power(s, s->load[from] - leaves + there) -
           power(s, s->load[to] + comes - back);
}

struct best {
    double gain;
    int p, r, to;
};

static void look(const struct refining *s, int p, bool pairs, struct best *best) {
    for (int u = 0; u < s->m->units; u++) {
        const double here = u == s->owner[p] ? 0 : gain(s, p, -1, u);
        if (here > best->gain)
            *best = (struct best){here, p, -1, u};
    }
    for (int r = 0; r < s->g->partitions && pairs; r++) {
        const double here = s->owner[r] == s->owner[p] ? 0 : gain(s, p, r, s->owner[r]);
        if (here > best->gain)
            *best = (struct best){here, p, r, s->owner[r]};
    }
}

/* The best step of the unit with the largest load that has one. */
static bool step(struct refining *s) {
    const int parts = s->g->partitions, units = s->m->units;
    memset(s->tried, 0, (size_t)units * sizeof *s->tried);
    for (int round = 0; round < units; round++) {
        struct best best = {ENOUGH, -1, -1, -1};
        long own = 0;
        int h = -1;
        for (int u = 0; u < units; u++)
            if (!s->tried[u] && (h < 0 || s->load[u] > s->load[h]))
                h = u;
        s->tried[h] = true;
        for (int p = 0; p < parts; p++)
            own += s->owner[p] == h;
        for (int p = 0; p < parts; p++)
            if (s->owner[p] == h)
                look(s, p, own * parts <= PAIRS, &best);
        if (best.p < 0)
            continue;
        s->owner[best.p] = best.to;
        if (best.r >= 0)
            s->owner[best.r] = h;
        set_neighbours(s, best.p);
        if (best.r >= 0)
            set_neighbours(s, best.r);
        add_loads(s);
        return true;
    }
    return false;
}

static double most(const struct refining *s) {
    double load = 0;
    for (int u = 0; u < s->m->units; u++)
        load = fmax(load, s->load[u]);
    return load;
}

bool heddle__graph_refine(const struct heddle_graph_machine *m, const struct heddle_graph *g, const bool *gone,
                          double worth, int *owner) {
    struct refining s = {.m = m, .g = g, .gone = gone};
    const size_t parts = (size_t)g->partitions + 1;
    if ((long)g->partitions * m->units > TABLE)
        return false;
    s.cost = malloc(parts * (size_t)m->units * sizeof *s.cost);
    s.tried = malloc((size_t)m->units * sizeof *s.tried);
    s.time = heddle__graph_partition_times(m, g);
    s.reads = calloc((size_t)g->first_neighbour[g->partitions] + 1, sizeof *s.reads);
    s.load = calloc((size_t)m->units, sizeof *s.load);
    s.owner = malloc(parts * sizeof *s.owner);
    bool changed = s.time && s.reads && s.load && s.owner && s.cost && s.tried;
    if (changed) {
        memcpy(s.owner, owner, (size_t)g->partitions * sizeof *s.owner);
        add_reads(&s);
        for (int p = 0; p < g->partitions; p++)
            set_cost(&s, p);
        add_loads(&s);
        const double before = most(&s);
        int steps = 0;
        while (steps < STEPS && step(&s))
            steps++;
        changed = most(&s) < before * (1 - worth);
    }
    if (changed)
        memcpy(owner, s.owner, (size_t)g->partitions * sizeof *s.owner);
    free(s.cost);
    free(s.tried);
    free(s.time);
    free(s.reads);
    free(s.load);
    free(s.owner);
    return changed;
}
