/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linear program over the ready set (Kim 2013, eqs. 2 to 4): with x[j][r] regions of kind j on candidate r,
 *     min T   s.t.   sum_r x[j][r] = count_j,   sum_j t[j][r] x[j][r] <= T   for each candidate r.
 * The ready set is what runs now plus the region that asks. The region goes where the solution has most of its
 * kind that is not there yet. Alone, it goes where it ends first.
 */
#include "model/lp/lp.h"
#include "selector/selector.h"

enum { KINDS = 6, SPOTS = 8 };

/* The fastest candidates first, at most SPOTS, of those where this region's time is known. */
static int take_spots(const struct heddle_choice *c, int *spot) {
    int n = 0;
    for (int k = 0; k < c->count; k++) {
        if (c->group[0].run[k] < 0)
            continue;
        int at = n < SPOTS ? n++ : SPOTS;
        for (; at > 0 && c->group[0].run[spot[at - 1]] > c->group[0].run[k]; at--)
            if (at < SPOTS)
                spot[at] = spot[at - 1];
        if (at < SPOTS)
            spot[at] = k;
    }
    return n;
}

/* Kinds that have a known time on one of the spots, this region's first. Returns how many. */
static int take_kinds(const struct heddle_choice *c, const int *spot, int spots, double *time, double *count) {
    int kinds = 0;
    for (int j = 0; j < c->groups && kinds < KINDS; j++) {
        bool known = false;
        for (int r = 0; r < spots; r++) {
            time[kinds * spots + r] = c->group[j].run[spot[r]];
            known |= c->group[j].run[spot[r]] >= 0;
        }
        count[kinds] = c->group[j].count;
        kinds += known;
    }
    return kinds;
}

static double finish(const struct heddle_candidate *p) { return p->run + p->move + p->wait; }

static int choose(const struct heddle_choice *c, void *state) {
    double time[KINDS * SPOTS], count[KINDS], x[KINDS * SPOTS];
    int spot[SPOTS], best = -1;
    (void)state;
    const int spots = c->groups ? take_spots(c, spot) : 0;
    const int kinds = spots < 2 ? 0 : take_kinds(c, spot, spots, time, count);
    if (!kinds || heddle__makespan(kinds, spots, time, count, NULL, x) < 0)
        return heddle__policy_cheapest(c, finish);
    double most = 0;
    for (int r = 0; r < spots; r++) {
        const double lacking = x[r] - c->group[0].placed[spot[r]];
        if (best < 0 || lacking > most + 1e-9) {
            best = spot[r];
            most = lacking;
        }
    }
    return most > 1e-6 ? best : heddle__policy_cheapest(c, finish);
}

const struct heddle_policy heddle__policy_lp = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "lp",
    .help = "a linear program spreads the regions that are ready over the candidates",
    .choose = choose,
    .learns = true,
};
