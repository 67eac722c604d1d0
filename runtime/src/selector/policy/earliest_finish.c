/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Earliest finish with transfers (HEFT; StarPU's dmda): data moves while the candidate still works on what it has, so
 * the later of both, and then the run. Of candidates that differ by less than the noise of the predictions, the one
 * that has the data, then the default device, is taken: no data travels for nothing.
 */
#include "selector/selector.h"

static const double NOISE = 0.03; /* share of the smaller time */

static double finish(const struct heddle_candidate *p) { return (p->wait > p->move ? p->wait : p->move) + p->run; }

static bool better(const struct heddle_choice *c, const struct heddle_candidate *a, const struct heddle_candidate *b) {
    const double ta = finish(a), tb = finish(b), small = ta < tb ? ta : tb;
    if (ta - tb > NOISE * small || tb - ta > NOISE * small)
        return ta < tb;
    if (a->move != b->move)
        return a->move < b->move;
    return a->device == c->default_device;
}

static int choose(const struct heddle_choice *c, void *state) {
    (void)state;
    int best = -1;
    for (int k = 0; k < c->count; k++)
        if (c->candidates[k].run >= 0 && (best < 0 || better(c, &c->candidates[k], &c->candidates[best])))
            best = k;
    return best;
}

const struct heddle_policy heddle__policy_earliest_finish = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "earliest-finish",
    .help = "the candidate where waiting, moving the data meanwhile, and running are over first",
    .choose = choose,
    .learns = true,
};
