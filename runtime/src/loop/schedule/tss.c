/* SPDX-License-Identifier: Apache-2.0 */
/* Trapezoid self-scheduling: from n / 2P down to 1 (or the clause's number) by equal steps. */
#include "loop/plan/plan.h"

static void *start(const struct heddle_loop_problem *p) {
    struct heddle__self *s = heddle__self_start(p);
    if (!s)
        return NULL;
    const long last = p->chunk > 0 ? p->chunk : 1, half = p->n / (2L * p->devices), first = half > last ? half : last;
    const long chunks = (2 * p->n + first + last - 1) / (first + last);
    s->a = (double)first;
    s->b = chunks > 1 ? (double)((first - last) / (chunks - 1)) : 0; /* whole steps, as published */
    return s;
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct heddle__self *s = state;
    (void)now;
    const long last = s->p->chunk > 0 ? s->p->chunk : 1;
    const double size = s->a - s->b * (double)s->given;
    return heddle__self_next_chunk(s, device, size > (double)last ? size : (double)last, chunk);
}

const struct heddle_loop_policy heddle__loop_tss = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "tss",
    .help = "trapezoid: chunks that shrink by equal steps from n / 2P to 1 or the clause's number",
    .source = "Tzen and Ni 1993",
    .start = start,
    .next = next,
    .lost = heddle__self_lost,
    .stop = heddle__self_stop,
};
