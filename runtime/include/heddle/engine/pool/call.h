/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records through which the runtime and a pool's kernel talk, and the form of tasks in device memory; the same
 * layout on host and device.
 *
 * A task on its way is one 64-bit word: generation of the queue slot (16 bits), form (4), job (4), number (40). What
 * else it has follows the word in its slot (HEDDLE_FORM_RECORD) or lies where the number says.
 */
#ifndef HEDDLE_POOL_CALL_H
#define HEDDLE_POOL_CALL_H
#include <stdint.h>

enum {
    HEDDLE_RECORD_MAX = 240, /* bytes of a record */
    HEDDLE_LEVELS = 4,       /* of priority */
    HEDDLE_SINKS_MAX = 8,
    HEDDLE_LANES_MAX = 256, /* of a block worker */
    HEDDLE_SCRATCH_MAX = 40960
};

enum {
    HEDDLE_FORM_NONE,      /* no task */
    HEDDLE_FORM_RECORD,    /* made by a task: number = kind; frame and record follow the word in the slot */
    HEDDLE_FORM_LOOP,      /* iteration of taskloop `job`: number = its place in program order */
    HEDDLE_FORM_NODE,      /* made on the host: number = its place in program order */
    HEDDLE_FORM_FRAME,     /* goes on after its taskwait: number = the frame */
    HEDDLE_FORM_DEPENDENT, /* made by a task, with dependences: number = its frame (heddle/engine/pool/task_depend.h) */
    HEDDLE_FORM_LOOK,      /* no task: there is something in a queue of higher priority */
    HEDDLE_FORM_BATCH,     /* workers(lane): number = class and, from bit 8 on, count; the tasks follow the word */
};
enum { HEDDLE_FORM_SHIFT = 44, HEDDLE_JOB_SHIFT = 40, HEDDLE_GENERATION_SHIFT = 48, HEDDLE_JOBS = 8 };
#define HEDDLE_NUMBER_MASK ((1ull << HEDDLE_JOB_SHIFT) - 1)
#define HEDDLE_TASK_MASK ((1ull << HEDDLE_GENERATION_SHIFT) - 1)

enum { HEDDLE_LINE_WORDS = 16, HEDDLE_SLOT_HEAD = 32, HEDDLE_CHUNK_SLOTS = 32 };

/* First-in first-out queue with tickets: who adds to `tail` puts into that slot, who adds to `head` takes from that
   one and waits there. A slot is 32 bytes and a record: word, rounds taken, frame, unused. */
struct heddle_queue {
    uint64_t head, pad0[HEDDLE_LINE_WORDS - 1];
    uint64_t tail, pad1[HEDDLE_LINE_WORDS - 1];
    char *slots;
    uint64_t mask, shift; /* slots are 1 << shift, mask is one less */
    uint64_t room;        /* tasks that may be in it so that nobody ever waits for a free slot */
    uint64_t pad2[HEDDLE_LINE_WORDS - 4];
};

/* A task that waits for those it made. Tasks find it by number. 64 bytes and a record. */
struct heddle_frame {
    uint64_t pending; /* tasks it waits for, and 1 while it runs itself */
    uint64_t task;    /* the word it came as */
    uint32_t parent;  /* number of the frame above, 0: none */
    uint32_t kind;
    int32_t part;  /* where it goes on; HEDDLE_PART_END: nothing left but the tasks it made */
    uint32_t next; /* in the list of free ones */
    uint64_t pad[4];
};
enum { HEDDLE_PART_END = -1 };

/* One taskloop, or the tasks of the host's block ("nodes": dims 1, dependences listed instead of computed). */
struct heddle_job {
    uint64_t ticket; /* next iteration to be looked at */
    uint64_t pad[HEDDLE_LINE_WORDS - 1];
    int32_t form, kind, dims, sinks;
    int64_t count[3]; /* unused loops: 1 */
    int64_t total;
    int32_t sink[HEDDLE_SINKS_MAX][3];
    int32_t low[3], high[3];               /* farthest sink backwards and forwards in each loop */
    const void *record;                    /* of the loop; of node 0 */
    uint32_t *counters;                    /* dependences met so far; zero before a run */
    const uint32_t *node;                  /* kind and priority of node k: [2k], [2k + 1] */
    const uint32_t *wanted;                /* dependences of node k */
    const uint32_t *next_start, *next;     /* nodes after node k: next[next_start[k]] … */
    const uint32_t *before_start, *before; /* nodes before it (static schedule) */
    const uint32_t *order;                 /* static, barrier: iterations by level */
    const uint32_t *level_start;           /* barrier: where each level begins in `order` */
    int64_t levels;
    uint32_t *done; /* static: iteration k is done when this is `round` */
    uint32_t round;
    /* Tiles: all of the above is about tiles then, and these say what is in one. Column x of row y of the two inner
       loops is in tile (y / tile_rows, (x + skew * y) / tile_cols). tile_rows 0: none. */
    int32_t tile_rows, tile_cols, skew;
    int64_t real[3]; /* iterations of each loop */
};

