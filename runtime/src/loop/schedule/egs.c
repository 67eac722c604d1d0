/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Enhanced guided self-scheduling: the loop is cut as GSS would cut it for as many takers as there are classes of
 * devices (or devices, where all are of one class), and a device of the k-th fastest class takes the k-th largest chunk
 * that is left.
 */
#include "loop/plan/plan.h"
#include <stdlib.h>
#include <string.h>

struct egs {
    const struct heddle_loop_problem *p;
    struct heddle_loop_chunk *at; /* largest first */
    int count, room;
};

static bool insert(struct egs *s, struct heddle_loop_chunk c) {
    if (c.count <= 0)
        return true;
    if (s->count == s->room) {
        const int room = s->room ? 2 * s->room : 64;
        struct heddle_loop_chunk *at = realloc(s->at, (size_t)room * sizeof *at);
        if (!at)
            return false;
        s->at = at;
        s->room = room;
    }
    int k = s->count;
    for (; k > 0 && s->at[k - 1].count < c.count; k--)
        s->at[k] = s->at[k - 1];
    s->at[k] = c;
    s->count++;
    return true;
}

static void stop(void *state) {
    struct egs *s = state;
    free(s->at);
    free(s);
}

static void *start(const struct heddle_loop_problem *p) {
    struct egs *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->p = p;
    const long takers = p->classes > 1 ? p->classes : p->devices;
    for (long first = 0; first < p->n;) {
        long count = (p->n - first + takers - 1) / takers;
        if (count < p->chunk)
            count = p->chunk < p->n - first ? p->chunk : p->n - first;
        if (!insert(s, (struct heddle_loop_chunk){first, count})) {
            stop(s);
            return NULL;
        }
        first += count;
    }
    return s;
}

/* By the rates of earlier runs; without them, what is not the host is faster, and of two devices the one that needs
   more iterations to be busy. */
static bool faster(const struct heddle_loop_device *a, const struct heddle_loop_device *b) {
    if (a->rate > 0 && b->rate > 0)
        return a->rate > b->rate;
    return (a->device >= 0) != (b->device >= 0) ? a->device >= 0 : a->grain > b->grain;
}

static int rank(const struct heddle_loop_problem *p, int device) {
    int before = 0;
    for (int c = 0; c < p->classes; c++)
        for (int d = 0; d < p->devices; d++)
            if (p->device[d].class == c) {
                before += c != p->device[device].class && faster(&p->device[d], &p->device[device]);
                break;
            }
    return before;
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct egs *s = state;
    (void)now;
    if (!s->count)
        return HEDDLE_LOOP_DONE;
    const int k = rank(s->p, device) < s->count ? rank(s->p, device) : s->count - 1;
    const long most = heddle__loop_chunk_limit(s->p, device);
    *chunk = s->at[k];
    memmove(s->at + k, s->at + k + 1, (size_t)(s->count - k - 1) * sizeof *s->at);
    s->count--;
    if (chunk->count > most) { /* there is room: one was just taken out */
        insert(s, (struct heddle_loop_chunk){chunk->first + most, chunk->count - most});
        chunk->count = most;
    }
    return HEDDLE_LOOP_CHUNK;
}

static void lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    (void)device;
    for (int k = 0; k < chunks; k++)
        insert(state, chunk[k]);
}

const struct heddle_loop_policy heddle__loop_egs = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "egs",
    .help = "enhanced guided: GSS over the classes of devices, the k-th largest chunk to the k-th fastest class",
    .source = "Wu, Yang, Lai and Hung 2011; Weber 2012, section 3.3",
    .start = start,
    .next = next,
    .lost = lost,
    .stop = stop,
};
