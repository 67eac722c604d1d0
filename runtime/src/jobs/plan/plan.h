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

/* The devices' preference for a type against other types: what it takes there, against what it takes elsewhere. The
   smaller, the more it should run there. < 0: it cannot. */
double heddle__jobs_preference(const struct heddle_jobs_machine *m, int type, int device);
/* Jobs in a device's queue. */
long heddle__jobs_waiting(const struct heddle_jobs_choice *c, int device);
/* The type that suits a device most, of those queued on `on` that `device` can run; -1: none. */
int heddle__jobs_best_type(const struct heddle_jobs_choice *c, int device, int on);
/* Kinds go to the device that made them; those of none by capacity. */
void heddle__jobs_put_at_home(const struct heddle_jobs_choice *c);
double heddle__jobs_capacity(const struct heddle_jobs_choice *c, const struct heddle_jobs_kind *kind, int device);

/* ---- hierarchy.c: more devices than a linear program should have ------------------------------------------------- */

enum { HEDDLE__JOBS_RESOURCES = 12 };
struct heddle__jobs_refinement;
/* Two levels: classes of devices are the resources of one program, and inside a class jobs stay with whoever made them
   or fill the devices up to one level. false: no memory, or no answer. */
bool heddle__jobs_put_by_class(const struct heddle_jobs_choice *c, const struct heddle__jobs_refinement *how);
/* Deals entries over the devices of one group. */
struct heddle__jobs_entry {
    int kind;
    long count;
};
bool heddle__jobs_fill(const struct heddle_jobs_choice *c, const int *device, int devices,
                       struct heddle__jobs_entry *entry, int entries);

/* ---- refine.c: the linear program and its refinement (Kim 2013, section 4.3) ------------------------------------ */

/* Jobs over resources, which are devices or groups of them. Kinds of one type share its setups, because they run as one
   batch; as published each kind pays for itself, and is a type of its own then. */
struct heddle__jobs_program {
    int kinds, types, resources;
    int *type;     /* [kinds] */
    double *setup; /* [type * resources + resource], a pair */
    double *each;  /* [kind * resources + resource]; < 0: it cannot run there */
    double *count; /* [kinds], above 0 */
    double *rest;  /* [resources] */
};
/* Which pair a round takes out: "the smallest ratio of jobs" can be read in three ways. */
enum heddle__jobs_reading {
    HEDDLE__JOBS_PUBLISHED, /* the smallest that is not zero */
    HEDDLE__JOBS_AT_ONCE,   /* all that are zero, then the smallest */
    HEDDLE__JOBS_ZEROS,     /* the smallest, which may be zero */
    HEDDLE__JOBS_BEST       /* the best of `at once` and of a bounded search over sets of pairs */
};
struct heddle__jobs_refinement {
    enum heddle__jobs_reading reading;
    bool no_setup; /* ablation: the program does not know of setups */
    double (*spent)(void *with);
    bool (*rule)(void *with, const double *x, int *type, int *resource); /* the application's; NULL: none */
    void *with;
    struct heddle_jobs_report *report; /* filled */
};
/* Jobs of each pair into x; the expected makespan is returned, or -1: some kind can run nowhere, or no memory. */
double heddle__jobs_refine(const struct heddle__jobs_program *p, const struct heddle__jobs_refinement *how, double *x);
/* The expected makespan of x, with a setup for each pair that is used. */
double heddle__jobs_makespan(const struct heddle__jobs_program *p, const double *x);
/* Zeros, and kind j is of type j. */
bool heddle__jobs_program_make(struct heddle__jobs_program *p, int kinds, int resources);
void heddle__jobs_program_free(struct heddle__jobs_program *p);

#pragma GCC visibility pop
#endif
