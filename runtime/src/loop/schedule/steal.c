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
    struct heddle__self *parts; /* `rate` is refined by what a device's class does in this run */
    struct heddle__timeline *timeline;
    double *seconds, *iterations; /* of this run, by class */
    long size[];                  /* of a device's chunk */
};

static void stop(void *state) {
    struct steal *s = state;
    heddle__self_stop(s->parts);
    heddle__timeline_free(s->timeline);
    free(s->seconds);
    free(s);
}

static void *deal(const struct heddle_loop_problem *p, bool timed) {
    struct steal *s = calloc(1, sizeof *s + (size_t)p->devices * sizeof *s->size);
    if (!s)
        return NULL;
    s->p = p;
    s->timed = timed;
    s->parts = heddle__self_start(p);
    s->timeline = heddle__timeline_start(p);
    s->seconds = calloc(2 * (size_t)(p->classes + 1), sizeof *s->seconds);
    if (!s->timeline || !s->parts || !s->seconds) {
        stop(s);
        return NULL;
    }
    s->iterations = s->seconds + p->classes + 1;
    for (int d = 0; d < p->devices; d++)
        s->timeline->share[d] = timed ? s->parts->rate[d] : 1;
    heddle__self_deal(s->parts, s->timeline->share, p->n);
    for (int d = 0; d < p->devices; d++) {
        const long grain = p->device[d].grain > 1 ? p->device[d].grain : 1, part = s->parts->own[d].count / 16;
        s->size[d] = p->chunk > 0 ? p->chunk : part > grain ? part : grain;
    }
    return s;
}

static void *start_plain(const struct heddle_loop_problem *p) { return deal(p, false); }
static void *start_timed(const struct heddle_loop_problem *p) { return deal(p, true); }

/* How many iterations of `victim` a thief should take: half, or so that both end together. */
static long stolen_count(const struct steal *s, int thief, int victim, double now) {
    const long left = s->parts->own[victim].count;
    if (!s->timed)
        return (left + 1) / 2;
    const double mine = s->parts->rate[thief], its = s->parts->rate[victim];
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
        const double left = (double)s->parts->own[d].count;
        const double until = !left      ? 0
                             : s->timed ? heddle__timeline_free_at(s->timeline, d, now) - now + left / s->parts->rate[d]
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
    struct heddle_loop_chunk *own = &s->parts->own[device];
    if (!own->count && s->parts->left.left)
        *own = heddle__interval_set_take(&s->parts->left, 0, (s->parts->left.left + s->p->devices - 1) / s->p->devices);
    if (!own->count) {
        const int victim = choose(s, device, now);
        if (victim < 0)
            return HEDDLE_LOOP_DONE;
        const long count = stolen_count(s, device, victim, now);
        if (!count) /* whoever owns it takes it; asked again when the devices' times are known better */
            return HEDDLE_LOOP_WAIT;
        s->parts->own[victim].count -= count;
        *own = (struct heddle_loop_chunk){s->parts->own[victim].first + s->parts->own[victim].count, count};
    }
    heddle__self_next_own(s->parts, device, s->size[device], chunk);
    heddle__timeline_assign(s->timeline, device, now,
                            s->p->device[device].setup + (double)chunk->count / s->parts->rate[device]);
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
            s->parts->rate[d] = s->iterations[class] / s->seconds[class];
}

static void lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    struct steal *s = state;
    heddle__timeline_lose(s->timeline, device);
    heddle__self_lost(s->parts, device, chunk, chunks);
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
