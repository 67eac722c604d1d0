/* SPDX-License-Identifier: Apache-2.0 */
/* Loops before devices have started: early.c. */
#ifndef HEDDLE_LOOP_EARLY_H
#define HEDDLE_LOOP_EARLY_H

#include "host_way.h"

/* Runs iterations on the host, from the first one on, while devices have not started. Returns how many: all of them, or
   until devices were there; 0: this is no such loop. All: the thread's report is written. */
HEDDLE_HIDDEN HEDDLE__FIRST long heddle__early_run(struct heddle__host_way *w, const struct heddle_loop *l, long n,
                                                   double start);
/* Such a loop has taken so long. */
HEDDLE_HIDDEN void heddle__early_pay(double seconds);

#endif
