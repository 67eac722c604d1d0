/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a task's code may use of the worker that runs it: lanes, scratch memory, spawning. heddle/engine/pool/pool.h
 * says how. On a GPU a worker is a warp, a block or a lane; elsewhere it is a thread with one lane.
 */
#ifndef HEDDLE_POOL_WORKER_H
#define HEDDLE_POOL_WORKER_H
#include <heddle/engine/device.h>
#include <heddle/engine/pool/pool.h>
#include <heddle/engine/wavefront/sync.h>

enum { HEDDLE_SERVING_NONE, HEDDLE_SERVING_TASK, HEDDLE_SERVING_CHILDREN, HEDDLE_SERVING_DONE };
enum { HEDDLE_SHARE_WORDS = 2 + HEDDLE_WARP };

struct heddle_worker {
    void *thread; /* CPU: the runtime's own; NULL on a device */
    char *scratch;
    struct heddle_pool_control *pool; /* what all workers change */
    const struct heddle_pool_control
        *plan;                     /* what nobody changes: a copy in shared memory, which acquires do not empty */
    struct heddle_lane_warp *warp; /* workers(lane): what the lanes of this warp share */
    uint32_t made, at_once;        /* tasks that the lane's task has made; those that it ran in their place */
    int of_warp, direct;           /* it is one of its warp's tasks; it may run others in their place */
    uint64_t start;                /* cycles, when it began */
    uint64_t *share;               /* block workers: HEDDLE_SHARE_WORDS in shared memory */
    int lane, lanes, block;        /* block: 1 for a block worker */
    int alone;                     /* a lane that runs a task of its own sees a worker like this */
    uint32_t number, frame;        /* frame: whose tasks this one's tasks are */
    uint32_t free_frames;          /* list of this worker */
    int top;                       /* of the newest chunk of the private stack: slots in use */
    char *chunk, *spare;           /* newest chunk, list of empty ones */
    char *record;                  /* copy of a record that came through a queue */
    int credit;                    /* tasks that may go to the queue before looking at its length again */
    int job;                       /* jobs before this one have no iteration left to look at */
    uint64_t batch, batch_end;     /* iterations of `batch_job` that this worker has claimed */
    int batch_job;
    int64_t step, level; /* static, barrier: place in the order */
    uint64_t barriers;
    uint64_t ring_tag;   /* mailbox pollers: of the task that came last */
    uint32_t ring_frame; /* counts the tasks it made; 0: not a mailbox poller */
    int serving;         /* HEDDLE_SERVING_*: how far the host's task is */
    uint64_t spawned_before;
    int makes_dependents; /* the task has made some with depend clauses */
    uint32_t tasks;
    uint64_t done, spawned, checksum, handed, queued, busy; /* busy: cycles */
};

/* Seldom used, so in shared memory before the worker's record: as members of the worker they would be registers of
   every lane. The first three are places in the timeline's buffer. What is counted for every task stays in registers:
   with those counters here, too, 16 M independent tasks took 10.7 ms instead of 6.4. */
struct heddle_worker_counters {
    uint64_t trace_at, trace_end, trace_lost, own_tail; /* own_tail: how many tasks went to the worker's own queue */
};
#define HEDDLE_WORKER_COUNTERS(w)                                                                                      \
    ((struct heddle_worker_counters *)(void *)((w)->record - sizeof(struct heddle_worker_counters)))
#define HEDDLE_COUNT(w, what, n) ((w)->what += (uint64_t)(n))

#if HEDDLE_ON_GPU
#define HEDDLE_LANE(w) ((w)->lane)
#define HEDDLE_LANES(w) ((w)->lanes)
#define HEDDLE_LANES_LOOP _Pragma("clang loop unroll(disable)")
#define HEDDLE_SYNC(w) ((w)->alone ? (void)0 : (w)->block ? heddle_block_sync() : heddle_warp_sync())
#else
#define HEDDLE_LANE(w) ((void)(w), 0)
#define HEDDLE_LANES(w) ((void)(w), 1)
#define HEDDLE_LANES_LOOP
#define HEDDLE_SYNC(w) ((void)(w))
#endif
#define HEDDLE_FIRST(w) (HEDDLE_LANE(w) == 0)
#define HEDDLE_SCRATCH(w, offset) ((void *)((w)->scratch + (offset)))

