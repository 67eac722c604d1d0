/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linear program over the ready set (Kim 2013, eqs. 2 to 4): with x[j][r] regions of kind j on place r,
 *     min T   s.t.   sum_r x[j][r] = count_j,   sum_j t[j][r] x[j][r] <= T   for each place r.
 * The ready set is what runs now plus the region that asks. The region goes where the solution has most of its
 * kind that is not there yet. Alone, it goes where it ends first.
 */
#include "select.h"
#include <string.h>

enum { KINDS = 6, SPOTS = 8, VARIABLES = KINDS * SPOTS + 1, ROWS = SPOTS + 2 * KINDS };

struct program {
    double a[ROWS * VARIABLES], b[ROWS], c[VARIABLES], x[VARIABLES];
};

/* The fastest places first, at most SPOTS; kinds that have no known time there are left out. */
static int take_spots(const struct heddle_choice *c, int *spot)
{
    int n = 0;
    for (int k = 0; k < c->count; k++) {
        if (c->job[0].run[k] < 0)
            continue;
        int at = n < SPOTS ? n++ : SPOTS;
        for (; at > 0 && c->job[0].run[spot[at - 1]] > c->job[0].run[k]; at--)
            if (at < SPOTS)
                spot[at] = spot[at - 1];
        if (at < SPOTS)
            spot[at] = k;
    }
    return n;
}

static int build(struct program *p, const struct heddle_choice *c, const int *spot, int spots, int kinds)
{
    const int columns = kinds * spots + 1;
    memset(p, 0, sizeof *p);
    p->c[columns - 1] = 1;
    for (int r = 0; r < spots; r++) { /* load of a place - T <= 0 */
        for (int j = 0; j < kinds; j++)
            p->a[r * columns + j * spots + r] = c->job[j].run[spot[r]];
        p->a[r * columns + columns - 1] = -1;
    }
    for (int j = 0; j < kinds; j++) /* at least count_j; more would only cost time */
        for (int r = 0; r < spots; r++) {
            p->a[(spots + j) * columns + j * spots + r] = -1;
            p->b[spots + j] = -c->job[j].count;
        }
    return columns;
}

static int fastest(const struct heddle_choice *c)
{
    int best = -1;
    for (int k = 0; k < c->count; k++)
        if (c->places[k].run >= 0 && (best < 0 || c->places[k].run + c->places[k].move + c->places[k].wait <
                                                      c->places[best].run + c->places[best].move + c->places[best].wait))
            best = k;
    return best;
}

static int choose(const struct heddle_choice *c, void *state)
{
    struct program p;
    int spot[SPOTS], best = -1;
    (void)state;
    const int kinds = c->jobs < KINDS ? c->jobs : KINDS;
    const int spots = c->jobs ? take_spots(c, spot) : 0;
    if (spots < 2)
        return fastest(c);
    for (int j = 1; j < kinds; j++)
        for (int r = 0; r < spots; r++)
            if (c->job[j].run[spot[r]] < 0)
                return fastest(c);
    const int columns = build(&p, c, spot, spots, kinds);
    if (heddle__simplex(spots + kinds, columns, p.a, p.b, p.c, p.x))
        return fastest(c);
    double most = 0;
    for (int r = 0; r < spots; r++) {
        const double lacking = p.x[r] - c->job[0].placed[spot[r]];
        if (best < 0 || lacking > most + 1e-9) {
            best = spot[r];
            most = lacking;
        }
    }
    return most > 1e-6 ? best : fastest(c);
}

const struct heddle_policy heddle__policy_lp = {
    .version = HEDDLE_POLICY_VERSION,
    .name = "lp",
    .help = "a linear program spreads the regions that are ready over the places",
    .choose = choose,
    .learns = true,
};
