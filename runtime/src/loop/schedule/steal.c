/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work stealing over iterations: every device has a part of its own and takes chunks from its beginning; who has
 * nothing left takes from the end of another's part. `steal`: equal parts, half of the largest part is stolen.
 * `steal_time`: parts by capability; the part that would end last is cut so that both end at the same time by what the
 * devices did so far, and nothing is stolen that would end later with the thief.
 */
#include "loop/plan/plan.h"
#include <stdlib.h>

struct steal {
    const struct heddle_loop_problem *p;
    bool timed;
    struct heddle__interval_set back; /* of lost devices */
    struct heddle__timeline *timeline;
    double *rate;                 /* by device, refined by what its class does in this run */
    double *seconds, *iterations; /* of this run, by class */
    long *size;                   /* of a chunk */
    struct heddle_loop_chunk own[];
};

static void stop(void *state) {
    struct steal *s = state;
    heddle__interval_set_free(&s->back);
    heddle__timeline_free(s->timeline);
    free(s->rate);
    free(s->seconds);
    free(s->size);
    free(s);
}

static void *deal(const struct heddle_loop_problem *p, bool timed) {
    const size_t devices = (size_t)(p->devices > 0 ? p->devices : 1);
    struct steal *s = calloc(1, sizeof *s + devices * sizeof *s->own);
    if (!s)
        return NULL;
    s->p = p;
    s->timed = timed;
    s->timeline = heddle__timeline_start(p);
    s->rate = calloc(devices, sizeof *s->rate);
    s->seconds = calloc(2 * (size_t)(p->classes + 1), sizeof *s->seconds);
    s->size = calloc(devices, sizeof *s->size);
    if (!s->timeline || !s->rate || !s->seconds || !s->size) {
        stop(s);
        return NULL;
    }
    s->iterations = s->seconds + p->classes + 1;
    const double sum = heddle__loop_fill_rates(p, s->rate);
    for (int d = 0; d < p->devices; d++)
        s->timeline->share[d] = (double)p->n * (timed ? s->rate[d] / sum : 1.0 / p->devices);
    heddle__loop_round_shares(p->devices, s->timeline->share, p->n, s->size);
    long first = 0;
    for (int d = 0; d < p->devices; d++) {
        s->own[d] = (struct heddle_loop_chunk){first, s->size[d]};
        first += s->size[d];
        const long grain = p->device[d].grain > 1 ? p->device[d].grain : 1, part = s->own[d].count / 16;
        s->size[d] = p->chunk > 0 ? p->chunk : part > grain ? part : grain;
    }
    return s;
}

static void *start_plain(const struct heddle_loop_problem *p) { return deal(p, false); }
static void *start_timed(const struct heddle_loop_problem *p) { return deal(p, true); }

/* How many iterations of `victim` a thief should take: half, or so that both end together. */
static long stolen_count(const struct steal *s, int thief, int victim, double now) {
    const long left = s->own[victim].count;
    if (!s->timed)
        return (left + 1) / 2;
    const double mine = s->rate[thief], its = s->rate[victim];
    const double start = heddle__timeline_free_at(s->timeline, thief, now) + s->p->device[thief].setup,
                 from = heddle__timeline_free_at(s->timeline, victim, now);
    const double end = ((double)left + mine * start + its * from) / (mine + its);
    const double count = (end - start) * mine;
    return count<0.5 ? 0 : count>(double) left ? left : (long)(count + 0.5);
}

static int choose(const struct steal *s, int thief, double now) {
    int victim = -1;
    double most = 0;
    for (int d = 0; d < s->p->devices; d++) {
        const double left = (double)s->own[d].count;
        const double until = !left      ? 0
                             : s->timed ? heddle__timeline_free_at(s->timeline, d, now) - now + left / s->rate[d]
                                        : left;
        if (d != thief && until > most) {
            victim = d;
            most = until;
        }
    }
    return victim;
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct steal *s = state;
    struct heddle_loop_chunk *own = &s->own[device];
    if (!own->count && s->back.left)
        *own = heddle__interval_set_take(&s->back, 0, (s->back.left + s->p->devices - 1) / s->p->devices);
    if (!own->count) {
        const int victim = choose(s, device, now);
        if (victim < 0)
            return HEDDLE_LOOP_DONE;
        const long count = stolen_count(s, device, victim, now);
        if (!count) /* whoever owns it takes it; asked again when the devices' times are known better */
            return HEDDLE_LOOP_WAIT;
        s->own[victim].count -= count;
        *own = (struct heddle_loop_chunk){s->own[victim].first + s->own[victim].count, count};
    }
    const long most = heddle__loop_chunk_limit(s->p, device), want = s->size[device] < most ? s->size[device] : most;
    *chunk = (struct heddle_loop_chunk){own->first, want < own->count ? want : own->count};
    own->first += chunk->count;
    own->count -= chunk->count;
    heddle__timeline_assign(s->timeline, device, now,
                            s->p->device[device].setup + (double)chunk->count / s->rate[device]);
    return HEDDLE_LOOP_CHUNK;
}

static void done(void *state, int device, double now, const struct heddle_loop_sample *measured) {
    struct steal *s = state;
    const int class = s->p->device[device].class;
    heddle__timeline_finish(s->timeline, device, now);
    s->seconds[class] += measured->compute + measured->move;
    s->iterations[class] += (double)measured->chunk.count;
    for (int d = 0; d < s->p->devices; d++)
        if (s->p->device[d].class == class && s->seconds[class] > 0)
            s->rate[d] = s->iterations[class] / s->seconds[class];
}

static void lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    struct steal *s = state;
    heddle__timeline_lose(s->timeline, device);
    for (int k = 0; k < chunks; k++)
        heddle__interval_set_add(&s->back, chunk[k]);
    heddle__interval_set_add(&s->back, s->own[device]);
    s->own[device].count = 0;
}

const struct heddle_loop_policy heddle__loop_steal = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "steal",
    .help = "equal parts; who is done takes half of the largest part that is left",
    .source = "Blumofe and Leiserson 1999, over iterations",
    .start = start_plain,
    .next = next,
    .done = done,
    .lost = lost,
    .stop = stop,
};

const struct heddle_loop_policy heddle__loop_steal_time = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "steal_time",
    .help = "parts by capability; who is done takes from whoever would end last, so that both end together",
    .source = "",
    .start = start_timed,
    .next = next,
    .done = done,
    .lost = lost,
    .stop = stop,
};