/* x of all lanes joined, in every lane. Values of up to 8 bytes. */
#define HEDDLE_LANES_OP_ADD(a, b) ((a) + (b))
#define HEDDLE_LANES_OP_MUL(a, b) ((a) * (b))
#define HEDDLE_LANES_OP_MAX(a, b) ((a) > (b) ? (a) : (b))
#define HEDDLE_LANES_OP_MIN(a, b) ((a) < (b) ? (a) : (b))
#define HEDDLE_LANES_OP_AND(a, b) ((a) & (b))
#define HEDDLE_LANES_OP_OR(a, b) ((a) | (b))
#define HEDDLE_LANES_OP_XOR(a, b) ((a) ^ (b))
#if HEDDLE_ON_GPU
#define HEDDLE_LANES_REDUCE(w, OP, x, offset)                                                                          \
    do {                                                                                                               \
        for (int heddle_m = HEDDLE_WARP / 2; heddle_m; heddle_m /= 2) {                                                \
            __typeof__(x) heddle_y = (x);                                                                              \
            uint32_t heddle_q[2] = {0, 0};                                                                             \
            memcpy(heddle_q, &heddle_y, sizeof heddle_y);                                                              \
            heddle_q[0] = heddle_shuffle_xor_word(heddle_q[0], heddle_m);                                              \
            if (sizeof heddle_y > 4)                                                                                   \
                heddle_q[1] = heddle_shuffle_xor_word(heddle_q[1], heddle_m);                                          \
            memcpy(&heddle_y, heddle_q, sizeof heddle_y);                                                              \
            (x) = (__typeof__(x))HEDDLE_LANES_OP_##OP(x, heddle_y);                                                    \
        }                                                                                                              \
        if ((w)->block) {                                                                                              \
            __typeof__(x) *heddle_s = HEDDLE_PTR(HEDDLE_SCRATCH(w, offset));                                           \
            heddle_block_sync();                                                                                       \
            if ((w)->lane % HEDDLE_WARP == 0)                                                                          \
                heddle_s[(w)->lane / HEDDLE_WARP] = (x);                                                               \
            heddle_block_sync();                                                                                       \
            (x) = heddle_s[0];                                                                                         \
            for (int heddle_m = 1; heddle_m < (w)->lanes / HEDDLE_WARP; heddle_m++)                                    \
                (x) = (__typeof__(x))HEDDLE_LANES_OP_##OP(x, heddle_s[heddle_m]);                                      \
            heddle_block_sync();                                                                                       \
        }                                                                                                              \
    } while (0)
#else
#define HEDDLE_LANES_REDUCE(w, OP, x, offset) ((void)(w), (void)(x))
#endif

#pragma GCC visibility push(default)
/* A CPU thread's tasks are the library's business. */
void heddle_pool_spawn(struct heddle_worker *w, int kind, const void *record, size_t bytes, int priority);
void heddle_pool_spawn_depend(struct heddle_worker *w, int kind, const void *record, size_t bytes, int priority,
                              const struct heddle_depend *depends, int ndepends);
#pragma GCC visibility pop

/* parts of this header, without guards of their own */
#include <heddle/engine/pool/queue.h>
#include <heddle/engine/pool/task_depend.h>
#include <heddle/engine/pool/tile.h>
#include <heddle/engine/pool/ring.h>
#include <heddle/engine/pool/iterations.h>
#include <heddle/engine/pool/trace.h>
#include <heddle/engine/pool/schedule.h>
#include <heddle/engine/pool/lane_tasks.h>

/* A new task of kind `kind`. Called by all lanes with the same values. */
HEDDLE_DEVICE void heddle_spawn(struct heddle_worker *w, int kind, const void *record, size_t bytes, int priority) {
#if !HEDDLE_ON_GPU
    if (w->thread) {
        heddle_pool_spawn(w, kind, record, bytes, priority);
        return;
    }
#endif
    if (w->of_warp) /* not `warp`: in shared memory its address may be the one that a NULL becomes */
        heddle_lane_spawn(w, kind, record, bytes);
    else
        heddle_spawn_device(w, kind, record, bytes, priority);
}

/* The same with dependences on others that this task has made, by address. */
HEDDLE_DEVICE void heddle_spawn_depend(struct heddle_worker *w, int kind, const void *record, size_t bytes,
                                       int priority, const struct heddle_depend *depends, int ndepends) {
#if !HEDDLE_ON_GPU
    if (w->thread) {
        heddle_pool_spawn_depend(w, kind, record, bytes, priority, depends, ndepends);
        return;
    }
#endif
    heddle_spawn_depend_device(w, kind, record, bytes, priority, depends, ndepends);
}
#endif
