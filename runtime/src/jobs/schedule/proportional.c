/* SPDX-License-Identifier: Apache-2.0 */
/* Each type by the relative capacity of the devices: what remains of the LP scheduler without its linear program. */
#include "jobs/plan/plan.h"

static void *start(const struct heddle_jobs_machine *m) { return (void *)m; }
static void stop(void *state) { (void)state; }

static void place(void *state, const struct heddle_jobs_choice *c) {
    (void)state;
    heddle__jobs_put_by(c, heddle__jobs_capacity);
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
