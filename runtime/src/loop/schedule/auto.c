/* SPDX-License-Identifier: Apache-2.0 */
/*
 * auto: whenever a device asks, the common end of all devices is computed for what is left (loop/plan/balance.c) with
 * the costs of all places on all classes (loop/plan/costs.c), and the device gets a part of what it can do until then:
 * the larger, the better the last predictions were, so chunks shrink towards the end and the last one is too short to
 * decide it. It works where it is relatively fastest (loop/plan/locality.c). A device that would end its chunk after
 * the others gets none. What never ran starts with single iterations, spread over the loop, and grows eightfold at most
 * from chunk to chunk.
 */
#include "loop/plan/plan.h"
#include <math.h>
#include <stdlib.h>

static const double DISPATCH = 5e-6; /* seconds that a chunk costs beside what was measured of it */
static const double OVERHEAD = 0.01; /* of a device's time may go into chunks, ROUNDS of them until the end */
static const double FILL = 0.2;      /* of the time in which a device fills up is lost with each chunk */
static const double ROUNDS = 6, SMALLEST = 0.1, HALF = 0.5, OVERLAPPED = 0.75;
static const double SPREADS = 2; /* spreads of the prediction that a chunk keeps away from the end */
enum { GROWTH = 8 };

struct state {
    const struct heddle_loop_problem *p;
    struct heddle__self *self;
    struct heddle__costs *costs;
    struct heddle__timeline *timeline;
    unsigned probes;
    double horizon; /* the common end as it was first computed; half of it speaks for earlier runs */
    int unseen;     /* samples that the costs were not filled with yet */
    struct heddle__prediction_error class[];
};

static void stop(void *state) {
    struct state *s = state;
    heddle__costs_free(s->costs);
    heddle__timeline_free(s->timeline);
    heddle__self_stop(s->self);
    free(s);
}

static void *start(const struct heddle_loop_problem *p) {
    struct state *s = calloc(1, sizeof *s + (size_t)(p->classes + 1) * sizeof *s->class);
    if (!s)
        return NULL;
    s->p = p;
    s->costs = heddle__costs_start(p, HEDDLE__BINS, true, true);
    s->timeline = heddle__timeline_start(p);
    s->self = heddle__self_start(p);
    if (!s->costs || !s->timeline || !s->self) {
        stop(s);
        return NULL;
    }
    for (int c = 0; c < p->classes; c++)
        heddle__prediction_start(&s->class[c], s->costs, c);
    return s;
}

static double drift(const struct state *s, int class) { return heddle__prediction_drift(&s->class[class], s->horizon); }

static double mean(const struct state *s, int class) {
    return heddle__costs_mean(s->costs, class, &s->self->left) * drift(s, class);
}

/* Fills rate and ready of all devices, and solves for what is left. Returns the common end. */
static double common_end(const struct state *s, double now) {
    struct heddle__timeline *f = s->timeline;
    double each[16];
    for (int c = 0; c < s->p->classes && c < 16; c++)
        each[c] = mean(s, c);
    for (int d = 0; d < f->devices; d++) {
        const int class = s->p->device[d].class;
        const double it = class < 16 ? each[class] : mean(s, class);
        f->rate[d] = f->at[d].lost || !(it > 0) ? 0 : 1 / it;
        f->ready[d] = heddle__timeline_free_at(f, d, now) + s->costs->setup[class];
    }
    heddle__loop_balance(f->devices, f->ready, f->rate, (double)s->self->left.left, f->share);
    for (int d = 0; d < f->devices; d++) /* a share that does not fill its device takes longer */
        if (f->rate[d] > 0)
            f->ready[d] += (heddle__costs_slowed(s->costs, s->p->device[d].class, f->share[d] + 1) - 1) *
                           (f->share[d] + 1) / f->rate[d];
    return heddle__loop_balance(f->devices, f->ready, f->rate, (double)s->self->left.left, f->share);
}

static enum heddle_loop_answer give(struct state *s, int device, double now, int interval, long at, long want,
                                    struct heddle_loop_chunk *chunk) {
    const int class = s->p->device[device].class;
    const long most = heddle__loop_chunk_limit(s->p, device);
    want = want < s->p->chunk ? s->p->chunk : want;
    *chunk = heddle__interval_set_take_at(&s->self->left, interval, at, want < 1 ? 1 : want < most ? want : most);
    heddle__timeline_assign(s->timeline, device, now, heddle__costs_time(s->costs, class, *chunk) * drift(s, class));
    return HEDDLE_LOOP_CHUNK;
}

/* A class that never ran: a little work at places that tell most. */
static enum heddle_loop_answer probe(struct state *s, int device, double now, struct heddle_loop_chunk *chunk) {
    const long fair = s->p->n / (GROWTH * (long)s->p->devices), grain = s->p->device[device].grain;
    const long at = (long)(heddle__tree_point(s->probes) * (double)s->p->n);
    if (s->timeline->at[device].held && heddle__timeline_may_wait(s->timeline, device))
        return HEDDLE_LOOP_WAIT;
    s->probes++;
    for (int k = 0; k < s->self->left.count; k++)
        if (at >= s->self->left.at[k].first && at < s->self->left.at[k].first + s->self->left.at[k].count)
            return give(s, device, now, k, at, grain < fair ? grain : fair, chunk);
    return give(s, device, now, 0, s->self->left.at[0].first, grain < fair ? grain : fair, chunk);
}

