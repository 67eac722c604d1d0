/* SPDX-License-Identifier: Apache-2.0 */
/* Branch and bound: a pair is used (its setup is paid), not used, or undecided, and then its setup is paid job by job,
   which never costs more than either. */
#include "exhaustive.h"
#include "model/lp/lp.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum state { UNDECIDED, USED, UNUSED };
struct tree {
    const struct heddle__jobs_program *p;
    char *state;
    double *load, *fixed, *share;
    double best;
    long nodes;
};

static void look(struct tree *t) {
    const struct heddle__jobs_program *p = t->p;
    const int pairs = p->kinds * p->resources;
    memcpy(t->fixed, p->rest, (size_t)p->resources * sizeof *t->fixed);
    for (int k = 0; k < pairs; k++) {
        t->load[k] = t->state[k] == UNUSED ? -1 : p->each[k] * p->count[k / p->resources];
        if (t->state[k] == UNDECIDED)
            t->load[k] += p->setup[k];
        else if (t->state[k] == USED)
            t->fixed[k % p->resources] += p->setup[k];
    }
    t->nodes++;
    const double bound = heddle__unrelated(p->kinds, p->resources, t->load, t->fixed, t->share);
    if (bound < 0 || bound >= t->best * (1 - 1e-9))
        return;
    int branch = -1;
    double most = 0;
    for (int k = 0; k < pairs; k++) { /* the one whose setup is furthest from being paid */
        const double unpaid = t->state[k] == UNDECIDED ? p->setup[k] * fmin(t->share[k], 1 - t->share[k]) : 0;
        t->share[k] *= p->count[k / p->resources];
        if (unpaid > most) {
            most = unpaid;
            branch = k;
        }
    }
    t->best = fmin(t->best, heddle__jobs_makespan(p, t->share));
    if (branch < 0)
        return;
    t->state[branch] = UNUSED;
    look(t);
    t->state[branch] = USED;
    look(t);
    t->state[branch] = UNDECIDED;
}

double exhaustive(const struct heddle__jobs_program *p, double most, long *nodes) {
    const size_t pairs = (size_t)p->kinds * (size_t)p->resources;
    struct tree t = {.p = p, .best = most * (1 + 1e-9)};
    t.state = calloc(pairs, 1);
    t.load = calloc(2 * pairs + (size_t)p->resources, sizeof *t.load);
    t.share = t.load + pairs;
    t.fixed = t.share + pairs;
    for (size_t k = 0; k < pairs; k++)
        t.state[k] = p->each[k] < 0 ? UNUSED : UNDECIDED;
    look(&t);
    free(t.state);
    free(t.load);
    *nodes = t.nodes;
    return t.best;
}
