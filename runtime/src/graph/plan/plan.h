/* SPDX-License-Identifier: Apache-2.0 */
/* What policies for graphs, the engine and the simulator compute alike. Pure functions over numbers. */
#ifndef HEDDLE_GRAPH_PLAN_H
#define HEDDLE_GRAPH_PLAN_H

#include <heddle/graph.h>

#pragma GCC visibility push(hidden)

/* ---- index.c: neighbours ----------------------------------------------------------------------------------------- */

/* Fills first_neighbour and neighbour from tasks and data; both are for free(). False: out of memory. */
bool heddle__graph_index(struct heddle_graph *g, int **first, struct heddle_graph_neighbour **neighbour);

/* ---- times.c ----------------------------------------------------------------------------------------------------- */

bool heddle__graph_can(const struct heddle_graph_machine *m, const struct heddle_graph *g, int task, int unit);
/* Expected seconds of a task on a class: as measured, otherwise as on another class, otherwise `unknown`. < 0: it
   cannot run there. */
double heddle__graph_time(const struct heddle_graph_machine *m, const struct heddle_graph *g, int task, int class,
                          double unknown);
/* What is not measured is taken for that: the mean of what is; 1: nothing is. */
double heddle__graph_unknown(const struct heddle_graph_machine *m, const struct heddle_graph *g);
/* [partition * classes + class] of all its tasks; < 0: it cannot run there. Of a partition whose tasks no class can run
   all: of those that it can. False: out of memory. */
bool heddle__graph_add_times(const struct heddle_graph_machine *m, const struct heddle_graph *g, double unknown,
                             double *all);
/* The same, for free(); NULL: out of memory. */
double *heddle__graph_partition_times(const struct heddle_graph_machine *m, const struct heddle_graph *g);

/* ---- queues.c: every unit has a list of the partitions whose next task is ready ---------------------------------- */

enum { HEDDLE__GRAPH_NOBODY = -1 };

struct heddle__graph_queues {
    const struct heddle_graph_machine *m;
    const struct heddle_graph *g;
    int *first_task, *task; /* of partition p: task[first_task[p]] … in their order */
    int *at;                /* [partition] of them, the next */
    char *ready, *listed, *runs;
    int *owner;       /* [partition] whose list it stands in, or will: a unit */
    int *list;        /* [partition] the list that it stands in */
    int *prev, *next; /* [partition] in a list; -1: the end */
    int *head, *tail; /* [unit + 3]; the last are of partitions whose next task their owner cannot run */
    int *alone;       /* [unit + 3] in it, the first of those that nobody else waits for; -1: none */
    bool *gone;       /* [unit] */
    int units;        /* that are left */
};
struct heddle__graph_queues *heddle__graph_queues_make(const struct heddle_graph_machine *m);
void heddle__graph_queues_free(struct heddle__graph_queues *q);
/* Another graph: all owners are HEDDLE__GRAPH_NOBODY, and the caller sets them. */
bool heddle__graph_queues_change(struct heddle__graph_queues *q, const struct heddle_graph *g);
void heddle__graph_queues_begin(struct heddle__graph_queues *q);
void heddle__graph_queues_ready(struct heddle__graph_queues *q, int task);
/* The next task of a partition that stands in a list: it leaves the list, and belongs to `unit` from now on, if so. */
int heddle__graph_queues_take(struct heddle__graph_queues *q, int partition, int unit, bool own);
void heddle__graph_queues_done(struct heddle__graph_queues *q, int task);
/* The first of a unit's list, otherwise one that its owner cannot run but `unit` can; -1: none. */
int heddle__graph_queues_own(const struct heddle__graph_queues *q, int unit);
/* Its partitions go to those that are left, in turn. */
void heddle__graph_queues_lost(struct heddle__graph_queues *q, int unit);
/* In a task's list, does `unit` run the next task? */
bool heddle__graph_queues_can(const struct heddle__graph_queues *q, int partition, int unit);

/* ---- partition.c, metis.c, walk.c: partitions to units ----------------------------------------------------------- */

/* A weighted graph whose vertices shall be dealt to parts. */
struct heddle__graph_weights {
    int vertices, parts;
    int *first, *to, *shared; /* edges, both ways, and their weights */
    int *weight;              /* of a vertex */
    float *share;             /* of a part: of all weight; 1 in sum */
};
/* NULL: `part` is filled; otherwise why it is not. */
const char *heddle__graph_metis(const struct heddle__graph_weights *w, int *part);
/* Breadth first through the graph, cut where a part has its share. */
bool heddle__graph_walk(const struct heddle__graph_weights *w, int *part);
/* Sets owner[partition] so that units end together and little is copied; units that are gone get none. Returns who did
   it; NULL: out of memory. */
const char *heddle__graph_partition(const struct heddle_graph_machine *m, const struct heddle_graph *g,
                                    const bool *gone, int *owner);

/* ---- refine.c: better, step by step ------------------------------------------------------------------------------ */

/* Moves partitions where the largest load falls by more than a part of it: true. */
bool heddle__graph_refine(const struct heddle_graph_machine *m, const struct heddle_graph *g, const bool *gone,
                          double worth, int *owner);

/* ---- owners.c: queues whose owners are mapped, and mapped again when times are known ----------------------------- */

struct heddle__graph_owners {
    struct heddle__graph_queues *q;
    bool due;     /* mapped without times */
    int warms_up; /* iterations until it is mapped by times without those of the first one */
    bool refines; /* what is mapped is refined, also later, after 1, 2, 4 … iterations */
    long iteration, again;
    double looks; /* for others' tasks that may fail from now on */
    int *home;    /* [partition] if so: the owner as mapped */
    struct heddle_graph_report report;
};
struct heddle__graph_owners *heddle__graph_owners_make(const struct heddle_graph_machine *m);
void heddle__graph_owners_free(struct heddle__graph_owners *o);
bool heddle__graph_owners_change(struct heddle__graph_owners *o, const struct heddle_graph *g);
/* May a unit look for a task of others? All wait while it looks, so looks that fail have a small part of the tasks'
 * time. `fails`: it found none. */
bool heddle__graph_owners_may_look(const struct heddle__graph_owners *o);
void heddle__graph_owners_fails(struct heddle__graph_owners *o);
void heddle__graph_owners_begin(struct heddle__graph_owners *o);

/* A policy's members that only call the queues; state: struct heddle__graph_owners. */
void *heddle__graph_start(const struct heddle_graph_machine *m);
bool heddle__graph_change(void *state, const struct heddle_graph *g);
void heddle__graph_begin(void *state, long iteration);
void heddle__graph_ready(void *state, int task);
void heddle__graph_done(void *state, int task, int unit, double seconds);
void heddle__graph_lost(void *state, int unit);
void heddle__graph_report(void *state, struct heddle_graph_report *report);
void heddle__graph_stop(void *state);

/* Other units in a random order, one after the other: first with *turn = 0; -1: no more. */
int heddle__graph_victim(const struct heddle__graph_queues *q, uint64_t *random, int unit, int *turn, int *begin);

#pragma GCC visibility pop
#endif