/* Tasks from the host while the kernel runs, in host memory that the device reads. The host's ticket t is slot
   t % SLOTS; a slot is what one warp loads at once. Its words hold 32 data bits and the tag t + 1 each, so a word says
   itself whether it has come: first kind + 1 (0: leave), then the record. done[t % SLOTS] is the tag when the task and
   all that it made are done. */
enum {
    HEDDLE_RING_SLOTS = 4096,
    HEDDLE_RING_WORDS = 32,
    HEDDLE_RING_RECORD = 4 * (HEDDLE_RING_WORDS - 1),
    HEDDLE_POLLERS = 32
};
struct heddle_pool_ring {
    uint64_t slot[HEDDLE_RING_SLOTS][HEDDLE_RING_WORDS];
    uint64_t done[HEDDLE_RING_SLOTS];
};

struct heddle_trace_event {
    uint64_t begin, end; /* ns, the device's clock */
    uint64_t task;       /* the word */
    uint32_t worker, multiprocessor;
    uint32_t kind, part;
};

enum { HEDDLE_POOL_ERROR_NONE, HEDDLE_POOL_ERROR_TIMEOUT, HEDDLE_POOL_ERROR_MEMORY, HEDDLE_POOL_ERROR_RESIDENT };

struct heddle_pool_control {
    struct heddle_queue queue[HEDDLE_LEVELS];
    uint64_t started; /* workers that run */
    uint64_t idle;    /* schedule steal: of them, those with nothing to do */
    uint64_t pad0[HEDDLE_LINE_WORDS - 2];
    uint64_t stop;  /* 1: everything is done, or an error */
    uint64_t error; /* HEDDLE_POOL_ERROR_* */
    uint64_t pad1[HEDDLE_LINE_WORDS - 2];
    uint64_t arrived; /* barrier schedule: workers, over all levels */
    uint64_t pad2[HEDDLE_LINE_WORDS - 1];
    uint64_t chunk_ticket, frame_ticket; /* next never used one */
    uint64_t pad3[HEDDLE_LINE_WORDS - 2];
    uint64_t done, spawned, checksum, handed, queued, busy; /* sums of the workers, when they leave; busy: cycles */
    uint64_t pad4[HEDDLE_LINE_WORDS - 6];
    int32_t schedule, jobs, levels_used, pause_ns;
    uint64_t workers;     /* launched */
    uint64_t want;        /* tasks that workers keep in the queue for others */
    uint64_t batch_shift; /* a claim takes this part of the iterations that are left: 1 / 2^shift */
    uint64_t timeout_ns;
    uint64_t slot_bytes, record_bytes;
    char *chunks; /* private stacks, and more for whoever needs more */
    uint64_t chunk_bytes, chunk_count;
    char *frames;
    uint64_t frame_bytes, frame_count;
    char *more_chunks, *more_frames; /* where those are used up: memory that takes no room before it is touched */
    uint64_t more_chunk_count, more_frame_count;
    char *own;   /* schedule steal: a queue of each worker, HEDDLE_OWN_BYTES each */
    char *lanes; /* workers(lane): rings and free places of each warp, lane_bytes each */
    uint64_t lane_bytes, lane_shift, lane_classes; /* a ring has 1 << lane_shift places */
    uint64_t lane_packs;                           /* free places for any warp */
    char *depend_tables;                           /* a table of each worker; NULL: no task of a task has dependences */
    const void *env;
    struct heddle_trace_event *trace; /* NULL: off */
    uint64_t trace_count, trace_capacity,
        trace_lost;                     /* claimed by workers, TRACE_BLOCK at a time; unused ones have end 0 */
    struct heddle_pool_ring *ring;      /* of the host, NULL: none */
    uint64_t pollers;                   /* mailbox pollers: workers that wait for the host's tasks */
    uint64_t ring_system;               /* the tasks' arrays are in the host's memory */
    uint64_t ring_ticket, pollers_left; /* next ticket; how many have left */
    struct heddle_job job[HEDDLE_JOBS];
};

enum { HEDDLE_TRACE_BLOCK = 32 };
struct heddle_pool_launch {
    int device, teams, threads;
    struct heddle_pool_control *control; /* in device memory */
};
#endif
