/* SPDX-License-Identifier: Apache-2.0 */
/* Factoring: rounds of one chunk for each device; a round is half of what is left. */
#include "loop/plan/plan.h"

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct heddle__self *s = state;
    (void)now;
    return heddle__self_next_round(s, device, s->p->chunk, chunk);
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
