/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regions.h - `heddle sim regions`, inside: a program of target regions, and a run of it under one policy. Threads
 * issue regions one after the other; a place runs one at a time; data is at one place.
 */
#ifndef HEDDLE_SIM_REGIONS_H
#define HEDDLE_SIM_REGIONS_H

#include "sim.h"

#include <heddle/policy.h>

enum { KINDS = 256, PLACES_MOST = 16, THREADS = 64 };

struct kind { /* regions of one code and one size */
    char name[80];
    double n, bytes, move[PLACES_MOST]; /* move: bringing its data there */
    double time[PLACES_MOST];           /* seconds; < 0: it never ran there */
};
struct event {              /* a region that was recorded */
    int kind, thread, data; /* data: a number; -1: none is mapped */
    double think;           /* seconds since the thread's region before it was over */
    double bytes, took;     /* of the data; seconds where it ran */
    int place;              /* where that was */
    unsigned allowed;       /* places */
};
struct program {
    struct kind kind[KINDS];
    int kinds, places, class[PLACES_MOST], device[PLACES_MOST]; /* device -1: the host */
    char place_name[PLACES_MOST][64];
    long threads, count;
    double noise;
    uint64_t seed;
    /* recorded: instead of `count` random regions for each thread */
    struct event *event;
    long events;
    int datas;
    double recorded;                                /* seconds from the first region to the end of the last */
    double latency[PLACES_MOST], rate[PLACES_MOST]; /* of moves to a place: seconds, seconds per byte */
};
struct measured {
    double sum;
    unsigned runs;
};
struct thread {
    double free_at;
    int kind, place; /* of the region it waits for; place < 0: none */
    long next;       /* its next event */
};
struct world {
    const struct program *p;
    struct measured known[KINDS][PLACES_MOST]; /* by class */
    double free_at[PLACES_MOST];
    int *at; /* place of each kind's data, or of each data that was recorded */
    unsigned long runs[KINDS], count[PLACES_MOST];
    struct thread thread[THREADS];
    double busy[PLACES_MOST], moved;
};

/* The k-th policy of the library; NULL behind the last one. */
const struct heddle_policy *sim_regions_policy(int k);
/* One policy over the program. NULL: each region where it ran when it was recorded. Seconds. */
double sim_regions_play(const struct program *p, const struct heddle_policy *policy, struct world *w);
/* No policy can take less. Seconds. */
double sim_regions_bound(const struct program *p);

/* regions_recorded.c: a file of HEDDLE_RECORD. Whatever is wrong ends the program with a message. */
void sim_regions_read(struct program *p, const char *path);

#endif
