/* SPDX-License-Identifier: Apache-2.0 */
/* Factoring: rounds of one chunk for each device; a round is half of what is left. */
#include "loop/plan/plan.h"

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct heddle__self *s = state;
    (void)now;
    if (s->given % s->p->devices == 0) { /* s->a: chunk of this round */
        const long size = (s->left.left + 2L * s->p->devices - 1) / (2L * s->p->devices);
        s->a = (double)(size < s->p->chunk ? s->p->chunk : size);
    }
    return heddle__self_next_chunk(s, device, s->a, chunk);
}

const struct heddle_loop_policy heddle__loop_fss = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "fss",
    .help = "factoring: rounds of equal chunks, each round half of what is left, at least the clause's number",
    .source = "Hummel, Schonberg and Flynn 1992",
    .start = heddle__self_start,
    .next = next,
    .lost = heddle__self_lost,
    .stop = heddle__self_stop,
};
