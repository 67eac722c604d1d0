/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a task's time. */
#include "plan.h"
#include <stdlib.h>
#include <string.h>

bool heddle__graph_can(const struct heddle_graph_machine *m, const struct heddle_graph *g, int task, int unit) {
    return g->time[task * m->classes + m->unit[unit].class] >= 0;
}

double heddle__graph_time(const struct heddle_graph_machine *m, const struct heddle_graph *g, int task, int class,
                          double unknown) {
    const double *time = &g->time[task * m->classes];
    if (time[class] != 0)
        return time[class];
    for (int k = 0; k < m->classes; k++)
        if (time[k] > 0)
            return time[k];
    return unknown;
}

double heddle__graph_unknown(const struct heddle_graph_machine *m, const struct heddle_graph *g) {
    double sum = 0;
    long count = 0;
    for (long k = 0; k < (long)g->tasks * m->classes; k++) {
        sum += g->time[k] > 0 ? g->time[k] : 0;
        count += g->time[k] > 0;
    }
    return count ? sum / (double)count : 1;
}

static double part_time(const struct heddle_graph_machine *m, const struct heddle_graph *g, int task, int class,
                        double unknown, bool some) {
    const double time = heddle__graph_time(m, g, task, class, unknown);
    return some && time < 0 ? 0 : time;
}

/* some: of what it can run there. */
static void add_up(const struct heddle_graph_machine *m, const struct heddle_graph *g, double unknown, const bool *some,
                   double *all) {
    for (int t = 0; t < g->tasks; t++)
        for (int k = 0; k < m->classes; k++) {
            const int p = g->task[t].partition;
            double *sum = &all[p * m->classes + k];
            const double time = part_time(m, g, t, k, unknown, some && some[p]);
            *sum = time < 0 || *sum < 0 ? -1 : *sum + time;
        }
}

bool heddle__graph_add_times(const struct heddle_graph_machine *m, const struct heddle_graph *g, double unknown,
                             double *all) {
    const size_t bytes = (size_t)g->partitions * (size_t)m->classes * sizeof *all;
    bool *some = calloc((size_t)g->partitions + 1, sizeof *some), any = false;
    if (!some)
        return false;
    memset(all, 0, bytes);
    add_up(m, g, unknown, NULL, all);
    for (int p = 0; p < g->partitions; p++) {
        some[p] = true;
        for (int k = 0; k < m->classes; k++)
            some[p] &= all[p * m->classes + k] < 0;
        any |= some[p];
    }
    if (any) {
        memset(all, 0, bytes);
        add_up(m, g, unknown, some, all);
    }
    free(some);
    return true;
}

double *heddle__graph_partition_times(const struct heddle_graph_machine *m, const struct heddle_graph *g) {
    double *all = calloc(((size_t)g->partitions + 1) * (size_t)m->classes, sizeof *all);
    if (all && heddle__graph_add_times(m, g, heddle__graph_unknown(m, g), all))
        return all;
    free(all);
    return NULL;
}
