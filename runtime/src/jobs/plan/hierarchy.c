/* SPDX-License-Identifier: Apache-2.0 */
/* Two levels: groups of like devices are the resources of one linear program; fill.c deals inside a group. */
#include "plan.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct levels {
    const struct heddle_jobs_choice *c;
    int groups;
    int *group_of;       /* [devices], -1: it is gone */
    int *device, *first; /* devices group by group; [groups + 1] where each begins */
    int *kind_of;        /* [types * (groups + 1)] row of the program; -1: no such jobs, -2: they run nowhere */
    struct heddle__jobs_program p;
    double *x, *total;             /* jobs by the program; of each of its kinds, dealt so far: [kinds] */
    long *given;                   /* [program's kinds * groups] */
    struct heddle__jobs_entry *to; /* [groups * kinds] */
    int *entries;                  /* [groups] */
};

/* ---- groups ------------------------------------------------------------------------------------------------------ */
static bool is_faster(const struct heddle_jobs_machine *m, int a, int b) {
    for (int t = 0; t < m->types; t++) {
        const double x = m->time[t * m->classes + a].each, y = m->time[t * m->classes + b].each;
        if (x != y)
            return x < y;
    }
    return false;
}

/* Classes that are alike are neighbours in `order`. */
static void sort_classes(const struct heddle_jobs_machine *m, int *order) {
    for (int k = 0; k < m->classes; k++) {
        int at = k;
        for (; at > 0 && is_faster(m, k, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

static bool make_groups(struct levels *l) {
    const struct heddle_jobs_machine *m = l->c->machine;
    int *order = malloc(2 * (size_t)m->classes * sizeof *order), *group = order + m->classes;
    if (!order)
        return false;
    sort_classes(m, order);
    l->groups = m->classes < HEDDLE__JOBS_RESOURCES ? m->classes : HEDDLE__JOBS_RESOURCES;
    for (int k = 0; k < m->classes; k++)
        group[order[k]] = (int)((long)k * l->groups / m->classes);
    memset(l->first, 0, ((size_t)l->groups + 2) * sizeof *l->first);
    for (int d = 0; d < m->devices; d++) {
        l->group_of[d] = heddle__jobs_is_gone(l->c, d) ? -1 : group[m->device[d].class];
        if (l->group_of[d] >= 0)
            l->first[l->group_of[d] + 2]++;
    }
    for (int g = 0; g < l->groups; g++)
        l->first[g + 2] += l->first[g + 1];
    for (int d = 0; d < m->devices; d++)
        if (l->group_of[d] >= 0)
            l->device[l->first[l->group_of[d] + 1]++] = d;
    free(order);
    return true;
}

static int size_of(const struct levels *l, int g) { return l->first[g + 1] - l->first[g]; }

/* ---- the program of the groups ----------------------------------------------------------------------------------- */
static int source_group(const struct levels *l, int kind) {
    const int source = l->c->kind[kind].source;
    return source < 0 ? -1 : l->group_of[source];
}

static int *row_of(const struct levels *l, int kind) {
    return &l->kind_of[l->c->kind[kind].type * (l->groups + 1) + source_group(l, kind) + 1];
}

static bool can_run(const struct levels *l, int type) {
    for (int k = 0; k < l->first[l->groups]; k++)
        if (heddle__jobs_each(l->c->machine, type, -1, l->device[k]) >= 0)
            return true;
    return false;
}

/* Jobs that a group made are taken to stay with their devices while they stay in the group. */
static void fill_pair(struct levels *l, int row, int type, int from, int g) {
    const struct heddle_jobs_machine *m = l->c->machine;
    const int pair = row * l->groups + g, source = from < 0 || from == g ? -1 : l->device[l->first[from]];
    double rate = 0;
    l->p.each[pair] = -1;
    l->p.setup[type * l->groups + g] = 0;
    for (int k = l->first[g]; k < l->first[g + 1]; k++) {
        const double each = heddle__jobs_each(m, type, source, l->device[k]);
        rate += each < 0 ? 0 : 1 / fmax(each, 1e-15);
        l->p.setup[type * l->groups + g] += each < 0 ? 0 : heddle__jobs_setup(m, type, l->device[k]) / size_of(l, g);
    }
    if (rate > 0)
        l->p.each[pair] = 1 / rate;
}

static int number_rows(struct levels *l) {
    int rows = 0;
    for (int k = 0; k < l->c->machine->types * (l->groups + 1); k++)
        l->kind_of[k] = -1;
    for (int j = 0; j < l->c->kinds; j++)
        if (l->c->kind[j].count > 0 && *row_of(l, j) == -1)
            *row_of(l, j) = can_run(l, l->c->kind[j].type) ? rows++ : -2;
    return rows;
}

static bool make_program(struct levels *l) {
    const int rows = number_rows(l), types = l->c->machine->types;
    if (!heddle__jobs_program_make(&l->p, rows > types ? rows : types, l->groups))
        return false;
    l->p.kinds = rows;
    l->p.types = types;
    for (int j = 0; j < l->c->kinds; j++)
        if (*row_of(l, j) >= 0) {
            l->p.type[*row_of(l, j)] = l->c->kind[j].type;
            l->p.count[*row_of(l, j)] += (double)l->c->kind[j].count;
        }
    for (int g = 0; g < l->groups; g++)
        for (int k = l->first[g]; k < l->first[g + 1]; k++)
            l->p.rest[g] += l->c->rest[l->device[k]] / size_of(l, g);
    for (int t = 0; t < types; t++)
        for (int from = -1; from < l->groups; from++)
            for (int g = 0; g < l->groups && l->kind_of[t * (l->groups + 1) + from + 1] >= 0; g++)
                fill_pair(l, l->kind_of[t * (l->groups + 1) + from + 1], t, from, g);
    return true;
}

/* ---- down to devices --------------------------------------------------------------------------------------------- */
/* Part of one kind for each group, so that the sums over all kinds of its row come out as the program has them. */
static void split(struct levels *l, int j) {
    const int row = *row_of(l, j);
    double share[HEDDLE__JOBS_RESOURCES];
    long count[HEDDLE__JOBS_RESOURCES];
    l->total[row] += (double)l->c->kind[j].count;
    for (int g = 0; g < l->groups; g++) {
        const double due = l->x[row * l->groups + g] * (l->total[row] / l->p.count[row]);
        share[g] = fmax(due - (double)l->given[row * l->groups + g], 0);
        if (l->x[row * l->groups + g] > 0 && !(share[g] > 0))
            share[g] = 1e-9;
    }
    heddle__jobs_deal(l->groups, share, l->c->kind[j].count, count);
    for (int g = 0; g < l->groups; g++) {
        l->given[row * l->groups + g] += count[g];
        if (count[g])
            l->to[(size_t)g * (size_t)l->c->kinds + (size_t)l->entries[g]++] = (struct heddle__jobs_entry){j, count[g]};
    }
}

static bool put_all(struct levels *l, const struct heddle__jobs_refinement *how) {
    const size_t pairs = (size_t)l->p.kinds * (size_t)l->groups, kinds = (size_t)l->c->kinds, g = (size_t)l->groups;
    l->x = calloc(pairs + (size_t)l->p.kinds + 1, sizeof *l->x);
    l->given = calloc(pairs + 1, sizeof *l->given);
    l->to = malloc((g * kinds + 1) * sizeof *l->to);
    l->entries = calloc(g + 1, sizeof *l->entries);
    if (!l->x || !l->given || !l->to || !l->entries)
        return false;
    l->total = l->x + pairs;
    if (l->p.kinds && heddle__jobs_refine(&l->p, how, l->x) < 0)
        return false;
    for (int j = 0; j < l->c->kinds; j++)
        if (l->c->kind[j].count > 0 && *row_of(l, j) >= 0)
            split(l, j);
    bool good = true;
    for (int k = 0; k < l->groups; k++)
        good = (!l->entries[k] || heddle__jobs_fill(l->c, l->device + l->first[k], size_of(l, k),
                                                    l->to + (size_t)k * kinds, l->entries[k])) &&
               good;
    return good;
}

bool heddle__jobs_put_by_class(const struct heddle_jobs_choice *c, const struct heddle__jobs_refinement *how) {
    const size_t n = (size_t)c->machine->devices;
    struct levels l = {.c = c};
    l.group_of = malloc(2 * n * sizeof *l.group_of);
    l.device = l.group_of + n;
    l.first = malloc((HEDDLE__JOBS_RESOURCES + 2) * sizeof *l.first);
    l.kind_of = malloc((size_t)c->machine->types * (HEDDLE__JOBS_RESOURCES + 1) * sizeof *l.kind_of);
    const bool good = l.group_of && l.first && l.kind_of && make_groups(&l) && make_program(&l) && put_all(&l, how);
    heddle__jobs_program_free(&l.p);
    free(l.group_of);
    free(l.first);
    free(l.kind_of);
    free(l.x);
    free(l.given);
    free(l.to);
    free(l.entries);
    return good;
}
