/* SPDX-License-Identifier: Apache-2.0 */
/* A policy that is wrong: twice what there is, on a device that does not exist, and nothing from then on. */
#include <heddle/jobs.h>

static int calls;

static void *start(const struct heddle_jobs_machine *machine) { return (void *)machine; }
static void stop(void *state) { (void)state; }

static void place(void *state, const struct heddle_jobs_choice *c) {
    (void)state;
    for (int k = 0; k < c->kinds && calls < 3; k++) {
        c->put(c->with, k, 0, 2 * c->kind[k].count);
        c->put(c->with, k, c->machine->devices, 1);
        c->put(c->with, -1, 0, 1);
        c->put(c->with, k, 0, c->kind[k].count / 2);
    }
    calls++;
}

const struct heddle_jobs_policy heddle_jobs_policy = {.version = HEDDLE_JOBS_VERSION,
                                                      .name = "wrong",
                                                      .help = "",
                                                      .source = "",
                                                      .start = start,
                                                      .place = place,
                                                      .stop = stop};
