/* SPDX-License-Identifier: Apache-2.0 */
/* From real shares to whole jobs whose sum stays. */
#include "plan.h"
#include <math.h>
#include <stdlib.h>

struct part {
    double rest;
    int at;
};

static int by_rest(const void *a, const void *b) {
    const struct part *x = a, *y = b;
    return x->rest != y->rest ? (x->rest < y->rest) - (x->rest > y->rest) : (x->at > y->at) - (x->at < y->at);
}

/* Whole parts first, then one more each for those that lack most of one. */
void heddle__jobs_deal(int n, const double *share, long count, long *out) {
    enum { FEW = 32 };
    struct part few[FEW], *part = n <= FEW ? few : malloc((size_t)n * sizeof *part);
    double sum = 0;
    long left = count;
    int parts = 0;
    for (int k = 0; k < n; k++) {
        sum += share[k] > 0 ? share[k] : 0;
        out[k] = 0;
    }
    for (int k = 0; k < n; k++) {
        if (!(share[k] > 0))
            continue;
        const double exact = share[k] / sum * (double)count;
        out[k] = (long)fmin(floor(exact), (double)left);
        left -= out[k];
        if (part)
            part[parts++] = (struct part){exact - (double)out[k], k};
        else if (!parts)
            parts = k + 1; /* no memory: the first one gets the rest */
    }
    if (part && parts)
        qsort(part, (size_t)parts, sizeof *part, by_rest);
    for (int k = 0; part && parts && left > 0; k = (k + 1) % parts, left--)
        out[part[k].at]++;
    if (!part && parts)
        out[parts - 1] += left;
    if (part != few)
        free(part);
}

double heddle__jobs_capacity(const struct heddle_jobs_choice *c, const struct heddle_jobs_kind *kind, int device) {
    const double each = heddle__jobs_each(c->machine, kind->type, kind->source, device);
    return each < 0 ? 0 : 1 / fmax(each, 1e-15);
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

void heddle__jobs_put_at_home(const struct heddle_jobs_choice *c) {
    const int n = c->machine->devices;
    double *share = malloc((size_t)n * sizeof *share);
    long *count = malloc((size_t)n * sizeof *count);
    for (int j = 0; share && count && j < c->kinds; j++) {
        const struct heddle_jobs_kind *kind = &c->kind[j];
        if (kind->count <= 0)
            continue;
        if (kind->source >= 0 && !heddle__jobs_is_gone(c, kind->source) &&
            heddle__jobs_each(c->machine, kind->type, -1, kind->source) >= 0) {
            c->put(c->with, j, kind->source, kind->count);
            continue;
        }
        for (int d = 0; d < n; d++)
            share[d] = heddle__jobs_is_gone(c, d) ? 0 : heddle__jobs_capacity(c, kind, d);
        heddle__jobs_deal(n, share, kind->count, count);
        for (int d = 0; d < n; d++)
            if (count[d])
                c->put(c->with, j, d, count[d]);
    }
    free(share);
    free(count);
}
