/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linear programs of what runs where, shared by the device selector and the simulator: a small dense simplex, the
 * makespan of work on several places, and the set of work that is ready. Pure functions over numbers: no device, no
 * clock, no file.
 */
#ifndef HEDDLE_MODEL_LP_H
#define HEDDLE_MODEL_LP_H

#include <heddle/policy.h>

#define LP_HIDDEN __attribute__((visibility("hidden")))

/* simplex.c: min c x, rows of A x <= b, x >= 0. `b` and `c` may be negative. 0: x is optimal, and was checked to be
   feasible; -1: there is no solution, no bound or no memory. x is zero then. */
LP_HIDDEN int heddle__simplex(int rows, int columns, const double *a, const double *b, const double *c, double *x);

/* makespan.c: count[j] pieces of work of kind j over machines r, in parts (Kim 2013, eqs. 2 to 4):
       min T   s.t.   sum_r x[j][r] = count_j,   start_r + sum_j time[j][r] x[j][r] <= T   for each machine r.
   time[j * machines + r]: seconds of one piece; < 0: it cannot run there. start: seconds until the machine is free,
   NULL: now. x[j * machines + r] are pieces; T is returned, or -1: none. */
LP_HIDDEN double heddle__makespan(int kinds, int machines, const double *time, const double *count, const double *start,
                                  double *x);

/* unrelated.c: the same program, some ten times faster than the dense simplex, for all of a kind at once: load[j *
   machines + r] are the seconds of the whole kind, < 0: it cannot run there; share[j * machines + r] is the part of it.
   -1: none, or the arithmetic lost its way, which heddle__makespan may not. */
LP_HIDDEN double heddle__unrelated(int kinds, int machines, const double *load, const double *fixed, double *share);

/* ready.c: the work that runs now and the piece that asks, by kind, the asking one's first. `at` is an index into
   `candidates`, -1: another one. predict: seconds of a kind on candidates[k]; < 0: not known. Returns how many kinds;
   0: nothing else runs. */
struct heddle__running {
    const void *kind, *size; /* size: as predict knows it, of the latest piece */
    int at;
};
struct heddle__ready {
    const void *kind; /* of who asks */
    const struct heddle_candidate *candidates;
    int count; /* of candidates */
    double (*predict)(void *with, const struct heddle__running *running, int k);
    void *with;
};
LP_HIDDEN int heddle__ready_groups(const struct heddle__ready *ready, const struct heddle__running *running, int n,
                                   struct heddle_region_group *group, int room);

#endif
