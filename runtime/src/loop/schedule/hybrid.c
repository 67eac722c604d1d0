/* SPDX-License-Identifier: Apache-2.0 */
/* Alpha hybrid: alpha percent dealt out by capability before the loop begins, the rest by factoring. */
#include "loop/plan/plan.h"
#include <limits.h>

static const long ALPHA = 80; /* percent, without a number in the clause: the papers' best */

static void *start(const struct heddle_loop_problem *p) {
    struct heddle__self *s = heddle__self_start(p);
    const long alpha = p->chunk > 0 && p->chunk <= 100 ? p->chunk : ALPHA;
    if (s)
        heddle__self_deal(s, s->rate, p->n / 100 * alpha + p->n % 100 * alpha / 100);
    return s;
}

static enum heddle_loop_answer next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
    (void)now;
    return heddle__self_next_own(state, device, LONG_MAX, chunk) ? HEDDLE_LOOP_CHUNK
                                                                 : heddle__self_next_round(state, device, 0, chunk);
}

const struct heddle_loop_policy heddle__loop_hybrid = {
    .version = HEDDLE_LOOP_VERSION,
    .name = "hybrid",
    .help = "80 percent (or the clause's number of percent) by capability, the rest by factoring",
    .source = "Cheng et al. 2005, Shih et al. 2006 (alpha scheduling)",
    .start = start,
    .next = next,
    .lost = heddle__self_lost,
    .stop = heddle__self_stop,
};
