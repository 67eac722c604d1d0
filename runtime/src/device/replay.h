/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches on one device that are recorded once and run as one, again and again: on a GPU as a CUDA graph, whose
 * kernels follow each other without the host. A launch is a function of emitted code, called while it is recorded: its
 * kernel goes into the graph and does not run. One thread at a time uses a replay.
 */
#ifndef HEDDLE_DEVICE_REPLAY_H
#define HEDDLE_DEVICE_REPLAY_H

#include "device.h"

typedef void heddle__launch(const void *env, int device);
struct heddle__replay_call { /* env: `bytes` of it are kept where there is no graph */
    heddle__launch *launch;
    const void *env;
    size_t bytes;
};
struct heddle__replay;

/* NULL: the device has no graphs, or there is no memory. `lists`: then a list of calls does, which saves nothing: for
   tests. */
HEDDLE_HIDDEN struct heddle__replay *heddle__replay_new(int device, bool lists);
/* Its next one, numbered from 0, behind those `before`. False: it cannot be recorded. That is so where anything else
   than one launch is done whose arguments are values, such as a copy before it. */
HEDDLE_HIDDEN bool heddle__replay_add(struct heddle__replay *r, const struct heddle__replay_call *call,
                                      const int *before, int befores);
HEDDLE_HIDDEN bool heddle__replay_ready(struct heddle__replay *r); /* all are there */
/* The same launch with other values. */
HEDDLE_HIDDEN bool heddle__replay_change(struct heddle__replay *r, int number, const struct heddle__replay_call *call);
/* Runs it and waits; *begun: some of it may have run. HEDDLE_ETIMEDOUT: it may still run. */
HEDDLE_HIDDEN int heddle__replay_run(struct heddle__replay *r, double timeout, bool *begun);
HEDDLE_HIDDEN void heddle__replay_free(struct heddle__replay *r);

/* For the hook of launches: is this thread's recorded? `values`: its arguments are values. False: it is not to be made.
 */
HEDDLE_HIDDEN bool heddle__replay_records(void);
HEDDLE_HIDDEN bool heddle__replay_takes(bool values);

/* cuda_graph.c. A node of another function than before cannot be changed. */
struct heddle__cuda_graph;
HEDDLE_HIDDEN struct heddle__cuda_graph *heddle__cuda_graph_new(int device);
HEDDLE_HIDDEN bool heddle__cuda_graph_add(struct heddle__cuda_graph *g, const struct heddle__replay_call *call,
                                          const int *before, int befores);
HEDDLE_HIDDEN bool heddle__cuda_graph_ready(struct heddle__cuda_graph *g);
HEDDLE_HIDDEN bool heddle__cuda_graph_change(struct heddle__cuda_graph *g, int number,
                                             const struct heddle__replay_call *call);
HEDDLE_HIDDEN int heddle__cuda_graph_run(struct heddle__cuda_graph *g, double timeout, bool *begun);
HEDDLE_HIDDEN void heddle__cuda_graph_free(struct heddle__cuda_graph *g);

/* cuda_catch.c: kernels that libomptarget launches on this thread, on their way to the driver. */
struct heddle__cuda_kernel { /* the driver's CUDA_KERNEL_NODE_PARAMS, first version */
    void *function;
    unsigned grid[3], block[3], shared;
    void **parameters, **extra;
};
struct heddle__cuda_catch {
    int (*take)(struct heddle__cuda_catch *c, const struct heddle__cuda_kernel *k); /* the driver's result */
    int count;
};
/* Between these two they are taken and not launched. False: this libomptarget does not let them be caught. */
HEDDLE_HIDDEN bool heddle__cuda_catch_begin(struct heddle__cuda_catch *c);
HEDDLE_HIDDEN void heddle__cuda_catch_end(void);

#endif
