/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks of one size, to whoever asks. Weber's "static" schedule cuts a loop into about 30. */
#include "loop/plan/plan.h"

static const int PARTS = 30, PER_DEVICE = 4; /* without a number in the clause: the more of both */

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    const struct heddle__self *s = state;
    (void)now;
    const int parts = PER_DEVICE * s->p->devices > PARTS ? PER_DEVICE * s->p->devices : PARTS;
    const long size = s->p->chunk > 0 ? s->p->chunk : (s->p->n + parts - 1) / parts;
    return heddle__self_next_chunk(state, device, (double)size, chunk);
}

const struct heddle_loop_policy heddle__loop_chunk = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "chunk",
    .help = "chunks of one size (the clause's number) to whoever asks",
    .source = "Weber 2012, section 3.3",
    .start = heddle__self_start,
    .next = next,
    .lost = heddle__self_lost,
    .stop = heddle__self_stop,
};
