/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a task's time. */
#include "plan.h"

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
