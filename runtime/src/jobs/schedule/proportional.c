/* SPDX-License-Identifier: Apache-2.0 */
/* Each type by the relative capacity of the devices: what remains of the LP scheduler without its linear program. */
#include "jobs/plan/plan.h"

static void *start(const struct heddle_jobs_machine *m) { return (void *)m; }
static void stop(void *state) { (void)state; }

static double capacity(const struct heddle_jobs_choice *c, const struct heddle_jobs_kind *kind, int device) {
    const double each = heddle__jobs_each(c->machine, kind->type, kind->source, device);
    return 1 / (each > 1e-15 ? each : 1e-15);
}

static void place(void *state, const struct heddle_jobs_choice *c) {
    (void)state;
    heddle__jobs_put_by(c, capacity);
}

const struct heddle_jobs_policy heddle__jobs_proportional = {
    .version = HEDDLE_JOBS_VERSION,
    .name = "proportional",
    .help = "each type by the devices' capacities",
    .source = "Kim 2013, section 5.1",
    .start = start,
    .place = place,
    .stop = stop,
};
