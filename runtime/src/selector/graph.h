/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs of an unmodified program's tasks, and the policies of heddle/graph.h that deal them to devices. What a program
 * submits between two points where it waits for all of it is an iteration. It is recorded; while the next one is the
 * same, task by task, its regions wait in their owners' queues until a device is idle. Otherwise it is recorded again.
 */
#ifndef HEDDLE_SELECT_GRAPH_H
#define HEDDLE_SELECT_GRAPH_H

#include "selector.h"
#include "tasks.h"
#include <heddle/graph.h>

/* ---- graph_record.c: what was submitted, and the graph of it ------------------------------------------------------
 */
struct graph_node {     /* a task */
    uint64_t signature; /* of its function and items */
    int item, items;
    int regions;       /* target regions that it ran */
    place_set allowed; /* where the last of them could have run */
    int place;         /* where it ran */
    double seconds;    /* alone; < 0: not measured */
};
struct recording {
    struct graph_node *node;
    struct heddle__range *item;
    int nodes, items, node_room, item_room;
};
/* Appends a task: its number; -1: out of memory. */
HEDDLE_HIDDEN int heddle__recording_add(struct recording *r, const struct task *t);

struct recorded_graph {
    struct heddle_graph graph;
    int nodes, *task; /* [node] its task in the graph; -1: it is none */
    struct heddle_graph_task *tasks;
    struct heddle_graph_data *data;
    struct heddle_graph_access *access;
    int *before, *owner, *first_neighbour;
    double *time;
    struct heddle_graph_neighbour *neighbour;
};
/* Of the tasks that ran one region which may run on all of `units`. unit: [place]. False: out of memory. */
HEDDLE_HIDDEN bool heddle__recorded_make(struct recorded_graph *g, const struct recording *r,
                                         const struct heddle_graph_machine *m, place_set units, const int *unit);
HEDDLE_HIDDEN void heddle__recorded_free(struct recorded_graph *g);

/* ---- graph.c; lock held for all but the last ------------------------------------------------------------------------
 */
HEDDLE_HIDDEN void heddle__iteration_submit(struct task *t);
HEDDLE_HIDDEN void heddle__iteration_end(const struct task *t); /* libomp's task is done */
/* A region of the calling task is ready: waits for a device, and sets the sample's graph_ members. Gives the lock back
   meanwhile. */
HEDDLE_HIDDEN void heddle__iteration_wait(struct sample *s);
HEDDLE_HIDDEN void heddle__iteration_done(const struct sample *s, place_set could);
HEDDLE_HIDDEN void heddle__iteration_explain(void);
HEDDLE_HIDDEN void heddle__iteration_stop(void);
HEDDLE_HIDDEN void heddle__iteration_forget(void); /* in the child of a fork */
/* The calling thread has waited for the tasks that it made. Takes the lock. */
HEDDLE_HIDDEN void heddle__iteration_synced(void);

#endif
