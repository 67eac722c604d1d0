/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heddle/jobs.h - write your own policy for `#pragma heddle jobs`
 * ===============================================================
 *
 * Jobs of a few types appear while a program runs. Every device has a queue of jobs that were placed on it, and a list
 * of those that it made. A policy decides which device gets how many of which jobs; it is a few functions over numbers
 * and never sees a device, a clock or a file. The engine calls them for real devices, the simulator (`heddle sim jobs`)
 * for described ones; both call one at a time, so a policy needs no locks.
 *
 *     start   at the beginning: what is known of the devices
 *     place   some queue is empty and jobs are unassigned: puts jobs into queues
 *     batch   (optional) an idle device has jobs in its queue: which of them it runs at once
 *     steal   (optional) an idle device has an empty queue: jobs to move from one queue to another
 *     stop    after the last job
 *
 * A job's kind is its type and the device that made it, because its data lies there (Kim 2013, section 4.1). The
 * expected time of n jobs of a kind on a device is  setup + n (each + move)  for n > 0, and 0 for none.
 *
 * The engine checks what a policy does: more jobs than there are, or on a device that has no code for them, are
 * refused with a message. When all devices are idle and nothing is placed, all jobs go where the first device is that
 * can run them. A policy of your own is a shared object with a `struct heddle_jobs_policy` called `heddle_jobs_policy`;
 * try it with `heddle sim jobs --policy=./mine.so`.
 */
#ifndef HEDDLE_JOBS_H
#define HEDDLE_JOBS_H

#include <stdbool.h>

#define HEDDLE_JOBS_VERSION 1

/* Of one type of job on one class of devices, in seconds. */
struct heddle_jobs_time {
    double setup; /* a batch, whatever its size (launch, latency of its transfer) */
    double each;  /* a job; < 0: it cannot run there */
};

struct heddle_jobs_device {
    int device; /* OpenMP number; -1: the host, all of its threads */
    int class;  /* devices of one class are as fast as each other; 0 … classes - 1 */
    int memory; /* devices with the same number see the same memory: nothing moves between them */
    int group;  /* devices that are near each other: of one node */
};

/* Stays until `stop`; the times in it may be known better at the next call. */
struct heddle_jobs_machine {
    int devices, classes, types;
    const struct heddle_jobs_device *device;
    const struct heddle_jobs_time *time; /* [type * classes + class] */
    /* Seconds in which the data of one job reaches another memory: [(type * classes + from) * classes + to]. `far`: in
       another group; NULL: as `move`. */
    const double *move, *far;
    double parameter; /* argument of the clause: schedule(name, 5000); 0: none given */
};

/* Unassigned jobs. */
struct heddle_jobs_kind {
    int type, source; /* source: index of the device in whose memory their data lies; -1: it need not move */
    long count;
};
struct heddle_jobs_pair {
    int kind, device;
};

/* What a policy says of a decision, for people. */
struct heddle_jobs_report {
    int rounds;           /* linear programs that were solved */
    double first, last;   /* expected makespan after the initial assignment, and of what was placed; seconds */
    bool timed_out, flat; /* stopped by the clock; without hierarchy */
};

struct heddle_jobs_choice {
    const struct heddle_jobs_machine *machine;
    double now; /* seconds since the beginning */
    int asking; /* the device that has nothing to do; -1: the beginning, or none in particular */
    int kinds;
    const struct heddle_jobs_kind *kind; /* [kinds] */
    const double *rest;          /* [devices] expected seconds until each has done what it has; HUGE_VAL: it is gone */
    const long *queued;          /* [device * types + type] jobs in queues, not begun */
    const long *running;         /* [device * types + type] jobs that run now */
    double (*spent)(void *with); /* seconds that this decision has taken so far; NULL: no clock, no time-out */
    /* `count` jobs of a kind go into a device's queue. May be called several times for a pair. */
    void (*put)(void *with, int kind, int device, long count);
    /* (optional) An application's own rule for the refinement of the LP: x[kind * devices + device] are jobs as the
       last round gave them; returns true with the pair that shall not be used from now on, false: the policy's rule. */
    bool (*rule)(void *with, const struct heddle_jobs_choice *choice, const double *x, struct heddle_jobs_pair *out);
    void *with;
    struct heddle_jobs_report *report; /* NULL: nobody asks */
};

struct heddle_jobs_batch {
    int type;
    long count;
};
struct heddle_jobs_move {
    int type, from, to;
    long count;
};

struct heddle_jobs_policy {
    int version;                                                    /* HEDDLE_JOBS_VERSION */
    const char *name, *help, *source;                               /* source: where it is published, or "" */
    void *(*start)(const struct heddle_jobs_machine *machine);      /* NULL: out of memory */
    void (*place)(void *state, const struct heddle_jobs_choice *c); /* what it does not put stays unassigned */
    /* NULL: all jobs of the type of which most are queued. */
    void (*batch)(void *state, const struct heddle_jobs_choice *c, struct heddle_jobs_batch *answer);
    /* Asked again until it says false. NULL: nothing is stolen. */
    bool (*steal)(void *state, const struct heddle_jobs_choice *c, struct heddle_jobs_move *answer);
    void (*stop)(void *state);
};

#endif
