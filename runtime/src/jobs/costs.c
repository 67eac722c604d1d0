/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a batch of n jobs takes: setup + n each (Kim 2013, section 4.1), by least squares over the batches so far, of
 * which older ones count less. Records that come from another memory are apart: bytes by the rate of the link.
 */
#include "engine.h"
#include <math.h>

/* Of the weight of what came before a batch of usual length, one in which most of the time goes by. Shorter ones count
   for less: the last batches of a list are many and small, and what they hold may be unlike the rest. */
static const double KEEP = 0.97;
/* Before anything was measured: a GPU gets some of each type at once, and so do processors. */
static const double GUESS_LINK_GPU = 1 / 20e9, GUESS_LINK = 1 / 5e9; /* seconds per byte */
static const double GUESS_EACH = 1e-6, GUESS_GPU = 1e-7, GUESS_SETUP = 5e-5;

/* Batches whose sizes differ so much (the variance by the square of the mean) and that take no longer with more jobs
   take what one job takes: a GPU that is not full. A job still costs something, so that others have a part. */
static const double DIFFER = 0.01, LITTLE = 0.01;

static void fit(struct heddle__jobs_costs *c) {
    const double spread = c->runs * c->nn - c->n * c->n;
    c->each = spread > 1e-6 * c->nn * c->runs ? (c->runs * c->n_seconds - c->n * c->seconds) / spread : 0;
    if (c->each <= 0 && spread > DIFFER * c->n * c->n)
        c->each = LITTLE * c->seconds / c->n;
    c->setup = (c->seconds - c->each * c->n) / c->runs;
    if (c->each <= 0 || c->setup < 0) { /* of one size, or what is measured is noise */
        c->each = c->seconds / c->n;
        c->setup = 0;
    }
}

void heddle__jobs_note(struct heddle__jobs_costs *c, long count, double seconds) {
    const double n = (double)count;
    const bool first = c->first;
    c->first = false;
    if (first && c->runs > 0 && !c->cold)
        return;
    if (!first && c->cold)
        *c = (struct heddle__jobs_costs){0};
    c->cold = first;
    const double usual = c->seconds > 0 ? c->squares / c->seconds : 0,
                 keep = seconds < usual ? pow(KEEP, seconds / usual) : KEEP;
    c->runs = keep * c->runs + 1;
    c->n = keep * c->n + n;
    c->nn = keep * c->nn + n * n;
    c->seconds = keep * c->seconds + seconds;
    c->n_seconds = keep * c->n_seconds + n * seconds;
    c->squares = keep * c->squares + seconds * seconds;
    fit(c);
}

/* A share of what one of the `of` devices of a class knows. */
void heddle__jobs_join_costs(struct heddle__jobs_costs *to, const struct heddle__jobs_costs *c, int of) {
    to->cold = c->cold;
    to->runs += c->runs / of;
    to->n += c->n / of;
    to->nn += c->nn / of;
    to->seconds += c->seconds / of;
    to->n_seconds += c->n_seconds / of;
    to->squares += c->squares / of;
    fit(to);
}

double heddle__jobs_correlation(const struct heddle__jobs_costs *c) {
    const double n = c->runs * c->nn - c->n * c->n, t = c->runs * c->squares - c->seconds * c->seconds;
    return c->runs > 2 && n > 0 && t > 0 ? (c->runs * c->n_seconds - c->n * c->seconds) / sqrt(n * t) : 0;
}

static void add(struct heddle__jobs_costs *to, const struct heddle__jobs_costs *c) {
    to->runs += c->runs;
    to->n += c->n;
    to->setup += c->runs * c->setup;
    to->each += c->runs * c->each;
}

static struct heddle_jobs_time guess(const struct heddle__jobs_device *d) {
    return (struct heddle_jobs_time){.setup = d->device < 0 ? 0 : GUESS_SETUP,
                                     .each = d->cuda ? GUESS_GPU : GUESS_EACH};
}

/* Devices of a class are measured together. */
static struct heddle_jobs_time time_of(const struct heddle__jobs_engine *e, int type, int class) {
    struct heddle__jobs_costs sum = {0};
    struct heddle_jobs_time t = {.each = -1};
    for (int k = 0; k < e->devices; k++) {
        const struct heddle__jobs_device *d = &e->device[k];
        if (d->class != class || !d->can[type])
            continue;
        t = guess(d);
        add(&sum, &d->costs[type]);
    }
    if (t.each >= 0 && sum.runs > 0)
        t = (struct heddle_jobs_time){.setup = sum.setup / sum.runs, .each = sum.each / sum.runs};
    return t;
}

/* Seconds in which a byte travels between a class's memory and the host's; the host's own: 0. */
static double link_of(const struct heddle__jobs_engine *e, int class) {
    double bytes = 0, seconds = 0, guess = 0;
    for (int k = 0; k < e->devices; k++) {
        const struct heddle__jobs_device *d = &e->device[k];
        if (d->class != class || d->device < 0)
            continue;
        bytes += d->copied;
        seconds += d->copying;
        guess = d->cuda ? GUESS_LINK_GPU : GUESS_LINK;
    }
    return bytes > 0 ? seconds / bytes : guess;
}

/* Between two devices a record travels over both links. */
static void fill_moves(struct heddle__jobs_engine *e) {
    double link[HEDDLE__JOBS_DEVICES];
    for (int c = 0; c < e->classes; c++)
        link[c] = link_of(e, c);
    for (int t = 0; t < e->types; t++)
        for (int from = 0; from < e->classes; from++)
            for (int to = 0; to < e->classes; to++)
                e->move[(t * e->classes + from) * e->classes + to] =
                    (double)e->kind[t].record * (link[from] + link[to]);
}

void heddle__jobs_fill_times(struct heddle__jobs_engine *e) {
    fill_moves(e);
    for (int t = 0; t < e->types; t++)
        for (int c = 0; c < e->classes; c++)
            e->time[t * e->classes + c] = time_of(e, t, c);
}
