/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PINA. Which iterations: the loop is cut into regions; each class first runs one chunk in every region, all of its
 * devices sharing that, in tree order (a rough picture of everything first); then a device takes its chunk from the
 * region where the norm of its speed-ups over the other classes, interpolated between samples, is highest. Chunks only
 * follow what was taken of a region before, so no more holes appear. How many: the chunk with 0.95 of full speed by the
 * fitted 1 - exp(alpha s). The speeds at sizes 1, 2, 4, … come from samples that are kept from run to run; a class
 * whose curve is not complete tries the next sizes while it samples. Ours: a tail rule (no chunk above a quarter of a
 * device's share of what is left), and a device that could not end even one iteration in time for the others gets none.
 */
#include "loop/plan/plan.h"
#include <stdlib.h>

enum { REGIONS = 16 };
static const double SHARE = 0.25, SAMPLE = 0.1; /* of what a device could do until the common end, at most */

struct class {
    struct heddle__sizes sizes;
    unsigned sampled; /* regions, in tree order */
    long chunk;       /* with 0.95 of full speed; while tuning: to try next */
    bool tuned;
};
struct pina {
    const struct heddle_loop_problem *p;
    struct heddle__costs *costs;
    struct heddle__timeline *timeline;
    struct heddle__interval_set back;         /* of lost devices */
    struct heddle_loop_chunk region[REGIONS]; /* what is left of each */
    int regions;
    long left;
    struct class class[];
};

static void stop(void *state) {
    struct pina *s = state;
    heddle__costs_free(s->costs);
    heddle__timeline_free(s->timeline);
    heddle__interval_set_free(&s->back);
    free(s);
}

static void tune(struct class *c) {
    long next;
    c->tuned = heddle__sizes_complete(&c->sizes, &next);
    c->chunk = c->tuned ? heddle__sizes_chunk(&c->sizes) : next;
}

/* Speeds at sizes, from earlier runs. What a place costs is taken out: uneven loops would bend the curve. */
static void recall(struct pina *s) {
    const struct heddle_loop_problem *p = s->p;
    struct heddle__costs *before = heddle__costs_start(p, HEDDLE__BINS, true, true);
    for (int k = 0; before && k < p->samples; k++) {
        const struct heddle_loop_sample *m = &p->sample[k];
        const int class = p->sample_class[k];
        if (class >= 0 && class < p->classes)
            heddle__sizes_add(&s->class[class].sizes, m->chunk.count,
                              (m->compute + m->move) / heddle__loop_baseline(before, class, m));
    }
    heddle__costs_free(before);
    for (int c = 0; c < p->classes; c++)
        tune(&s->class[c]);
}

static void *start(const struct heddle_loop_problem *p) {
    struct pina *s = calloc(1, sizeof *s + (size_t)(p->classes + 1) * sizeof *s->class);
    if (!s)
        return NULL;
    s->p = p;
    s->left = p->n;
    s->costs = heddle__costs_start(p, REGIONS, false, false);
    s->timeline = heddle__timeline_start(p);
    if (!s->costs || !s->timeline) {
        stop(s);
        return NULL;
    }
    s->regions = s->costs->bins;
    for (int r = 0; r < s->regions; r++) {
        const long first = heddle__costs_begin(s->costs, r);
        s->region[r] = (struct heddle_loop_chunk){
            first, (r + 1 < s->regions ? heddle__costs_begin(s->costs, r + 1) : p->n) - first};
    }
    recall(s);
    return s;
}

/* The next region that the class has not sampled; -1: none. */
static int next_sample(struct pina *s, struct class *c) {
    while (c->sampled < REGIONS) {
        const int r = (int)(heddle__tree_point(c->sampled++) * REGIONS);
        if (r < s->regions && s->region[r].count > 0)
            return r;
    }
    return -1;
}

static int best_region(const struct pina *s, int class) {
    int best = -1;
    double most = 0;
    for (int r = 0; r < s->regions; r++) {
        const double norm = s->region[r].count > 0 ? heddle__costs_norm(s->costs, class, r) : 0;
        if (norm > most) {
            most = norm;
            best = r;
        }
    }
    return best;
}

/* Iterations that the device could do until all end together; -1: too little is known. */
static double share(const struct pina *s, int device, double now) {
    struct heddle__timeline *f = s->timeline;
    for (int d = 0; d < s->p->devices; d++) {
        const int class = s->p->device[d].class;
        double sum = 0, left = 0;
        for (int r = 0; r < s->regions; r++) {
            sum += (double)s->region[r].count * s->costs->each[class * s->costs->bins + r];
            left += (double)s->region[r].count;
        }
        f->rate[d] = f->at[d].lost ? 0 : sum > 0 ? left / sum : s->p->device[d].rate;
        if (!f->at[d].lost && !(f->rate[d] > 0))
            return -1;
        f->ready[d] = heddle__timeline_free_at(f, d, now);
    }
    heddle__loop_balance(s->p->devices, f->ready, f->rate, (double)s->left, f->share);
    return f->share[device];
}

static enum heddle_loop_answer give(struct pina *s, int device, double now, struct heddle_loop_chunk *from, long want,
                                    struct heddle_loop_chunk *chunk) {
    *chunk = heddle__loop_take(from, want);
    s->left -= chunk->count;
    heddle__timeline_assign(s->timeline, device, now, heddle__costs_time(s->costs, s->p->device[device].class, *chunk));
    return HEDDLE_LOOP_CHUNK;
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct pina *s = state;
    struct class *c = &s->class[s->p->device[device].class];
    if (!s->left)
        return HEDDLE_LOOP_DONE;
    const double could = share(s, device, now);
    long want = s->p->chunk > 0 ? s->p->chunk : c->chunk;
    if (could >= 0 && could < 0.5 && heddle__timeline_may_wait(s->timeline, device))
        return HEDDLE_LOOP_WAIT;
    const double part = c->sampled < REGIONS ? SAMPLE : SHARE;
    const long tail = (long)(part * (could >= 0 ? could : (double)s->left / s->p->devices) + 0.999);
    const long limit = tail < heddle__loop_chunk_limit(s->p, device) ? tail : heddle__loop_chunk_limit(s->p, device);
    want = want > limit ? limit : want;
    want = want < 1 ? 1 : want;
    if (s->back.left) {
        struct heddle_loop_chunk lost = heddle__interval_set_take(&s->back, 0, want);
        return give(s, device, now, &lost, lost.count, chunk);
    }
    int r = next_sample(s, c);
    if (r < 0)
        r = best_region(s, s->p->device[device].class);
    return give(s, device, now, &s->region[r], want, chunk);
}

static void done(void *state, int device, double now, const struct heddle_loop_sample *measured) {
    struct pina *s = state;
    const int class = s->p->device[device].class;
    heddle__timeline_finish(s->timeline, device, now);
    heddle__costs_add(s->costs, class, measured, 1);
    heddle__costs_fill(s->costs);
    heddle__sizes_add(&s->class[class].sizes, measured->chunk.count, measured->compute + measured->move);
    if (!s->class[class].tuned)
        tune(&s->class[class]);
}

static void lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    struct pina *s = state;
    heddle__timeline_lose(s->timeline, device);
    for (int k = 0; k < chunks; k++)
        if (heddle__interval_set_add(&s->back, chunk[k]))
            s->left += chunk[k].count;
}

const struct heddle_loop_policy heddle__loop_pina = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "pina",
    .help = "samples the loop on every class, then each device works where it is relatively fastest, in chunks of "
            "tuned size",
    .source = "Weber 2012, chapter 4",
    .start = start,
    .next = next,
    .done = done,
    .lost = lost,
    .stop = stop,
};
