/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heddle/graph.h - write your own policy for `#pragma heddle graph`
 * =================================================================
 *
 * A program repeats a graph of tasks, iteration after iteration, and the graph changes now and then. A partition is an
 * ordered list of tasks that belong together (those of one object); a task reads and writes data. A policy decides
 * which unit - a device, or a thread of the host - runs which task; it is a few functions over numbers and never sees
 * a device, a clock or a file. The engine calls them for real units, the simulator (`heddle sim graph`) for described
 * ones; both call one at a time, so a policy needs no locks.
 *
 *     start    at the beginning: what is known of the machine
 *     change   before the first iteration, and whenever the graph became another
 *     begin    (optional) an iteration begins; no task of it has run
 *     ready    the last task that a task waits for has ended
 *     next     a unit has nothing to do: the task that it runs now, or none
 *     done     a task has ended, with its time
 *     lost     a unit is gone for good
 *     report   (optional) what the policy has done, for people
 *     stop     after the last iteration
 *
 * Order of the calls in an iteration: `begin`, then `ready` for every task that waits for nothing, then `next`, `done`
 * and `ready` as they come; `ready` for what waited for a task follows its `done`. A unit that got no task is asked
 * again when one has ended or became ready, and when `again` seconds have passed. When a unit is lost, `lost` is
 * called, then `ready` once more for the task that it ran. When data is lost with it, the engine gives the iteration
 * up and repeats it: `begin` of the same iteration; or it makes the data again, and then `ready` is called once more
 * for the tasks that were given and could not run without it. The engine starts a policy for each graph that it keeps,
 * and anew with fewer or more threads where its tasks are short or long: the old state is stopped then.
 *
 * The engine checks what a policy does: a task that is not ready, or cannot run on the unit, is refused with a message.
 * When all units are idle and no policy gives a task, the first ready task goes to the first unit that can run it. A
 * policy of your own is a shared object with a `struct heddle_graph_policy` called `heddle_graph_policy`; try it with
 * `heddle sim graph --policy=./mine.so`.
 */
#ifndef HEDDLE_GRAPH_H
#define HEDDLE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#define HEDDLE_GRAPH_VERSION 1

enum { HEDDLE_GRAPH_PARAMETERS = 4 };

struct heddle_graph_unit {
    int device; /* OpenMP number; -1: a thread of the host */
    int class;  /* units of one class are as fast as each other; 0 … classes - 1 */
    int memory; /* units with the same number see the same memory: nothing moves between them; 0 … memories - 1 */
};

/* Stays until `stop`. */
struct heddle_graph_machine {
    int units, classes, memories;
    const struct heddle_graph_unit *unit;
    /* A copy of n bytes between memories takes latency + n * byte seconds: [from * memories + to]. */
    const double *latency, *byte;
    double parameter[HEDDLE_GRAPH_PARAMETERS]; /* arguments of the clause: schedule(name, 1, 0.1); 0: none given */
    uint64_t seed;                             /* of random choices */
};

struct heddle_graph_data {
    double bytes;
    int partition; /* whose state it is: of the tasks that write it most; -1: nobody's */
};
struct heddle_graph_access {
    int data;
    bool reads, writes;
};
/* Tasks are in the program's order: a task waits for earlier ones only. */
struct heddle_graph_task {
    int partition;
    int access, accesses; /* of graph.access: the first, and how many */
    int before, befores;  /* of graph.before: tasks that must have ended */
};
struct heddle_graph_neighbour {
    int partition;
    double bytes; /* that one of them reads and the other writes, in an iteration */
};

/* Stays until the next `change` has returned, or `stop`. The times in it become better known with each iteration. */
struct heddle_graph {
    int tasks, partitions, datas;
    const struct heddle_graph_task *task;
    const struct heddle_graph_data *data;
    const struct heddle_graph_access *access;
    const int *before;
    /* Seconds, without copies: [task * classes + class]; 0: not known yet; < 0: it cannot run there. */
    const double *time;
    /* Where the data of a partition is valid now: a unit; -1: the host, or nowhere in particular. */
    const int *owner; /* [partition] */
    /* Of partition p: neighbour[first_neighbour[p]] … neighbour[first_neighbour[p + 1] - 1]. */
    const int *first_neighbour;
    const struct heddle_graph_neighbour *neighbour;
};

struct heddle_graph_answer {
    int task;     /* -1: none */
    double again; /* where there is none: seconds after which to ask again at the latest; 0: when something happened */
};

struct heddle_graph_report {
    const char *partitioner; /* who mapped partitions to units, and why nobody better did; NULL: nobody */
    long mappings;           /* how often */
    long steals, failed;     /* partitions that changed their unit; units that found none to steal */
    double threshold;        /* of CPU time / GPU time; 0: the policy has none */
};

struct heddle_graph_policy {
    int version;                                                   /* HEDDLE_GRAPH_VERSION */
    const char *name, *help, *source;                              /* source: where it is published, or "" */
    void *(*start)(const struct heddle_graph_machine *machine);    /* NULL: out of memory */
    bool (*change)(void *state, const struct heddle_graph *graph); /* false: out of memory */
    void (*begin)(void *state, long iteration);                    /* NULL: not told; counted from the first, 0 */
    void (*ready)(void *state, int task);
    void (*next)(void *state, int unit, struct heddle_graph_answer *answer); /* preset to none */
    void (*done)(void *state, int task, int unit, double seconds);           /* without copies */
    void (*lost)(void *state, int unit);
    void (*report)(void *state, struct heddle_graph_report *report); /* NULL: nothing to tell; preset to zeros */
    void (*stop)(void *state);
};

#endif
