/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything dealt out before the loop begins, in proportion to what each device did in earlier runs (Weber 2012,
 * eq. 2.1). A part leaves in one chunk, or in as many as fit the device.
 */
#include "loop/plan/plan.h"
#include <limits.h>

static void *start(const struct heddle_loop_problem *p) {
    struct heddle__self *s = heddle__self_start(p);
    if (s)
        heddle__self_deal(s, s->rate, p->n);
    return s;
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    struct heddle__self *s = state;
    (void)now;
    if (heddle__self_next_own(s, device, LONG_MAX, chunk))
        return HEDDLE_LOOP_CHUNK;
    const long fair = (s->left.left + s->p->devices - 1) / s->p->devices; /* what a lost device left */
    return heddle__self_next_chunk(s, device, (double)fair, chunk);
}

const struct heddle_loop_policy heddle__loop_capability = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "capability",
    .help = "parts in proportion to what the devices did in earlier runs",
    .source = "Weber 2012, eq. 2.1",
    .start = start,
    .next = next,
    .lost = heddle__self_lost,
    .stop = heddle__self_stop,
};
