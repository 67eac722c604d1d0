/* SPDX-License-Identifier: Apache-2.0 */
/* Alpha hybrid: alpha percent dealt out by capability before the loop begins, the rest by factoring. */
#include "loop/plan/plan.h"
#include <stdlib.h>

static const long ALPHA = 80; /* percent, without a number in the clause: the papers' best */

struct hybrid {
    struct heddle__self *rest;
    long round; /* chunk of this round of the rest */
    struct heddle_loop_chunk own[];
};

static void stop(void *state) {
    struct hybrid *s = state;
    if (s->rest)
        heddle__self_stop(s->rest);
    free(s);
}

static void *start(const struct heddle_loop_problem *p) {
    const size_t devices = (size_t)(p->devices > 0 ? p->devices : 1);
    struct hybrid *s = calloc(1, sizeof *s + devices * sizeof *s->own);
    double *share = malloc(devices * sizeof *share);
    long *whole = calloc(devices, sizeof *whole);
    if (s)
        s->rest = heddle__self_start(p);
    if (!s || !share || !whole || !s->rest) {
        if (s)
            stop(s);
        free(share);
        free(whole);
        return NULL;
    }
    const long alpha = p->chunk > 0 && p->chunk <= 100 ? p->chunk : ALPHA,
               dealt = p->n / 100 * alpha + p->n % 100 * alpha / 100;
    for (int d = 0; d < p->devices; d++)
        share[d] = (double)dealt * s->rest->rate[d] / s->rest->rates;
    heddle__loop_round_shares(p->devices, share, dealt, whole);
    for (int d = 0; d < p->devices; d++)
        if (whole[d])
            s->own[d] = heddle__interval_set_take(&s->rest->left, 0, whole[d]);
    free(share);
    free(whole);
    return s;
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct hybrid *s = state;
    struct heddle_loop_chunk *own = &s->own[device];
    (void)now;
    if (own->count) {
        const long most = heddle__loop_chunk_limit(s->rest->p, device);
        *chunk = (struct heddle_loop_chunk){own->first, own->count < most ? own->count : most};
        own->first += chunk->count;
        own->count -= chunk->count;
        return HEDDLE_LOOP_CHUNK;
    }
    const int devices = s->rest->p->devices;
    if (s->rest->given % devices == 0)
        s->round = (s->rest->left.left + 2L * devices - 1) / (2L * devices);
    return heddle__self_next_chunk(s->rest, device, (double)s->round, chunk);
}

static void lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    struct hybrid *s = state;
    heddle__self_lost(s->rest, device, chunk, chunks);
    heddle__self_lost(s->rest, device, &s->own[device], 1);
    s->own[device].count = 0;
}

const struct heddle_loop_policy heddle__loop_hybrid = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "hybrid",
    .help = "80 percent (or the clause's number of percent) by capability, the rest by factoring",
    .source = "Cheng et al. 2005, Shih et al. 2006 (alpha scheduling)",
    .start = start,
    .next = next,
    .lost = lost,
    .stop = stop,
};
