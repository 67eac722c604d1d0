/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The linear program of one kind of work (Kim 2013, eqs. 2 to 4) has a closed form: every device gets what it can do
 * until the common end, and one that starts after it gets nothing. It is solved again whenever a device asks, for what
 * is left. Classes without a rate do a small sub-chunk first; until all are known, only half of a share is given.
 */
#include "loop/plan/plan.h"
#include <stdlib.h>

static const int PROBES = 16; /* a first sub-chunk is this part of an equal share */

struct lp {
    const struct heddle_loop_problem *p;
    struct heddle__self *self;
    struct heddle__timeline *timeline;
    double rate[]; /* by class; 0: not known */
};

static void stop(void *state) {
    struct lp *s = state;
    heddle__timeline_free(s->timeline);
    heddle__self_stop(s->self);
    free(s);
}

static void *start(const struct heddle_loop_problem *p) {
    struct lp *s = calloc(1, sizeof *s + (size_t)(p->classes + 1) * sizeof *s->rate);
    if (!s)
        return NULL;
    *s = (struct lp){p, heddle__self_start(p), heddle__timeline_start(p)};
    if (!s->timeline || !s->self) {
        stop(s);
        return NULL;
    }
    for (int d = 0; d < p->devices; d++)
        if (p->device[d].rate > 0)
            s->rate[p->device[d].class] = p->device[d].rate;
    return s;
}

/* The device's share of what is left. *known: all classes have a rate. */
static double share(const struct lp *s, int device, double now, bool *known) {
    const struct heddle_loop_problem *p = s->p;
    struct heddle__timeline *f = s->timeline;
    *known = true;
    for (int d = 0; d < p->devices; d++) {
        f->rate[d] = f->at[d].lost ? 0 : s->rate[p->device[d].class];
        *known = *known && (f->at[d].lost || f->rate[d] > 0);
        f->ready[d] = heddle__timeline_free_at(f, d, now) + p->device[d].setup;
    }
    heddle__loop_balance(p->devices, f->ready, f->rate, (double)s->self->left.left, f->share);
    return f->share[device];
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct lp *s = state;
    const struct heddle_loop_device *d = &s->p->device[device];
    const long most = heddle__loop_chunk_limit(s->p, device);
    long count;
    bool known;
    if (!s->self->left.left)
        return HEDDLE_LOOP_DONE;
    if (s->rate[d->class] > 0) {
        const double x = share(s, device, now, &known);
        count = (long)((known ? x : x / 2) + 0.5);
    } else {
        if (s->timeline->at[device].held)
            return heddle__timeline_may_wait(s->timeline, device) ? HEDDLE_LOOP_WAIT : HEDDLE_LOOP_DONE;
        count = s->p->n / ((long)PROBES * s->p->devices);
        count = count > d->grain ? count : d->grain;
        count = count < s->p->n / s->p->devices ? count : s->p->n / s->p->devices;
        count = count > 0 ? count : 1;
    }
    if (!count) { /* it does not pay; another has to take it */
        if (heddle__timeline_may_wait(s->timeline, device))
            return HEDDLE_LOOP_WAIT;
        count = s->self->left.left;
    }
    count = count < s->p->chunk ? s->p->chunk : count;
    *chunk = heddle__interval_set_take(&s->self->left, 0, count < most ? count : most);
    heddle__timeline_assign(s->timeline, device, now,
                            d->setup + (s->rate[d->class] > 0 ? (double)chunk->count / s->rate[d->class] : 0));
    return HEDDLE_LOOP_CHUNK;
}

static void done(void *state, int device, double now, const struct heddle_loop_sample *measured) {
    struct lp *s = state;
    const struct heddle_loop_device *d = &s->p->device[device];
    const double seconds = measured->compute + measured->move - d->setup;
    heddle__timeline_finish(s->timeline, device, now);
    if (!(s->rate[d->class] > 0))
        s->rate[d->class] = (double)measured->chunk.count / (seconds > 1e-12 ? seconds : 1e-12);
}

static void lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    struct lp *s = state;
    heddle__timeline_lose(s->timeline, device);
    heddle__self_lost(s->self, device, chunk, chunks);
}

const struct heddle_loop_policy heddle__loop_lp = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "lp",
    .help = "the linear program of one kind of work in closed form, solved for what is left whenever a device asks",
    .source = "Kim 2013, section 4",
    .start = start,
    .next = next,
    .done = done,
    .lost = lost,
    .stop = stop,
};
