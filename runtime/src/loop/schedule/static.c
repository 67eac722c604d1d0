/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Equal parts, one for each device in their order, or parts split as the caller says; with a chunk size, chunks of it
 * in turn (block-cyclic). What a lost device leaves goes to whoever asks next.
 */
#include "loop/plan/plan.h"
#include "table.h"
#include <stdlib.h>

struct share {
    long first, end; /* not yet given out of the current block */
    long next;       /* block-cyclic: where its next block begins */
    long most;
};

struct state {
    long n, chunk;
    int devices;
    struct share *share;
    struct heddle_loop_chunk *back; /* a stack of what came back */
    int backs, room;
};

static long begin_of(const struct heddle_loop_problem *p, int d) {
    const long part = p->n / p->devices, more = p->n % p->devices;
    if (p->split)
        return d == p->devices ? p->n : heddle__part_first(p->split, d, p->n);
    return d * part + (d < more ? d : more);
}

static void *start(const struct heddle_loop_problem *p) {
    struct state *s = calloc(1, sizeof *s);
    if (!s || !(s->share = calloc((size_t)p->devices, sizeof *s->share))) {
        free(s);
        return NULL;
    }
    s->n = p->n;
    s->chunk = p->chunk;
    s->devices = p->devices;
    for (int d = 0; d < p->devices; d++) {
        s->share[d].first = s->chunk ? 0 : begin_of(p, d);
        s->share[d].end = s->chunk ? 0 : begin_of(p, d + 1);
        s->share[d].next = s->chunk && d < (p->n - 1) / s->chunk + 1 ? d * s->chunk : p->n;
        s->share[d].most = p->device[d].most;
    }
    return s;
}

static long least(long a, long b) { return a < b ? a : b; }

static void next_block(struct state *s, struct share *my) {
    my->first = my->next;
    my->end = my->next + least(s->chunk, s->n - my->next);
    const long blocks_left = (s->n - 1 - my->next) / s->chunk;
    my->next = s->devices <= blocks_left ? my->next + s->devices * s->chunk : s->n;
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct state *s = state;
    struct share *my = &s->share[device];
    (void)now;
    struct heddle_loop_chunk *back = s->backs ? &s->back[s->backs - 1] : NULL;
    if (my->first == my->end && my->next < s->n)
        next_block(s, my);
    if (my->first == my->end && !back)
        return HEDDLE_LOOP_DONE; /* if somebody gets lost, all are asked again */
    const bool own = my->first < my->end;
    const long left = own ? my->end - my->first : back->count;
    *chunk = (struct heddle_loop_chunk){own ? my->first : back->first, my->most ? least(my->most, left) : left};
    if (own) {
        my->first += chunk->count;
    } else {
        back->first += chunk->count;
        back->count -= chunk->count;
        s->backs -= back->count == 0;
    }
    return HEDDLE_LOOP_CHUNK;
}

/* Without memory for the list the engine finds what is unassigned. */
static void put_back(struct state *s, long first, long count) {
    if (count <= 0)
        return;
    if (s->backs == s->room) {
        struct heddle_loop_chunk *more = realloc(s->back, (size_t)(2 * s->room + 8) * sizeof *more);
        if (!more)
            return;
        s->back = more;
        s->room = 2 * s->room + 8;
    }
    s->back[s->backs++] = (struct heddle_loop_chunk){first, count};
}

static void lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    struct state *s = state;
    struct share *my = &s->share[device];
    for (int k = 0; k < chunks; k++)
        put_back(s, chunk[k].first, chunk[k].count);
    for (put_back(s, my->first, my->end - my->first); my->next < s->n;) {
        next_block(s, my);
        put_back(s, my->first, my->end - my->first);
    }
    my->first = my->end = 0;
}

static void stop(void *state) {
    struct state *s = state;
    free(s->share);
    free(s->back);
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
