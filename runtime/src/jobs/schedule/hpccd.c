/* SPDX-License-Identifier: Apache-2.0 */
/* One rule for good: the type that gains most from devices runs on them, all others on the host, each
   side evenly. For collisions: primitive tests on GPUs, traversal on processors (Kim et al. 2009). */
#include "jobs/plan/plan.h"
#include <math.h>
#include <stdlib.h>

struct rule {
    int type; /* of the devices; -1: there is only one side */
};

static double each_on(const struct heddle_jobs_machine *m, int type, bool host) {
    double least = HUGE_VAL;
    for (int d = 0; d < m->devices; d++) {
        const double each = heddle__jobs_each(m, type, -1, d);
        if ((m->device[d].device < 0) == host && each >= 0)
            least = fmin(least, each);
    }
    return least;
}

static void *start(const struct heddle_jobs_machine *m) {
    struct rule *s = calloc(1, sizeof *s);
    double most = 0;
    if (!s)
        return NULL;
    s->type = -1;
    for (int t = 0; t < m->types; t++) {
        const double host = each_on(m, t, true), device = each_on(m, t, false);
        if (isfinite(host) && isfinite(device) && host > most * device) {
            most = host / fmax(device, 1e-15);
            s->type = t;
        }
    }
    return s;
}

static void stop(void *state) { free(state); }

static bool fits(const struct rule *s, const struct heddle_jobs_choice *c, int type, int device) {
    const struct heddle_jobs_machine *m = c->machine;
    const bool host = m->device[device].device < 0;
    if (heddle__jobs_is_gone(c, device) || heddle__jobs_each(m, type, -1, device) < 0)
        return false;
    if (s->type < 0 || !isfinite(each_on(m, type, true)) || !isfinite(each_on(m, type, false)))
        return true;
    return host == (type != s->type);
}

static void place(void *state, const struct heddle_jobs_choice *c) {
    const int n = c->machine->devices;
    double *share = malloc((size_t)n * sizeof *share);
    long *count = malloc((size_t)n * sizeof *count);
    for (int j = 0; share && count && j < c->kinds; j++) {
        double sum = 0;
        for (int d = 0; d < n; d++)
            sum += share[d] = fits(state, c, c->kind[j].type, d);
        for (int d = 0; d < n && !(sum > 0); d++) /* that side is gone */
            share[d] = !heddle__jobs_is_gone(c, d) && heddle__jobs_each(c->machine, c->kind[j].type, -1, d) >= 0;
        heddle__jobs_deal(n, share, c->kind[j].count, count);
        for (int d = 0; d < n; d++)
            if (count[d])
                c->put(c->with, j, d, count[d]);
    }
    free(share);
    free(count);
}

const struct heddle_jobs_policy heddle__jobs_hpccd = {
    .version = HEDDLE_JOBS_VERSION,
    .name = "hpccd",
    .help = "the type that gains most from devices runs there, all others on the host",
    .source = "Kim et al. 2009 (HPCCD)",
    .start = start,
    .place = place,
    .stop = stop,
};
