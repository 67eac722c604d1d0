/* SPDX-License-Identifier: Apache-2.0 */
/* From real shares to whole jobs whose sum stays. */
#include "plan.h"
#include <math.h>
#include <stdlib.h>

/* Rounds running sums: each part is within one of its share, the sum is exact, and no sorting is needed. */
void heddle__jobs_deal(int n, const double *share, long count, long *out) {
    double sum = 0, passed = 0;
    long given = 0;
    int last = -1;
    for (int k = 0; k < n; k++) {
        out[k] = 0;
        if (share[k] > 0) {
            sum += share[k];
            last = k;
        }
    }
    for (int k = 0; k <= last; k++) {
        if (!(share[k] > 0))
            continue;
        passed += share[k] / sum;
        const long until = k == last || passed >= 1 ? count : (long)floor(passed * (double)count + 0.5);
        out[k] = until > given ? until - given : 0;
        given += out[k];
    }
}

void heddle__jobs_put_by(const struct heddle_jobs_choice *c,
                         double (*weight)(const struct heddle_jobs_choice *c, const struct heddle_jobs_kind *kind,
                                          int device)) {
    const int n = c->machine->devices;
    double *share = malloc((size_t)n * sizeof *share);
    long *count = malloc((size_t)n * sizeof *count);
    for (int j = 0; share && count && j < c->kinds; j++) {
        for (int d = 0; d < n; d++)
            share[d] = heddle__jobs_is_gone(c, d) || heddle__jobs_each(c->machine, c->kind[j].type, -1, d) < 0
                           ? 0
                           : weight(c, &c->kind[j], d);
        heddle__jobs_deal(n, share, c->kind[j].count, count);
        for (int d = 0; d < n; d++)
            if (count[d])
                c->put(c->with, j, d, count[d]);
    }
    free(share);
    free(count);
}
