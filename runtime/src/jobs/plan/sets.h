/* SPDX-License-Identifier: Apache-2.0 */
/* sets.h - which set of devices runs the next execution of jobs, by what earlier ones took. */
#ifndef HEDDLE_JOBS_PLAN_SETS_H
#define HEDDLE_JOBS_PLAN_SETS_H

enum { HEDDLE__JOBS_SET_RUNS = 3 }; /* that are remembered */

struct heddle__jobs_set_times {
    double expected; /* seconds, by what its devices' batches took; 0: not known */
    double since;    /* seconds that executions have taken since it ran last */
    int runs;
    long n[HEDDLE__JOBS_SET_RUNS]; /* jobs at the beginning, of the last of them in any order */
    double seconds[HEDDLE__JOBS_SET_RUNS];
    double least; /* the shortest of all runs, which grows as others follow; 0: not known */
    long least_n; /* ... and its jobs */
};

/* A run more: what becomes of the shortest one. */
void heddle__jobs_set_note(struct heddle__jobs_set_times *t, long n, double seconds);

/* For n jobs. The first set is that of all devices. Returns a number of the list. */
int heddle__jobs_choose_set(const struct heddle__jobs_set_times *list, int count, long n);

#endif
