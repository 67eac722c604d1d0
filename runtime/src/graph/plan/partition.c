/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Partitions to units (Hermann et al. 2010, section 5.1): weights are measured times, edges the bytes that neighbours
 * exchange. A unit's share is its speed. Parts are numbered so that data that is somewhere stays there.
 */
#include "plan.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINEST = 100000, HEAVIEST = 1000000000 };
static const double MOST = 0.5; /* of the work, at least, that a class can run whose units get parts */

struct mapping {
    const struct heddle_graph_machine *m;
    const struct heddle_graph *g;
    const bool *gone;
    struct heddle__graph_weights w;
    double *time; /* [partition * classes + class]; < 0: it cannot run there */

    int *unit, *part, *mapped; /* [part]; [partition]; [part] the unit that gets it */
    double *load;              /* [unit] of what `correct` has mapped so far */
};

static bool make(struct mapping *s) {
    const size_t parts = (size_t)s->g->partitions + 1, units = (size_t)s->m->units;
    const size_t edges = (size_t)s->g->first_neighbour[s->g->partitions] + 1;
    s->w.first = malloc(parts * sizeof *s->w.first);
    s->w.to = malloc(edges * sizeof *s->w.to);
    s->w.shared = malloc(edges * sizeof *s->w.shared);
    s->w.weight = malloc(parts * sizeof *s->w.weight);
    s->w.share = malloc(units * sizeof *s->w.share);
    s->time = heddle__graph_partition_times(s->m, s->g);
    s->unit = malloc(units * sizeof *s->unit);
    s->part = calloc(parts, sizeof *s->part);
    s->mapped = malloc(units * sizeof *s->mapped);
    s->load = calloc(units, sizeof *s->load);
    return s->w.first && s->w.to && s->w.shared && s->w.weight && s->w.share && s->time && s->unit && s->part &&
           s->mapped && s->load;
}

static void drop(struct mapping *s) {
    free(s->w.first);
    free(s->w.to);
    free(s->w.shared);
    free(s->w.weight);
    free(s->w.share);
    free(s->time);
    free(s->unit);
    free(s->part);
    free(s->mapped);
    free(s->load);
}

static double least(const struct mapping *s, int p) {
    double best = HUGE_VAL;
    for (int k = 0; k < s->m->classes; k++)
        if (s->time[p * s->m->classes + k] >= 0)
            best = fmin(best, s->time[p * s->m->classes + k]);
    return isinf(best) ? 0 : best;
}

/* How fast a class is, over all that it can run: 1 is the best of each. */
static double speed(const struct mapping *s, int class) {
    double best = 0, here = 0;
    for (int p = 0; p < s->g->partitions; p++)
        if (s->time[p * s->m->classes + class] >= 0) {
            best += least(s, p);
            here += s->time[p * s->m->classes + class];
        }
    return here > 0 ? fmax(best / here, 1e-6) : 1e-6;
}

/* How much of all work a class can run. */
static double scope(const struct mapping *s, int class) {
    double all = 0, here = 0;
    for (int p = 0; p < s->g->partitions; p++) {
        all += least(s, p);
        here += s->time[p * s->m->classes + class] >= 0 ? least(s, p) : 0;
    }
    return all > 0 ? here / all : 1;
}

/* The parts, one for each unit that can run most of the work, if there is one: a thread for the host's tasks alone
 * would get a share of what only devices can run. */
static void list_units(struct mapping *s) {
    double most = 0, shares = 0;
    for (int u = 0; u < s->m->units; u++)
        most = s->gone[u] ? most : fmax(most, scope(s, s->m->unit[u].class));
    for (int u = 0; u < s->m->units; u++) {
        const int class = s->m->unit[u].class;
        if (s->gone[u] || scope(s, class) < fmin(most, MOST))
            continue;
        s->unit[s->w.parts] = u;
        s->w.share[s->w.parts] = (float)speed(s, class);
        shares += s->w.share[s->w.parts++];
    }
    for (int k = 0; k < s->w.parts; k++)
        s->w.share[k] /= (float)shares;
}

