/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything dealt out before the loop begins, in proportion to what each device did in earlier runs (Weber 2012,
 * eq. 2.1). A part leaves in one chunk, or in as many as fit the device.
 */
#include "loop/plan/plan.h"
#include <stdlib.h>

struct parts {
    const struct heddle_loop_problem *p;
    struct heddle__interval_set back; /* of lost devices */
    struct heddle_loop_chunk own[];   /* what a device has not asked for yet */
};

static void *start(const struct heddle_loop_problem *p) {
    const size_t devices = (size_t)(p->devices > 0 ? p->devices : 1);
    struct parts *s = calloc(1, sizeof *s + devices * sizeof *s->own);
    double *share = malloc(devices * sizeof *share);
    long *whole = calloc(devices, sizeof *whole);
    if (s && share && whole) {
        s->p = p;
        const double sum = heddle__loop_fill_rates(p, share);
        for (int d = 0; d < p->devices; d++)
            share[d] *= (double)p->n / sum;
        heddle__loop_round_shares(p->devices, share, p->n, whole);
        long first = 0;
        for (int d = 0; d < p->devices; d++) {
            s->own[d] = (struct heddle_loop_chunk){first, whole[d]};
            first += whole[d];
        }
    } else {
        free(s);
        s = NULL;
    }
    free(share);
    free(whole);
    return s;
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct parts *s = state;
    struct heddle_loop_chunk *own = &s->own[device];
    const long most = heddle__loop_chunk_limit(s->p, device);
    (void)now;
    if (own->count > 0) {
        *chunk = (struct heddle_loop_chunk){own->first, own->count < most ? own->count : most};
        own->first += chunk->count;
        own->count -= chunk->count;
        return HEDDLE_LOOP_CHUNK;
    }
    if (!s->back.left)
        return HEDDLE_LOOP_DONE;
    const long fair = (s->back.left + s->p->devices - 1) / s->p->devices; /* what a lost device left */
    *chunk = heddle__interval_set_take(&s->back, 0, fair < most ? fair : most);
    return HEDDLE_LOOP_CHUNK;
}

static void lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    struct parts *s = state;
    for (int k = 0; k < chunks; k++)
        heddle__interval_set_add(&s->back, chunk[k]);
    heddle__interval_set_add(&s->back, s->own[device]);
    s->own[device].count = 0;
}

static void stop(void *state) {
    struct parts *s = state;
    heddle__interval_set_free(&s->back);
    free(s);
}

const struct heddle_loop_policy heddle__loop_capability = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "capability",
    .help = "parts in proportion to what the devices did in earlier runs",
    .source = "Weber 2012, eq. 2.1",
    .start = start,
    .next = next,
    .lost = lost,
    .stop = stop,
};
