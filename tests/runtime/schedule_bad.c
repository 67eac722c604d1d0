/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule that does what BAD says: gives iterations twice, outside the loop, forgets some, waits for ever, or does
 * not start. */
#include <heddle/loop.h>
#include <stdlib.h>
#include <string.h>

struct state {
    long n, given;
    const char *bad;
};

static void *start(const struct heddle_loop_problem *p) {
    struct state *s = calloc(1, sizeof *s);
    s->n = p->n;
    s->bad = getenv("BAD");
    if (strcmp(s->bad, "start") != 0)
        return s;
    free(s);
    return NULL;
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct state *s = state;
    (void)device, (void)now;
    *chunk = (struct heddle_loop_chunk){s->given, 10};
    if (s->given >= 50) {
        if (!strcmp(s->bad, "wait"))
            return HEDDLE_LOOP_WAIT;
        if (!strcmp(s->bad, "twice"))
            chunk->first = 5;
        else if (!strcmp(s->bad, "outside"))
            chunk->first = s->n - 3;
        else if (!strcmp(s->bad, "empty"))
            chunk->count = 0;
        else
            return HEDDLE_LOOP_DONE; /* forget */
    }
    s->given += 10;
    return HEDDLE_LOOP_CHUNK;
}

const struct heddle_loop_policy heddle_loop_policy __attribute__((visibility("default"))) = {
    .version = HEDDLE_LOOP_VERSION, .name = "bad", .start = start, .next = next, .stop = free};
