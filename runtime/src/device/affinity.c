/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cores for the threads that drive GPUs. They sleep most of the time and have to run at once when a kernel is done;
 * beside a computing thread on every core they wait for a time slice instead, and the GPU stands still (measured: half
 * its speed in launches of a millisecond). So two cores for each GPU are kept free of computing threads where there are
 * enough.
 */
#include "threads.h"
#include <string.h>

enum { CORES = 2 /* of a GPU */, ENOUGH = 8 /* cores for each, or one of four is kept */, HARDLY = 4 };

static _Thread_local bool narrowed;

int heddle__cores_share(struct heddle__cores *c, int gpus) {
    const int threads = heddle__host_threads();
    char asked[HEDDLE__OPTION_MAX];
    heddle__option_read("threads", asked, sizeof asked);
    c->split = false;
    if (sched_getaffinity(0, sizeof c->all, &c->all))
        return threads;
    const int cores = CPU_COUNT(&c->all);
    int keep = cores >= ENOUGH * gpus ? CORES * gpus : cores >= HARDLY * gpus ? gpus : 0;
    if (strcmp(asked, "0") != 0 || !keep || threads + keep <= cores)
        return threads;
    c->host = c->all;
    CPU_ZERO(&c->device);
    for (int cpu = CPU_SETSIZE - 1, left = keep; cpu >= 0 && left; cpu--)
        if (CPU_ISSET(cpu, &c->all)) {
            CPU_CLR(cpu, &c->host);
            CPU_SET(cpu, &c->device);
            left--;
        }
    c->split = true;
    return cores - keep;
}

void heddle__cores_use(const struct heddle__cores *c, bool device) {
    if (c->split)
        narrowed = !sched_setaffinity(0, sizeof c->all, device ? &c->device : &c->host) || narrowed;
    else
        heddle__cores_leave(c);
}

void heddle__cores_leave(const struct heddle__cores *c) {
    if (narrowed && CPU_COUNT(&c->all))
        narrowed = sched_setaffinity(0, sizeof c->all, &c->all) != 0;
}
