/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Equal parts, one for each device in their order, or parts split as the caller says; with a chunk size, chunks of it
 * in turn (block-cyclic). What a lost device leaves goes to whoever asks next.
 */
#include "loop/plan/plan.h"
#include "table.h"
#include <limits.h>
#include <stdlib.h>

struct state {
    struct heddle__self *parts; /* of the current turn */
    long next[];                /* block-cyclic: where a device's next block begins */
};

static long begin_of(const struct heddle_loop_problem *p, int d) {
    const long part = p->n / p->devices, more = p->n % p->devices;
    if (p->split)
        return d == p->devices ? p->n : heddle__part_first(p->split, d, p->n);
    return d * part + (d < more ? d : more);
}

static void *start(const struct heddle_loop_problem *p) {
    struct state *s = malloc(sizeof *s + (size_t)p->devices * sizeof *s->next);
    struct heddle__self *parts = s ? heddle__self_start(p) : NULL;
    if (!parts) {
        free(s);
        return NULL;
    }
    s->parts = parts;
    if (p->n > 0)
        heddle__interval_set_take(&parts->left, 0, p->n); /* all of it is dealt */
    for (int d = 0; d < p->devices; d++) {
        const long first = p->chunk ? 0 : begin_of(p, d), end = p->chunk ? 0 : begin_of(p, d + 1);
        parts->own[d] = (struct heddle_loop_chunk){first, end - first};
        s->next[d] = p->chunk && d < (p->n - 1) / p->chunk + 1 ? d * p->chunk : p->n;
    }
    return s;
}

static void next_block(struct state *s, int device) {
    const struct heddle_loop_problem *p = s->parts->p;
    const long first = s->next[device], blocks_left = (p->n - 1 - first) / p->chunk;
    s->parts->own[device] = (struct heddle_loop_chunk){first, p->chunk < p->n - first ? p->chunk : p->n - first};
    s->next[device] = p->devices <= blocks_left ? first + p->devices * p->chunk : p->n;
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct state *s = state;
    const long n = s->parts->p->n;
    (void)now;
    if (!s->parts->own[device].count && s->next[device] < n)
        next_block(s, device);
    return heddle__self_next_own(s->parts, device, LONG_MAX, chunk)
               ? HEDDLE_LOOP_CHUNK
               : heddle__self_next_chunk(s->parts, device, (double)n, chunk); /* what a lost device left */
}

static void lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    struct state *s = state;
    for (heddle__self_lost(s->parts, device, chunk, chunks); s->next[device] < s->parts->p->n;) {
        next_block(s, device);
        heddle__self_lost(s->parts, device, NULL, 0);
    }
}

static void stop(void *state) {
    struct state *s = state;
    heddle__self_stop(s->parts);
    free(s);
}

const struct heddle_loop_policy heddle__loop_static = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "static",
    .help = "equal parts, one for each device; with a chunk size, chunks of it in turn",
    .source = "",
    .start = start,
    .next = next,
    .lost = lost,
    .stop = stop,
};
