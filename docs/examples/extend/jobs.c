/* SPDX-License-Identifier: Apache-2.0 */
/* A policy of one's own for jobs: each type goes to the device that needs least for one of it, however many there are.
 *
 *     clang -shared -fPIC jobs.c -o jobs.so
 *     HEDDLE_JOBS=./jobs.so ./08_jobs
 *
 * What it does not place stays unassigned until a device asks again. */
#include <heddle/jobs.h>
#include <math.h>

static void *start(const struct heddle_jobs_machine *machine) { return (void *)machine; }
static void stop(void *state) { (void)state; }

static int fastest(const struct heddle_jobs_choice *c, int type) {
    const struct heddle_jobs_machine *m = c->machine;
    int best = -1;
    double least = HUGE_VAL;
    for (int d = 0; d < m->devices; d++) {
        const double each = m->time[type * m->classes + m->device[d].class].each;
        const double end = c->rest[d] + each; /* of equal devices that which is free first */
        if (each >= 0 && isfinite(c->rest[d]) && each * 1e6 + end < least) {
            best = d;
            least = each * 1e6 + end;
        }
    }
    return best;
}

static void place(void *state, const struct heddle_jobs_choice *c) {
    (void)state;
    for (int k = 0; k < c->kinds; k++) {
        const int device = fastest(c, c->kind[k].type);
        if (device >= 0)
            c->put(c->with, k, device, c->kind[k].count);
    }
}

const struct heddle_jobs_policy heddle_jobs_policy = {
    .version = HEDDLE_JOBS_VERSION,
    .name = "fastest",
    .help = "each type where one of it takes least",
    .source = "",
    .start = start,
    .place = place,
    .stop = stop,
};
