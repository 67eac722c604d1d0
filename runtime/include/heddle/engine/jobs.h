/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What translated code tells the runtime of `#pragma heddle jobs`: its lists, and for each list with a loop that loop,
 * whose iterations are the jobs. Nobody includes this by hand.
 *
 * A loop of jobs is a heddle_loop_type whose loop variable is the address of a record: a batch of `count` records at
 * `at` is run with lo = at and step = the record's size. The pointers to lists in its environment are set to lists of
 * the thread or device that runs the batch.
 */
#ifndef HEDDLE_JOBS_CALL_H
#define HEDDLE_JOBS_CALL_H

#include <heddle/engine/loop.h>

/* How every list begins: heddle/list.h. Room below 0: it is shared by threads, for -1 - room elements. */
struct heddle_jobs_any_list {
    long count, room;
    void *at;
};

struct heddle_jobs_list {
    void *list;
    size_t record; /* bytes of an element */
    const char *name;
};

struct heddle_jobs_output { /* a list to which a loop appends */
    int list;
    size_t slot; /* of the pointer to it in the loop's environment */
};

struct heddle_jobs_type { /* a loop, and with it a type of job */
    const struct heddle_loop_type *loop;
    void *env, *red;
    struct heddle_map *maps;
    int nmaps;
    int list; /* of the jobs */
    const struct heddle_jobs_output *outputs;
    int noutputs;
    struct heddle_jobs_type *before; /* the loop before it; NULL: it is the first */
};

/* One execution. Filled in by translated code, changed by nobody else. */
struct heddle_jobs_call {
    int line;
    struct heddle_jobs_list *lists;
    int nlists;
    struct heddle_jobs_type *types; /* the last one */
    const char *schedule;           /* NULL: the default */
    double parameter;               /* 0: none */
    int device;                     /* HEDDLE_DEVICE_AUTO, _ALL, _HOST or a device number */
};

#pragma GCC visibility push(default)
/* 0: all lists with a loop are empty, the others have what was appended, reductions are in place. Nonzero: nothing was
   changed, run the loops serially. */
int heddle_jobs_run(struct heddle_jobs_call *call);
#pragma GCC visibility pop
#endif
