/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What translated code tells the runtime of `#pragma heddle graph`: for each task construct a function that runs it on
 * a thread of the host, and one for devices if it is a target region; for each task that is made what it accesses, and
 * the values of the variables that it captures. Nobody includes this by hand.
 */
#ifndef HEDDLE_GRAPH_CALL_H
#define HEDDLE_GRAPH_CALL_H

#include <heddle/engine/nest.h>
#include <heddle/engine/device/launch.h>

enum {
    HEDDLE_GRAPH_READ = 1,
    HEDDLE_GRAPH_WRITE = 2,
    HEDDLE_GRAPH_DATA = 4, /* the task works with these bytes: they have to be valid where it runs */
    HEDDLE_GRAPH_HERE = 8  /* ... on the host, wherever it runs: a scalar that is mapped. A device's function gets, and
                              changes, a copy */
};

/* A depend or map item. Tasks are ordered where the bytes of items overlap and one of them is written. */
struct heddle_graph_item {
    const void *begin;
    size_t bytes;
    int flags; /* HEDDLE_GRAPH_* */
    int slot;  /* offset in the environment of the pointer through which they are reached; -1: none */
};

/* A task construct; static const in the translated file. */
struct heddle_graph_type {
    struct heddle_site site;
    size_t env_bytes;
    void (*host)(const void *env);
    /* With pointers of that device in `env`; returns when it is done. NULL: the task is the host's. */
    void (*device)(const void *env, int device);
    const char *open; /* of a task of the host: a variable through which it reaches memory that no item names; or NULL
                       */
};

/* One execution of the block. Filled in by translated code; `engine` is the runtime's. */
struct heddle_graph_call {
    const struct heddle_site *site;
    const char *schedule; /* NULL: the default */
    double parameter[4];  /* 0: none */
    int device;           /* HEDDLE_DEVICE_AUTO, _ALL, _HOST or a device number */
    /* Clause map: what the host does not touch between the tasks of the block. Without WRITE it need not come back at
       its end either. */
    const struct heddle_graph_item *held;
    int nheld;
    void *engine;
};

#pragma GCC visibility push(default)
void heddle_graph_begin(struct heddle_graph_call *call);
/* Tasks in the program's order. The environment and the items are copied. */
void heddle_graph_task(struct heddle_graph_call *call, const struct heddle_graph_type *type, const void *env,
                       const struct heddle_graph_item *items, int nitems);
void heddle_graph_wait(struct heddle_graph_call *call); /* taskwait */
void heddle_graph_end(struct heddle_graph_call *call);
#pragma GCC visibility pop

/* A kernel's host version: the device did not take the launch. */
#if HEDDLE_ON_GPU
#define HEDDLE_GRAPH_ELSEWHERE 0
#else
#define HEDDLE_GRAPH_ELSEWHERE (heddle_is_host() && (heddle_note_fallback(), 1))
#endif
#endif
