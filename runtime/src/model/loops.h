/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loops.h - what is known of each loop over every device: what chunks took, what the whole loop took sets of devices,
 * where it was split into parts, and who was chosen. Kept by the loop's file and line and by the names of devices,
 * which say what the machine is; in memory while the program runs, in its file of models between runs.
 */
#ifndef HEDDLE_MODEL_LOOPS_H
#define HEDDLE_MODEL_LOOPS_H

#include "table.h"

enum {
    HEDDLE__LOOP_NAME = 256,
    HEDDLE__LOOP_CLASSES = 16, /* of devices, of one loop */
    HEDDLE__LOOP_SETS = 96,
    HEDDLE__LOOP_LATEST = 3, /* runs of a set that are remembered */
    HEDDLE__LOOP_CHOICES = 8,
    HEDDLE__SPLIT_PARTS = 16
};

/* Who shares a loop: a bit for each class of devices, by its number in the loop's record. */
struct heddle__device_set {
    enum heddle__set_form form;
    unsigned classes;
};

struct heddle__set_times { /* of the whole loop, by one set */
    struct heddle__device_set set;
    int size; /* of the loop: 2^size iterations or up to twice as many */
    long n[HEDDLE__LOOP_LATEST];
    double seconds[HEDDLE__LOOP_LATEST];
    int runs;
    double least; /* of jobs, in this process: the shortest run, as it has aged, and its n */
    long least_n;
    double since; /* seconds that loops of this size have taken since it ran last, or was thought of first */
    double split[HEDDLE__SPLIT_PARTS + 1]; /* shares of the iterations, for its next run, of so many parts */
    int parts;
};

/* Who takes part in a loop, without a look at what is known of all. */
enum heddle__choice_form {
    HEDDLE__CHOICE_OPEN, /* that is still to be looked at */
    HEDDLE__CHOICE_DEVICES,
    HEDDLE__CHOICE_ONE_THREAD,
    HEDDLE__CHOICE_HOST
};
struct heddle__choice {
    enum heddle__choice_form form;
    uint64_t devices; /* by number, in equal parts */
};

struct heddle__cached_choice { /* of one length, in this process */
    struct heddle__choice choice;
    int size, runs, left;           /* for so many runs, of which so many are left */
    char device[HEDDLE__LOOP_NAME]; /* HEDDLE_DEVICE then */
    struct heddle__device_set set;
};

struct heddle__record { /* one loop */
    char loop[HEDDLE__LOOP_NAME];
    char class[HEDDLE__LOOP_CLASSES][HEDDLE__LOOP_NAME];
    double rate[HEDDLE__LOOP_CLASSES], setup[HEDDLE__LOOP_CLASSES]; /* as last in this process; 0: not known */
    double ready[HEDDLE__LOOP_CLASSES];                             /* until data that every chunk needs was there */
    int classes;
    struct heddle_loop_sample *sample;
    int *of;            /* class of each */
    int count, thinned; /* samples, and how many there were when those that say nothing new went */
    bool own;           /* ran in this process */
    int runs;           /* ... so often */
    uint64_t warm;      /* devices that took part in it, by number; the host's bit is the highest */
    struct heddle__set_times set[HEDDLE__LOOP_SETS];
    int sets;
    struct heddle__cached_choice choice[HEDDLE__LOOP_CHOICES];
    int choices;
};

/* All that follows with the lock held. Records stay where they are. */
MODEL_HIDDEN void heddle__loops_lock(void);
MODEL_HIDDEN void heddle__loops_unlock(void);
/* The file is read before the first one is looked up. NULL: it is not known, and `make` is false or there is no room */
MODEL_HIDDEN struct heddle__record *heddle__record_find(const char *loop, bool make);
/* The number of a class in the record, which it gets now if it has none; -1: no room. */
MODEL_HIDDEN int heddle__record_class(struct heddle__record *r, const char *name);
MODEL_HIDDEN void heddle__record_add(struct heddle__record *r, int class, const struct heddle_loop_sample *s);
MODEL_HIDDEN struct heddle__set_times *heddle__record_set(struct heddle__record *r, struct heddle__device_set set,
                                                          long n, bool make);
MODEL_HIDDEN void heddle__set_add(struct heddle__set_times *t, long n, double seconds);
/* A loop of n iterations took so long, by that set: the other sets have waited so much longer. */
MODEL_HIDDEN void heddle__record_age(struct heddle__record *r, struct heddle__device_set set, long n, double seconds);
MODEL_HIDDEN struct heddle__cached_choice *heddle__record_choice(struct heddle__record *r, const char *device, long n,
                                                                 bool make);

#endif
