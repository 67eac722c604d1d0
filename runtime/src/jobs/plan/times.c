/* SPDX-License-Identifier: Apache-2.0 */
/* The model of a job's time: a setup for each batch, a time for each job, a time for its data. */
#include "plan.h"
#include <math.h>

static const struct heddle_jobs_time *time_of(const struct heddle_jobs_machine *m, int type, int device) {
    return &m->time[type * m->classes + m->device[device].class];
}

double heddle__jobs_setup(const struct heddle_jobs_machine *m, int type, int device) {
    return time_of(m, type, device)->setup;
}

double heddle__jobs_transfer(const struct heddle_jobs_machine *m, int type, int source, int device) {
    if (source < 0 || source == device || m->device[source].memory == m->device[device].memory)
        return 0;
    const double *table = m->far && m->device[source].group != m->device[device].group ? m->far : m->move;
    return table[(type * m->classes + m->device[source].class) * m->classes + m->device[device].class];
}

double heddle__jobs_each(const struct heddle_jobs_machine *m, int type, int source, int device) {
    const double each = time_of(m, type, device)->each;
    return each < 0 ? -1 : each + heddle__jobs_transfer(m, type, source, device);
}

double heddle__jobs_batch_time(const struct heddle_jobs_machine *m, int type, int source, int device, long count) {
    const double each = heddle__jobs_each(m, type, source, device);
    return !count ? 0 : each < 0 ? HUGE_VAL : heddle__jobs_setup(m, type, device) + each * (double)count;
}

double heddle__jobs_rest(double expected, double spent, double left) {
    return spent <= expected ? expected - spent : expected * left;
}

bool heddle__jobs_is_gone(const struct heddle_jobs_choice *c, int device) { return isinf(c->rest[device]); }

double heddle__jobs_preference(const struct heddle_jobs_machine *m, int type, int device) {
    const double here = heddle__jobs_each(m, type, -1, device);
    double elsewhere = 0;
    int classes = 0;
    for (int k = 0; k < m->classes; k++)
        if (m->time[type * m->classes + k].each >= 0) {
            elsewhere += m->time[type * m->classes + k].each;
            classes++;
        }
    return here < 0 ? -1 : elsewhere > 0 ? here * classes / elsewhere : 1;
}

long heddle__jobs_waiting(const struct heddle_jobs_choice *c, int device) {
    long sum = 0;
    for (int t = 0; t < c->machine->types; t++)
        sum += c->queued[device * c->machine->types + t];
    return sum;
}

int heddle__jobs_best_type(const struct heddle_jobs_choice *c, int device, int on) {
    double least = HUGE_VAL;
    int best = -1;
    for (int t = 0; t < c->machine->types; t++) {
        const double preference = heddle__jobs_preference(c->machine, t, device);
        if (c->queued[on * c->machine->types + t] > 0 && preference >= 0 && preference < least) {
            least = preference;
            best = t;
        }
    }
    return best;
}
