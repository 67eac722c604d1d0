/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heddle/loop.h - write your own schedule for `#pragma heddle for`
 * ================================================================
 *
 * A loop over every device is dealt out in chunks of consecutive iterations. A schedule decides which chunk a device
 * gets next; it is a few functions over numbers and never sees the devices themselves. The engine calls them for real
 * devices, the simulator (`heddle sim`) for described ones; both call one at a time, so a schedule needs no locks.
 *
 *     start   at the loop's beginning: what is known of the loop and of the devices
 *     next    a device can take (or, with prefetching, will soon be able to take) another chunk
 *     done    a chunk is finished, with its times
 *     stop    after the last chunk
 *
 * `problem` and all it points to stay as they are until `stop`. Every iteration has to be given out exactly once. The
 * engine checks it: what a schedule forgot is run on the host with a line on stderr, what it gives twice is refused. A
 * schedule of your own can be tried with `heddle sim loop --schedule=./mine.so`: a shared object with a `struct
 * heddle_loop_policy` called `heddle_loop_policy`.
 */
#ifndef HEDDLE_LOOP_H
#define HEDDLE_LOOP_H

#include <stdbool.h>

#define HEDDLE_LOOP_VERSION 1

/* Iterations first … first + count - 1 of 0 … n - 1. */
struct heddle_loop_chunk {
    long first, count;
};

/* What a class of identical devices took for a chunk somewhere in the iteration space, in this or an earlier run. */
struct heddle_loop_sample {
    struct heddle_loop_chunk chunk;
    long n;         /* of the loop it was measured in: positions in loops of other lengths are compared relative to n */
    double compute; /* seconds, all iterations of the chunk */
    double move;    /* seconds of its transfers that computing did not hide */
};

struct heddle_loop_device {
    int device;   /* OpenMP number; -1: a thread of the host */
    int class;    /* devices of one class are identical and share samples; 0 … classes - 1 */
    double setup; /* seconds that a chunk costs whatever its size (launch, latency of transfers); 0: not known */
    double rate;  /* iterations a second by earlier runs, transfers included; 0: not known */
    double ready; /* seconds that its first chunk waits for data that every chunk needs; 0: not known */
    long grain;   /* fewer iterations leave a part of it idle (a GPU's threads); 1: any number is fine */
    long most;    /* more iterations do not fit into its memory; 0: no limit */
};

struct heddle_loop_problem {
    long n;     /* iterations */
    long chunk; /* argument of the clause: schedule(name, chunk); 0: none given */
    int devices, classes;
    const struct heddle_loop_device *device;
    int samples; /* of earlier runs of this loop on this machine, oldest first */
    const struct heddle_loop_sample *sample;
    const int *sample_class;
    int ahead;           /* chunks a device may hold at once (transfers of one overlap computing of the other) */
    const double *split; /* schedule static without a chunk: part d is [split[d], split[d + 1]) of n, split[0] = 0,
                          split[devices] = 1; NULL: equal parts */
};

enum heddle_loop_answer {
    HEDDLE_LOOP_DONE,  /* nothing more for this device, unless another one is lost: then all that are left are asked
                          again */
    HEDDLE_LOOP_CHUNK, /* *chunk is for it */
    HEDDLE_LOOP_WAIT   /* ask again when any chunk was given out or is done. When no chunk is under way, some device has
                          to be   given one */
};

struct heddle_loop_policy {
    int version;                                               /* HEDDLE_LOOP_VERSION */
    const char *name, *help, *source;                          /* source: where the algorithm is published, or "" */
    void *(*start)(const struct heddle_loop_problem *problem); /* NULL: out of memory; the loop then runs on the host */
    /* `now`: seconds since the loop began. */
    enum heddle_loop_answer (*next)(void *state, int device, double now, struct heddle_loop_chunk *chunk);
    /* (optional) `device` ended the chunk at `now`. Several chunks of one device may end in any order. */
    void (*done)(void *state, int device, double now, const struct heddle_loop_sample *measured);
    /* (optional) The device is gone: what it held and did not finish comes back and has to be given out again. */
    void (*lost)(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks);
    void (*stop)(void *state);
};

#endif
