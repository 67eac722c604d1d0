/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of task pools share. */
#ifndef HEDDLE_SRC_POOL_H
#define HEDDLE_SRC_POOL_H

#include "device/device.h"
#include "device/threads.h"
#include <heddle/engine/pool/pool.h>

/* What the block has made since the last taskwait. Jobs have host pointers; a device gets a copy. */
struct heddle__segment {
    struct heddle_job job[HEDDLE_JOBS];
    int jobs, nodes_job; /* which job holds the host's tasks, -1: none */
    int levels_used;
    bool serial; /* its tasks run at once */
    bool forked; /* the same in the child of a fork, where nothing else may be touched */
    uint64_t nodes, node_capacity;
    uint32_t *node; /* kind and priority of each */
    char *records;
    uint32_t *before_start, *before;
    uint64_t edges, edge_capacity;
    char *loop_records[HEDDLE_JOBS];
    /* the last users of each address, by open addressing */
    struct heddle__user *users;
    uint64_t user_slots, user_count;
    struct heddle__stream *stream;
    struct heddle__reader *readers;
    uint64_t reader_count, reader_capacity;
};

struct heddle__run {
    struct heddle_pool *pool;
    struct heddle__segment *segment;
    int schedule, device;
    uint64_t expected, checksum; /* tasks of all jobs */
    /* what it did */
    uint64_t done, spawned, sum, handed, queued;
    int workers;
    bool said; /* a line told why the device did not run it, and that the host does */
    /* tasks from the host while the kernel runs; the arrays are on the device already */
    struct heddle_pool_ring *ring;
    uint64_t ring_first;
    unsigned ring_turn; /* 0 when the kernel comes for the first time */
    bool ring_system;   /* they are not: the device works on the host's */
    const void *device_env;
    int pollers;
};

HEDDLE_HIDDEN extern const char *const heddle__pool_schedules[];

/* depend.c: notes the task's dependences on earlier ones. Not 0: no memory. */
HEDDLE_HIDDEN int heddle__depend_add(struct heddle__segment *s, const struct heddle_depend *depends, int count);
HEDDLE_HIDDEN void heddle__depend_forget(struct heddle__segment *s);
HEDDLE_HIDDEN void heddle__depend_free(struct heddle__segment *s);

/* order.c: successor lists of the host's tasks; orders by level for the static and the barrier schedule. */
HEDDLE_HIDDEN int heddle__link_successors(struct heddle__segment *s);
HEDDLE_HIDDEN int heddle__order_by_level(struct heddle_job *job);
HEDDLE_HIDDEN int64_t heddle__count_levels(const struct heddle_job *loop);
HEDDLE_HIDDEN void heddle__free_job(struct heddle_job *job);

/* tile.c: the job with several iterations to a task, by the option, or if they were short in the pool's last run; the
   order by level is to be made anew. false: `to` is a copy. */
HEDDLE_HIDDEN bool heddle__make_tiles(const struct heddle_pool_type *type, const struct heddle_job *from,
                                      struct heddle_job *to);
HEDDLE_HIDDEN void heddle__learn_tiles(const struct heddle_pool_type *type, double cycles,
                                       bool tiled); /* of a task in a run of one loop */

/* serial.c: one task on this thread, or all of a loop's, and those it makes. A block of which all tasks run so: its
 * arrays overlap. */
HEDDLE_HIDDEN void heddle__pool_run_now(struct heddle_pool *pool, int kind, const void *record, size_t bytes,
                                        const struct heddle_taskloop *loop);
HEDDLE_HIDDEN void heddle__serial_begin(const struct heddle_pool *pool);
HEDDLE_HIDDEN void heddle__serial_end(const struct heddle_pool *pool);

/* cpu.c, gpu.c: 0 or a negative heddle_error. heddle__pool_run_ring returns when the kernel has left. */
HEDDLE_HIDDEN int heddle__pool_run_host(struct heddle__run *run);
HEDDLE_HIDDEN int heddle__pool_run_device(struct heddle__run *run);
HEDDLE_HIDDEN int heddle__pool_run_ring(struct heddle__run *run);

/* stream.c: tasks that go to a kernel that runs. NULL: not possible here. */
struct heddle__stream;
HEDDLE_HIDDEN struct heddle__stream *heddle__stream_open(struct heddle_pool *pool, int device);
HEDDLE_HIDDEN void heddle__stream_put(struct heddle__stream *stream, int kind, const void *record, size_t bytes);
HEDDLE_HIDDEN void heddle__stream_wait(struct heddle__stream *stream);
HEDDLE_HIDDEN void heddle__stream_stop(struct heddle__stream *stream);
HEDDLE_HIDDEN void heddle__stream_close(struct heddle__stream *stream);
/* resident.c: another kernel needs the device to itself, until heddle__stream_resume. */
HEDDLE_HIDDEN void heddle__stream_yield(int device);
HEDDLE_HIDDEN void heddle__stream_resume(int device);

/* trace.c: tasks on the timeline. Names of the kinds (the caller frees them; NULL: no timeline); the whole run on the
   calling thread's line; a device's buffer before its launch, and what came in it. */
HEDDLE_HIDDEN int *heddle__pool_trace_names(const struct heddle_pool_type *type);
HEDDLE_HIDDEN void heddle__pool_trace_run(const struct heddle_pool_type *type, const char *schedule, int64_t begin);
HEDDLE_HIDDEN void heddle__pool_trace_begin(struct heddle_pool_control *control, int device);
HEDDLE_HIDDEN void heddle__pool_trace_end(const struct heddle_pool_type *type, const struct heddle_pool_control *came,
                                          int device, int64_t begin);

#endif
