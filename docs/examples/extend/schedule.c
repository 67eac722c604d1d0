/* SPDX-License-Identifier: Apache-2.0 */
/* A loop schedule of one's own: a device gets a sixteenth of what is left, so chunks shrink towards the end.
 *
 *     clang -shared -fPIC schedule.c -o schedule.so
 *     heddle sim loop --schedule=./schedule.so          on a machine that is described
 *     HEDDLE_FOR=./schedule.so ./04_for                 on this one
 *
 * The calls of one loop come one at a time. What a lost device held is dealt again before anything new. */
#include <heddle/loop.h>
#include <stdlib.h>

struct state {
    const struct heddle_loop_problem *problem;
    long next;                      /* iterations from here on have never been dealt */
    int returned;                   /* chunks that came back */
    struct heddle_loop_chunk *back; /* room for all that all devices can hold at once */
};

static void stop(void *state) {
    struct state *s = state;
    free(s->back);
    free(s);
}

static void *start(const struct heddle_loop_problem *problem) {
    const size_t held = (size_t)problem->devices * (size_t)(problem->ahead > 1 ? problem->ahead : 1);
    struct state *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->problem = problem;
    s->back = calloc(held, sizeof *s->back);
    if (s->back)
        return s;
    stop(s);
    return NULL;
}

static long at_most(long count, long most) { return most && count > most ? most : count; }

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct state *s = state;
    const struct heddle_loop_device *d = &s->problem->device[device];
    const long left = s->problem->n - s->next, least = s->problem->chunk > d->grain ? s->problem->chunk : d->grain;
    (void)now;
    if (s->returned) {
        struct heddle_loop_chunk *b = &s->back[s->returned - 1];
        *chunk = (struct heddle_loop_chunk){b->first, at_most(b->count, d->most)};
        b->first += chunk->count;
        b->count -= chunk->count;
        s->returned -= b->count == 0;
        return HEDDLE_LOOP_CHUNK;
    }
    if (left == 0)
        return HEDDLE_LOOP_DONE;
    long count = left / 16 > least ? left / 16 : least;
    count = at_most(count < 1 ? 1 : count, left);
    *chunk = (struct heddle_loop_chunk){s->next, at_most(count, d->most)};
    s->next += chunk->count;
    return HEDDLE_LOOP_CHUNK;
}

static void lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    struct state *s = state;
    (void)device;
    for (int k = 0; k < chunks; k++)
        s->back[s->returned++] = chunk[k];
}

const struct heddle_loop_policy heddle_loop_policy = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "sixteenths",
    .help = "a sixteenth of what is left",
    .source = "",
    .start = start,
    .next = next,
    .lost = lost,
    .stop = stop,
};
