/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of one size, one for each device that has nothing to do, round robin over the kinds of jobs (Tang et al.
 * 2009). */
#include "jobs/plan/plan.h"
#include <stdlib.h>

static const long BLOCK = 5000; /* without a number in the clause; 1000 to 20000 were published */

struct rounds {
    const struct heddle_jobs_machine *m;
    int next; /* type that is next */
};

static void *start(const struct heddle_jobs_machine *m) {
    struct rounds *s = calloc(1, sizeof *s);
    if (s)
        s->m = m;
    return s;
}

static void stop(void *state) { free(state); }

/* A block of the next type, which may come from several devices. */
static void give(struct rounds *s, const struct heddle_jobs_choice *c, long *left, int device) {
    const long size = s->m->parameter >= 1 ? (long)s->m->parameter : BLOCK;
    for (int tried = 0; tried < s->m->types; tried++) {
        const int type = s->next;
        long room = size;
        s->next = (s->next + 1) % s->m->types;
        if (heddle__jobs_is_gone(c, device) || heddle__jobs_each(s->m, type, -1, device) < 0)
            continue;
        for (int j = 0; j < c->kinds && room; j++) {
            const long count = c->kind[j].type != type ? 0 : left[j] < room ? left[j] : room;
            if (!count)
                continue;
            c->put(c->with, j, device, count);
            left[j] -= count;
            room -= count;
        }
        if (room < size)
            return;
    }
}

static void place(void *state, const struct heddle_jobs_choice *c) {
    long *left = malloc(((size_t)c->kinds + 1) * sizeof *left);
    if (!left)
        return;
    for (int j = 0; j < c->kinds; j++)
        left[j] = c->kind[j].count;
    if (c->asking >= 0)
        give(state, c, left, c->asking);
    else
        for (int d = 0; d < c->machine->devices; d++)
            give(state, c, left, d);
    free(left);
}

const struct heddle_jobs_policy heddle__jobs_tan09 = {
    .version = HEDDLE_JOBS_VERSION,
    .name = "tan09",
    .help = "a block (the clause's number, 5000) for whoever has nothing, type after type",
    .source = "Tang et al. 2009",
    .start = start,
    .place = place,
    .stop = stop,
};