static void weigh(struct mapping *s) {
    double heaviest = 0, widest = 0, all = 0;
    const struct heddle_graph *g = s->g;
    for (int p = 0; p < g->partitions; p++) {
        heaviest = fmax(heaviest, least(s, p));
        all += least(s, p);
    }
    for (int k = 0; k < g->first_neighbour[g->partitions]; k++)
        widest = fmax(widest, g->neighbour[k].bytes);
    const double scale = heaviest > 0 ? fmin(FINEST / heaviest, HEAVIEST / all) : 0;
    for (int p = 0; p < g->partitions; p++)
        s->w.weight[p] = scale > 0 ? 1 + (int)(scale * least(s, p)) : 1;
    memcpy(s->w.first, g->first_neighbour, ((size_t)g->partitions + 1) * sizeof *s->w.first);
    for (int k = 0; k < g->first_neighbour[g->partitions]; k++) {
        s->w.to[k] = g->neighbour[k].partition;
        s->w.shared[k] = 1 + (int)(1000 * g->neighbour[k].bytes / widest);
    }
    s->w.vertices = g->partitions;
    list_units(s);
}

/* Weight of a part that lies on the unit already. */
static double overlap(const struct mapping *s, int part, int unit) {
    double sum = 0;
    for (int p = 0; p < s->g->partitions; p++)
        sum += s->part[p] == part && s->g->owner[p] == unit ? s->w.weight[p] : 0;
    return sum;
}

/* Among units that are as fast, each part goes where most of it lies. */
static void number(struct mapping *s) {
    for (int k = 0; k < s->w.parts; k++)
        s->mapped[k] = -1;
    for (int k = 0; k < s->w.parts; k++) { /* k: a unit's place */
        int best = -1;
        double most = -1;
        for (int part = 0; part < s->w.parts; part++) {
            const bool alike = s->m->unit[s->unit[part]].class == s->m->unit[s->unit[k]].class;
            const double here = alike && s->mapped[part] < 0 ? overlap(s, part, s->unit[k]) : -1;
            if (here > most) {
                most = here;
                best = part;
            }
        }
        if (best >= 0)
            s->mapped[best] = s->unit[k];
    }
}

static double time_on(const struct mapping *s, int p, int unit) {
    return s->gone[unit] ? -1 : s->time[p * s->m->classes + s->m->unit[unit].class];
}

/* A partition that its unit cannot run goes where, with what is there, it is soonest done. */
static void correct(struct mapping *s, int *owner) {
    for (int p = 0; p < s->g->partitions; p++)
        s->load[owner[p]] += fmax(0, time_on(s, p, owner[p]));
    for (int p = 0; p < s->g->partitions; p++) {
        int best = -1;
        double soonest = HUGE_VAL;
        if (time_on(s, p, owner[p]) >= 0)
            continue;
        for (int u = 0; u < s->m->units; u++) {
            const double time = time_on(s, p, u);
            if (time >= 0 && s->load[u] + time < soonest) {
                soonest = s->load[u] + time;
                best = u;
            }
        }
        if (best < 0)
            continue;
        owner[p] = best;
        s->load[best] = soonest;
    }
}

const char *heddle__graph_partition(const struct heddle_graph_machine *m, const struct heddle_graph *g,
                                    const bool *gone, int *owner) {
    struct mapping s = {.m = m, .g = g, .gone = gone};
    const char *why = NULL;
    bool good = make(&s);
    if (good)
        weigh(&s);
    if (good && s.w.parts > 1 && g->partitions > 1) {
        why = heddle__graph_metis(&s.w, s.part);
        good = !why || heddle__graph_walk(&s.w, s.part);
    }
    if (good && s.w.parts) {
        number(&s);
        for (int p = 0; p < g->partitions; p++)
            owner[p] = s.mapped[s.part[p]];
        correct(&s, owner);
    }
    drop(&s);
    return !good ? NULL : why ? why : "METIS";
}