/*
 * Seconds of work for the device, out of `budget` until the common end. Small parts leave room to correct predictions,
 * and cost a dispatch each: as small as OVERHEAD allows, and never so large that the usual error reaches beyond the
 * end.
 */
static double portion(const struct state *s, int device, double budget) {
    const int class = s->p->device[device].class;
    const double alpha = s->costs->alpha[class],
                 fill = alpha < 0 ? 1 / (-alpha * s->timeline->rate[device]) : 0; /* a tiny chunk's seconds */
    const double cost = s->costs->setup[class] + DISPATCH + FILL * fill,
                 spread = s->class[class].spread > 0.02 ? s->class[class].spread : 0.02;
    double part = ROUNDS * cost / (OVERHEAD * budget), least = cost / spread;
    const double limit = s->p->ahead > 1 ? OVERLAPPED : HALF; /* chunks behind it hide what it costs */
    part = part > limit ? limit : part < SMALLEST ? SMALLEST : part;
    part = part > 1 / (1 + SPREADS * spread) ? 1 / (1 + SPREADS * spread) : part;
    if (s->p->ahead > 1 && !s->timeline->at[device].held && SMALLEST * budget > 3 * fill && cost < OVERHEAD * budget)
        part = SMALLEST; /* nothing hides its transfers, and one more chunk costs little */
    if (budget * part <= least && s->p->ahead == 1)
        return least < budget ? least : budget;
    const double size = budget * part > least ? budget * part : least;
    return budget - size < least ? budget : size; /* what is left would be too little for one more */
}

/* About `want` iterations that take `seconds`, where the device is best; all that is left where that is no more work
   than what a chunk of it would cost. */
static enum heddle_loop_answer carve(struct state *s, int device, double now, long want, double seconds,
                                     struct heddle_loop_chunk *chunk) {
    const int class = s->p->device[device].class;
    const long limit = GROWTH * s->class[class].largest;
    const bool all = (double)(s->self->left.left - want) * mean(s, class) < s->costs->setup[class];
    const long most = all ? s->self->left.left : want < limit ? want : limit;
    long at;
    const int interval = heddle__locate(s->costs, class, &s->self->left, most, &at);
    const struct heddle_loop_chunk from = {at,
                                           s->self->left.at[interval].first + s->self->left.at[interval].count - at};
    const long fits = want > 1 && !all ? heddle__costs_count(s->costs, class, from, seconds / drift(s, class)) : most;
    return give(s, device, now, interval, at, fits < 1 || fits > limit ? most : fits, chunk);
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct state *s = state;
    const int class = s->p->device[device].class;
    const struct heddle__prediction_error *c = &s->class[class];
    if (!s->self->left.left)
        return HEDDLE_LOOP_DONE;
    if (!s->costs->known[class])
        return probe(s, device, now, chunk);
    struct heddle__timeline *f = s->timeline;
    const double end = common_end(s, now), each = mean(s, class),
                 budget = end - heddle__timeline_free_at(f, device, now) - s->costs->setup[class];
    const double keep = c->worst; /* so much later one bad iteration would end it */
    const double least = each * heddle__costs_slowed(s->costs, class, 1);
    s->horizon = s->horizon > 0 || !s->p->samples ? s->horizon : end;
    double seconds = budget > 0 ? portion(s, device, budget) : 0;
    seconds = seconds > budget - keep && budget > keep ? budget - keep : seconds;
    seconds = seconds < least && budget >= least ? least : seconds;
    long want = seconds < least ? 0 : (long)(seconds / each);
    const bool late = budget < keep + each && heddle__tail_excludes(s->p, f, s->class, s->self->left.left, device);
    if (s->self->left.left <= 4L * s->p->devices || budget < 4 * each) {
        const bool few = s->self->left.left <= 16L * s->p->devices;
        const long ones =
            few ? heddle__tail_share(s->p, f, s->class, s->self->left.left, device) : (long)(budget / each + 0.5);
        want = want < ones && want > 0 ? want : ones;
    }
    if (want < 1 || late) {
        if (heddle__timeline_may_wait(s->timeline, device))
            return HEDDLE_LOOP_WAIT;
        want = 1;
    }
    return carve(s, device, now, want, seconds, chunk);
}

static void done(void *state, int device, double now, const struct heddle_loop_sample *measured) {
    struct state *s = state;
    const int class = s->p->device[device].class;
    const bool new = !s->costs->known[class];
    heddle__timeline_finish(s->timeline, device, now);
    heddle__prediction_note(&s->class[class], s->costs, class, measured, s->horizon);
    heddle__costs_add(s->costs, class, measured, 1);
    if (new || ++s->unseen > s->p->devices / 8) { /* one of many samples changes little */
        heddle__costs_fill(s->costs);
        s->unseen = 0;
    }
}

static void lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    struct state *s = state;
    heddle__timeline_lose(s->timeline, device);
    heddle__self_lost(s->self, device, chunk, chunks);
}

const struct heddle_loop_policy heddle__loop_auto = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "auto",
    .help =
        "the common end of all devices, predicted from costs by position and class; chunks shrink with the prediction "
        "error towards it",
    .source = "",
    .start = start,
    .next = next,
    .done = done,
    .lost = lost,
    .stop = stop,
};
