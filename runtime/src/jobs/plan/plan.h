/* SPDX-License-Identifier: Apache-2.0 */
/* What policies for jobs, the engine and the simulator compute alike. Pure functions over numbers. */
#ifndef HEDDLE_JOBS_PLAN_H
#define HEDDLE_JOBS_PLAN_H

#include <heddle/jobs.h>

#pragma GCC visibility push(hidden)

/* ---- times.c: the model of a job's time (Kim 2013, equation 1) ------------------------------------------------ */

/* Of jobs whose data lies with device `source` (-1: nowhere): seconds of one of them on `device`, transfer included;
   < 0: it cannot run there. */
double heddle__jobs_each(const struct heddle_jobs_machine *m, int type, int source, int device);
double heddle__jobs_setup(const struct heddle_jobs_machine *m, int type, int device);
double heddle__jobs_transfer(const struct heddle_jobs_machine *m, int type, int source, int device); /* of one job */
double heddle__jobs_batch_time(const struct heddle_jobs_machine *m, int type, int source, int device, long count);
/* T_rest of one batch: expected - spent. When it is overdue it is expected anew, from the part that is left (0 … 1; not
   known: 1 says as long again). */
double heddle__jobs_rest(double expected, double spent, double left);
bool heddle__jobs_is_gone(const struct heddle_jobs_choice *c, int device);

/* ---- deal.c: whole numbers ------------------------------------------------------------------------------------- */

/* count = sum of out[0 … n - 1], each nearest to share[k] that keeps the sum. All shares 0: all zero. */
void heddle__jobs_deal(int n, const double *share, long count, long *out);
/* Puts each kind by weight(type, device), which is relative; 0: nothing. */
void heddle__jobs_put_by(const struct heddle_jobs_choice *c,
                         double (*weight)(const struct heddle_jobs_choice *c, const struct heddle_jobs_kind *kind,
                                          int device));

#pragma GCC visibility pop
#endif
