/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that are on a device whole while a loop runs: resident.c. */
#ifndef HEDDLE_TRANSFER_RESIDENT_H
#define HEDDLE_TRANSFER_RESIDENT_H
#include "core/internal.h"
#include <pthread.h>
#include <sched.h>

struct heddle__broadcast;

/* The devices that bring the same arrays at about the same time. */
struct heddle__resident_group {
    pthread_mutex_t *lock;
    const cpu_set_t *cores; /* of copy workers */
    const int *device;      /* numbers */
    int devices, arrays;
    int seat;                             /* whose memory it is */
    struct heddle__broadcast **broadcast; /* of each array; NULL: none yet, or one device; under the lock */
};

/* One of them. */
struct heddle__resident {
    struct heddle__resident_group *group;
    int number; /* in the group */
    char *env;  /* gets the arrays' device pointers */
    /* Others do this device's work, and maybe have its memory: a thread that comes back from a driver late touches
       nothing. */
    bool (*is_given_up)(void *with);
    void *with;
    bool *mapped; /* [n]: what is there already is referred to once more; NULL: nothing is yet */
};

/* Brings the arrays of `maps`. HEDDLE_ETIMEDOUT: given up meanwhile. */
HEDDLE_HIDDEN int heddle__resident_enter(struct heddle__resident *r, const struct heddle_map *maps, int n);
/* When no device copies any more. */
HEDDLE_HIDDEN void heddle__resident_leave(struct heddle__resident *r, const struct heddle_map *maps, int n);
HEDDLE_HIDDEN void heddle__resident_free(struct heddle__resident_group *g);
#endif
