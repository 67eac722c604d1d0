/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a task's time. */
#include "plan.h"
#include <stdlib.h>

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

double *heddle__graph_partition_times(const struct heddle_graph_machine *m, const struct heddle_graph *g) {
    const double unknown = heddle__graph_unknown(m, g);
    double *all = calloc(((size_t)g->partitions + 1) * (size_t)m->classes, sizeof *all);
    for (int t = 0; t < g->tasks && all; t++)
        for (int k = 0; k < m->classes; k++) {
            double *sum = &all[g->task[t].partition * m->classes + k];
            const double time = heddle__graph_time(m, g, t, k, unknown);
            *sum = time < 0 || *sum < 0 ? -1 : *sum + time;
        }
    return all;
}
