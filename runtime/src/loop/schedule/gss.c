/* SPDX-License-Identifier: Apache-2.0 */
/* Guided self-scheduling: a chunk is what is left over the number of devices. */
#include "loop/plan/plan.h"

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    const struct heddle__self *s = state;
    (void)now;
    long size = (s->left.left + s->p->devices - 1) / s->p->devices;
    if (size < s->p->chunk)
        size = s->p->chunk;
    return heddle__self_next_chunk(state, device, (double)size, chunk);
}

const struct heddle_loop_policy heddle__loop_gss = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "gss",
    .help = "guided: what is left over the number of devices, at least the clause's number",
    .source = "Polychronopoulos and Kuck 1987",
    .start = heddle__self_start,
    .next = next,
    .lost = heddle__self_lost,
    .stop = heddle__self_stop,
};
