/* SPDX-License-Identifier: Apache-2.0 */
/* Even distribution in numbers of jobs, whenever the balance is low; between, jobs stay with the device that makes
   them (Lauterbach et al. 2010). */
#include "jobs/plan/plan.h"

static const double LOW = 50; /* percent of the devices that have work, without a number in the clause */

static void *start(const struct heddle_jobs_machine *m) { return (void *)m; }
static void stop(void *state) { (void)state; }

static double one(const struct heddle_jobs_choice *c, const struct heddle_jobs_kind *kind, int device) {
    (void)c, (void)kind, (void)device;
    return 1;
}

/* Jobs per device on average, against those of the device with most. */
static bool is_low(const struct heddle_jobs_choice *c) {
    const struct heddle_jobs_machine *m = c->machine;
    long sum = 0, most = 0;
    int devices = 0;
    for (int d = 0; d < m->devices; d++) {
        long here = heddle__jobs_waiting(c, d);
        for (int t = 0; t < m->types; t++)
            here += c->running[d * m->types + t];
        for (int j = 0; j < c->kinds && c->kinds <= 4 * m->devices; j++)
            here += c->kind[j].source == d ? c->kind[j].count : 0;
        devices += !heddle__jobs_is_gone(c, d);
        sum += here;
        most = here > most ? here : most;
    }
    const double low = m->parameter > 0 && m->parameter <= 100 ? m->parameter : LOW;
    return devices && (double)sum / devices <= low / 100 * (double)most;
}

static void place(void *state, const struct heddle_jobs_choice *c) {
    (void)state;
    if (c->asking < 0 || is_low(c))
        heddle__jobs_put_by(c, one);
    else
        heddle__jobs_put_at_home(c);
}

/* Queues are made even: half of the difference to the longest one, type by type. */
static bool even(void *state, const struct heddle_jobs_choice *c, struct heddle_jobs_move *answer) {
    (void)state;
    const int types = c->machine->types;
    long most = 1;
    if (!is_low(c))
        return false;
    answer->count = 0;
    for (int d = 0; d < c->machine->devices; d++)
        for (int t = 0; t < types; t++) {
            const long more = c->queued[d * types + t] - c->queued[c->asking * types + t];
            if (more > most && heddle__jobs_each(c->machine, t, -1, c->asking) >= 0) {
                most = more;
                *answer = (struct heddle_jobs_move){t, d, c->asking, more / 2};
            }
        }
    return answer->count > 0;
}

const struct heddle_jobs_policy heddle__jobs_lau10 = {
    .version = HEDDLE_JOBS_VERSION,
    .name = "lau10",
    .help = "the same number for each device, whenever the balance is low (below the clause's percent, 50)",
    .source = "Lauterbach et al. 2010 (gProximity)",
    .start = start,
    .place = place,
    .steal = even,
    .stop = stop,
};
