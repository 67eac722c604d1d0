/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop schedule: a device that asks gets a third of its equal part of what is left. To add it to heddle, put this
 * file into runtime/src/loop/schedule/ and the row X(thirds, "thirds") into HEDDLE_LOOP_SCHEDULES of heddle/words.h.
 */
#include "loop/plan/plan.h"

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    const struct heddle__self *s = state;
    (void)now;
    const long third = s->left.left / (3L * s->p->devices);
    return heddle__self_next_chunk(state, device, (double)(third > s->p->chunk ? third : s->p->chunk), chunk);
}

const struct heddle_loop_policy heddle__loop_thirds = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "thirds",
    .help = "a third of an equal part of what is left, at least the clause's number",
    .source = "",
    .start = heddle__self_start,
    .next = next,
    .lost = heddle__self_lost,
    .stop = heddle__self_stop,
};
