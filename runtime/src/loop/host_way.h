/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread of the program remembers of loops that only the host can run: that it is so, and what one thread and
 * all of them took, so that the next call asks for nothing and runs by whichever is faster. Loops that devices could
 * run and the host was chosen for are such loops, too, for as many calls as the choice is for.
 */
#ifndef HEDDLE_LOOP_HOST_WAY_H
#define HEDDLE_LOOP_HOST_WAY_H

#include "host_team.h"

enum { HEDDLE__WAY_MAPS = 6 };

struct heddle__way_times {
    float each;  /* seconds of the whole loop, for one iteration */
    float work;  /* ... of all threads together */
    float since; /* seconds that such loops have taken since this was tried last */
    float cost;  /* ... of that trial, beyond what the other one takes, for one iteration */
    int runs;
};

struct heddle__host_way { /* of one loop, by about its length */
    const struct heddle_loop_type *type;
    const char *schedule;
    uint64_t mark; /* of decisions that it was made under */
    unsigned kind; /* heddle_loop_case */
    int device, size;
    int allowed, threads;           /* as OpenMP says, and as many as there are */
    bool valid, equal;              /* equal parts, by all threads: that was asked for */
    bool early;                     /* until devices have started */
    int left;                       /* calls that the host was chosen for; < 0: nobody else can run them */
    unsigned char sampled;          /* calls since its threads' times were looked at */
    bool even;                      /* ... when each had run about as many iterations */
    double spent;                   /* seconds of such calls that the loop's record does not know of */
    struct heddle__device_set set;  /* ... by which it was chosen */
    int looks, alone;               /* at all threads beside a faster one; calls since the last of them */
    int trial;                      /* calls that all threads are to run now, the last of which counts */
    struct heddle__way_times by[2]; /* one thread, all */
    struct {                        /* where arrays lay that were found apart */
        const void *base;
        ptrdiff_t first;
        size_t bytes;
        ptrdiff_t all_first; /* ... with what is between those of any chunk */
        size_t all_bytes;
    } apart[HEDDLE__WAY_MAPS];
};

/* Of the calling thread: the place for its ways, and what they are chosen by. */
HEDDLE_HIDDEN void heddle__host_way_prepare(void);
/* The place for a loop's way, valid or to be made; NULL: what is asked for is none of the two. */
HEDDLE_HIDDEN HEDDLE__FIRST struct heddle__host_way *heddle__host_way(const struct heddle_loop *l, long n);
/* Is it valid, or has the loop no code for devices, and is nothing asked for that needs more than OpenMP's team? Then
   it is made, and neither devices nor learnt costs are looked at. */
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__host_way_known(struct heddle__host_way *w, const struct heddle_loop *l);
/* Only the host can run it, by what holds until the mark changes; engine: has just found out who takes part. */
HEDDLE_HIDDEN void heddle__host_way_make(struct heddle__host_way *w, const struct heddle__engine *e);
/* The host was chosen, one thread or all, for so many calls more. */
HEDDLE_HIDDEN void heddle__host_way_lend(struct heddle__host_way *w, const struct heddle__engine *e, int calls);
/* Devices could run it, and have not started: the host is to until then. False: more is asked for. */
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__host_way_early(struct heddle__host_way *w, const struct heddle_loop *l);
HEDDLE_HIDDEN double
heddle__host_way_each(const struct heddle__host_way *w); /* seconds of an iteration; 0: not known */
/* By one thread or all, from `start` on (heddle__now()); False: nothing was run, since this call is another
   case after all. Else seconds are in the thread's report. */
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__host_way_run(struct heddle__host_way *w, const struct heddle_loop *l, long n,
                                                      double start);

#endif
