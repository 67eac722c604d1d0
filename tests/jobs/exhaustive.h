/* SPDX-License-Identifier: Apache-2.0 */
/* The best of all 2^(|R||J|) sets of pairs, by branch and bound: the same answer as trying each (Kim 2013,
   section 4.4), sooner. */
#ifndef HEDDLE_TESTS_EXHAUSTIVE_H
#define HEDDLE_TESTS_EXHAUSTIVE_H

#include "jobs/plan/plan.h"

/* `most`: a makespan that is known to be possible; nothing above it is looked at. *nodes: programs solved. */
double exhaustive(const struct heddle__jobs_program *p, double most, long *nodes);

#endif
