/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a batch of n jobs takes: setup + n each (Kim 2013, section 4.1), by least squares over the batches so far, of
 * which older ones count less. Records that come from another memory are apart: bytes by the rate of the link.
 */
#include "engine.h"
#include "model/loops.h"
#include <math.h>
#include <string.h>

static const double KEEP = 0.97; /* of the weight of what came before each batch */
/* Before anything was measured: a GPU gets some of each type at once, and so do processors. */
static const double GUESS_LINK_GPU = 1 / 20e9, GUESS_LINK = 1 / 5e9; /* seconds per byte */
static const double GUESS_EACH = 1e-6, GUESS_GPU = 1e-7, GUESS_SETUP = 5e-5;

void heddle__jobs_note(struct heddle__jobs_costs *c, long count, double seconds) {
    const double n = (double)count;
    c->runs = KEEP * c->runs + 1;
    c->n = KEEP * c->n + n;
    c->nn = KEEP * c->nn + n * n;
    c->seconds = KEEP * c->seconds + seconds;
    c->n_seconds = KEEP * c->n_seconds + n * seconds;
    c->squares = KEEP * c->squares + seconds * seconds;
    const double spread = c->runs * c->nn - c->n * c->n;
    c->each = spread > 1e-6 * c->nn * c->runs ? (c->runs * c->n_seconds - c->n * c->seconds) / spread : 0;
    c->setup = (c->seconds - c->each * c->n) / c->runs;
    if (c->each <= 0 || c->setup < 0) { /* of one size, or what is measured is noise */
        c->each = c->seconds / c->n;
        c->setup = 0;
    }
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

/* ---- from run to run: beside what loops took -----------------------------------------------------------------------
 */
/* The file and line of the type's loop. */
static void name_of(const struct heddle__jobs_engine *e, int type, char *name) {
    const struct heddle_site *site = &e->kind[type].loop->site;
    snprintf(name, HEDDLE__LOOP_NAME, "%.200s:%d jobs", site->file, site->line);
}

static void recall(struct heddle__jobs_engine *e, int type, struct heddle__jobs_device *d,
                   const struct heddle__record *r) {
    for (int k = 0; k < r->count; k++) {
        const struct heddle_loop_sample *s = &r->sample[k];
        if (!strcmp(r->class[r->of[k]], e->class_name[d->class]) && s->chunk.count > 0 && s->compute > 0)
            heddle__jobs_note(&d->costs[type], s->chunk.count, s->compute);
    }
}

static double link_bytes[HEDDLE__DEVICES], link_seconds[HEDDLE__DEVICES]; /* of this process; one at a time runs jobs */

void heddle__jobs_recall(struct heddle__jobs_engine *e) {
    char name[HEDDLE__LOOP_NAME];
    for (int k = 0; k < e->devices; k++)
        if (e->device[k].device >= 0) {
            e->device[k].copied = link_bytes[e->device[k].device];
            e->device[k].copying = link_seconds[e->device[k].device];
        }
    heddle__loops_lock();
    for (int t = 0; t < e->types; t++) {
        name_of(e, t, name);
        const struct heddle__record *r = heddle__record_find(name, false);
        for (int k = 0; r && k < e->devices; k++)
            if (e->device[k].can[t])
                recall(e, t, &e->device[k], r);
    }
    heddle__loops_unlock();
}

/* The fitted line, as a small batch and a large one. */
static void keep(struct heddle__record *r, const char *class, const struct heddle__jobs_costs *c) {
    const int number = heddle__record_class(r, class);
    const double mean = c->n / c->runs;
    for (int large = 0; number >= 0 && large < 2; large++) {
        const long n = (long)(large ? 2 * mean : mean / 2) + 1;
        const struct heddle_loop_sample s = {
            .chunk = {0, n}, .n = n, .compute = c->setup + c->each * (double)n, .move = 0};
        heddle__record_add(r, number, &s);
    }
}

void heddle__jobs_keep(struct heddle__jobs_engine *e) {
    char name[HEDDLE__LOOP_NAME];
    for (int k = 0; k < e->devices; k++)
        if (e->device[k].device >= 0) {
            link_bytes[e->device[k].device] = e->device[k].copied;
            link_seconds[e->device[k].device] = e->device[k].copying;
        }
    heddle__loops_lock();
    for (int t = 0; t < e->types; t++) {
        name_of(e, t, name);
        struct heddle__record *r = e->kind[t].done ? heddle__record_find(name, true) : NULL;
        for (int k = 0; r && k < e->devices; k++)
            if (e->device[k].done[t]) {
                r->own = true;
                keep(r, e->class_name[e->device[k].class], &e->device[k].costs[t]);
            }
    }
    heddle__loops_unlock();
}
