/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the engine of `#pragma heddle jobs` share.
 *
 * Jobs lie in blocks of records, and blocks in queues: one for each type with the jobs that are placed nowhere, one for
 * each device and type with those that are placed there. A device is an offload device, with a thread that serves it,
 * or the host, with all of its threads. The calling thread asks the policy when a device has nothing to do, and watches
 * for devices that hang. All of it is under the engine's one lock, except what is said to belong to a thread.
 */
#ifndef HEDDLE_JOBS_ENGINE_H
#define HEDDLE_JOBS_ENGINE_H

#include "device/device.h"
#include "device/threads.h"
#include "device/turns.h"
#include "model/table.h"
#include <heddle/engine/jobs.h>
#include <heddle/jobs.h>
#include <pthread.h>

enum { HEDDLE__JOBS_DEVICES = HEDDLE__DEVICES + 1, HEDDLE__JOBS_TYPES = 64 };

/* ---- queues.c ------------------------------------------------------------------------------------------------- */
struct heddle__jobs_engine;

struct heddle__jobs_device;

/* Memory with records of one list: what a thread of the host appended, the program's own list, or a stretch of a
   device's memory to which launch after launch appends. */
struct heddle__jobs_buffer {
    struct heddle__jobs_buffer *next; /* of a device's that nobody needs now */
    struct heddle__jobs_device *on;   /* in whose memory it is; NULL: the host's */
    int source;                       /* who made it, as policies are told; -1: the program */
    char *memory;
    size_t bytes, used, record; /* used: on a device, holds records or did */
    long blocks;                /* that lie in it; one more while launches append to it */
    bool own;                   /* else it is the program's list */
};
struct heddle__jobs_block { /* some of its records */
    struct heddle__jobs_block *next;
    struct heddle__jobs_buffer *buffer;
    char *at;
    long count;
    bool failed; /* on a device that was lost with it */
};
struct heddle__jobs_queue { /* the youngest block is first: lists stay short where the youngest job is done first */
    struct heddle__jobs_block *first;
    long count;
};

/* All records of a list of the host's that was appended to; its memory is taken over where it is `own`. */
HEDDLE_HIDDEN void heddle__jobs_add(struct heddle__jobs_engine *e, struct heddle__jobs_queue *to,
                                    const struct heddle_jobs_any_list *list, size_t record, bool own);
/* `count` records of a buffer on a device, which begin at byte `at` of it; what comes behind them is free. */
HEDDLE_HIDDEN void heddle__jobs_add_there(struct heddle__jobs_engine *e, struct heddle__jobs_queue *to,
                                          struct heddle__jobs_buffer *buffer, size_t at, long count);
HEDDLE_HIDDEN void heddle__jobs_move(struct heddle__jobs_engine *e, struct heddle__jobs_queue *to,
                                     struct heddle__jobs_queue *from, long count);
/* To the unassigned ones, each where it was made. */
HEDDLE_HIDDEN void heddle__jobs_unassign(struct heddle__jobs_engine *e, int type, struct heddle__jobs_queue *from);
HEDDLE_HIDDEN void heddle__jobs_drop(struct heddle__jobs_engine *e, struct heddle__jobs_queue *q);
/* So many bytes more on the host, which may be too many. */
HEDDLE_HIDDEN void heddle__jobs_grow(struct heddle__jobs_engine *e, size_t bytes);
HEDDLE_HIDDEN void heddle__jobs_let_go(struct heddle__jobs_engine *e, struct heddle__jobs_buffer *b);

/* ---- home.c: from a device's memory to the host's; not under the lock ------------------------------------------- */
/* All blocks of a queue that nobody else has. An error: some are still where they were. */
HEDDLE_HIDDEN int heddle__jobs_fetch(struct heddle__jobs_engine *e, struct heddle__jobs_queue *q);
/* One kind of what lies in a device's memory and is not being computed there; false: there is nothing, or *error. By
   the device's thread. */
HEDDLE_HIDDEN bool heddle__jobs_spill(struct heddle__jobs_device *d, int *error);
/* All of it, before the device is given up. */
HEDDLE_HIDDEN int heddle__jobs_rescue(struct heddle__jobs_device *d);
/* The elements of all lists without jobs, behind those that the program's lists have; these keep their counts. */
HEDDLE_HIDDEN int heddle__jobs_fetch_results(struct heddle__jobs_engine *e);
/* A copy between a device and the host took so long: what the plan expects of the next. Under the lock. */
HEDDLE_HIDDEN void heddle__jobs_note_copy(struct heddle__jobs_device *d, size_t bytes, double seconds);

/* ---- held.c: arrays that the program keeps on devices, to the host from any but these; not what all who take part
   have, unless `all` */
HEDDLE_HIDDEN void heddle__jobs_pull_held(const struct heddle__jobs_engine *e, bool all, uint64_t without);

/* ---- memory.c: a device's memory; by its thread, not under the lock ------------------------------------------------
 */
/* At least `bytes`, with one use; what lies there goes to the host where it must. NULL: *error, or there is not enough;
   `must`: although the budget does not allow it. */
HEDDLE_HIDDEN struct heddle__jobs_buffer *heddle__jobs_take_memory(struct heddle__jobs_device *d, size_t bytes,
                                                                   bool must, int *error);
HEDDLE_HIDDEN void heddle__jobs_leave_memory(struct heddle__jobs_device *d,
                                             struct heddle__jobs_buffer *b); /* or NULL */
/* What an execution before this one left there, and what this one leaves; with the engine's threads not running. */
HEDDLE_HIDDEN void heddle__jobs_recall_memory(struct heddle__jobs_device *d);
HEDDLE_HIDDEN void heddle__jobs_keep_memory(struct heddle__jobs_device *d);
/* Where the next elements of a list go: the buffer, and the byte where they begin. */
HEDDLE_HIDDEN struct heddle__jobs_buffer *heddle__jobs_open(struct heddle__jobs_device *d, int list, long room,
                                                            bool must, size_t *at, int *error);

/* ---- costs.c: what batches of a type took on a device ----------------------------------------------------------- */
struct heddle__jobs_costs {
    double runs, n, nn, seconds, n_seconds; /* sums, in which old batches count less */
    double setup, each;                     /* fitted; each 0: nothing is known */
    double squares;                         /* of seconds, for the correlation */
    bool first;                             /* the next batch is the device's first one: it loads code */
    bool cold;                              /* nothing but such batches is in it */
};
HEDDLE_HIDDEN void heddle__jobs_note(struct heddle__jobs_costs *c, long count, double seconds);
HEDDLE_HIDDEN double
heddle__jobs_correlation(const struct heddle__jobs_costs *c); /* of what was measured; 0: unknown */
HEDDLE_HIDDEN void heddle__jobs_join_costs(struct heddle__jobs_costs *to, const struct heddle__jobs_costs *c, int of);
HEDDLE_HIDDEN void heddle__jobs_fill_times(struct heddle__jobs_engine *e);
/* ---- learnt.c */
HEDDLE_HIDDEN void heddle__jobs_recall(struct heddle__jobs_engine *e);
HEDDLE_HIDDEN void heddle__jobs_keep(struct heddle__jobs_engine *e);
/* Seconds in which one device of a class would have done what the last execution in this process did; 0: not known. */
HEDDLE_HIDDEN double heddle__jobs_alone(const struct heddle__jobs_engine *e, int class);
/* ---- sets.c: before the tables are made, and when the results are there */
HEDDLE_HIDDEN void heddle__jobs_select_devices(struct heddle__jobs_engine *e);
HEDDLE_HIDDEN void heddle__jobs_keep_set(const struct heddle__jobs_engine *e);

/* ---- the engine ------------------------------------------------------------------------------------------------ */
struct heddle__jobs_kind { /* a type of job */
    const struct heddle_jobs_type *call;
    const struct heddle_loop_type *loop;
    size_t record;
    char *red;                             /* values of reductions so far */
    struct heddle__jobs_queue *unassigned; /* [source + 1] */
    struct heddle__jobs_queue refused;     /* failed on two devices, and the host takes no part: the calling thread's */
    long done;
    int trace_name;
};

struct heddle__jobs_list {
    size_t record;
    int type;                         /* of the jobs in it; -1: it is only appended to */
    struct heddle__jobs_queue result; /* then what was */
};

struct heddle__jobs_device {
    struct heddle__jobs_engine *engine;
    int number; /* the policy's */
    int device; /* OpenMP's; -1: the host */
    int class;
    bool cuda;
    double slow; /* HEDDLE_SLOW */
    int threads, idle;
    bool gone, hangs;                      /* hangs: its thread is not waited for */
    bool bad;                              /* others cannot copy from it: its thread gives it up */
    bool copies;                           /* brings home what lies there, and has no batch meanwhile */
    long coming;                           /* host: jobs that a thread fetches for its queue */
    struct heddle__jobs_queue *queue;      /* of each type */
    long *running;                         /* of each type */
    bool *can;                             /* of each type: it has code for it */
    struct heddle__jobs_costs *costs;      /* of each type */
    double begun, expected;                /* of an offload device's batch: seconds */
    struct heddle__jobs_queue batch, rest; /* ... the part under way, and what comes behind it */
    int type;                              /* ... its type */
    /* its memory: buffers that nobody needs now, those that launches append to, of each list; blocks that lie there;
       bytes of all */
    struct heddle__jobs_buffer *spare, **open;
    long held;
    size_t memory, most, budget;
    double copied, copying; /* bytes and seconds of its link */
    /* for the report */
    long *done;
    double busy, moved;
    long batches, again;
};

struct heddle__jobs_engine {
    const struct heddle_jobs_call *call;
    struct heddle_site site;
    double start, timeout;
    int seat; /* turns.h: whose memory it uses */
    int types, lists, devices, classes;
    int home;          /* the host's number; -1: it takes no part */
    uint64_t excluded; /* devices that were lost before, with jobs that lay nowhere else */
    bool again;        /* all has to be done again, without these */
    struct heddle__jobs_kind *kind;
    struct heddle__jobs_list *list;
    struct heddle__jobs_device *device;
    const char *class_name[HEDDLE__JOBS_DEVICES];
    struct heddle__cores cores;

    struct heddle_jobs_machine machine;
    struct heddle_jobs_device facts[HEDDLE__JOBS_DEVICES];
    struct heddle_jobs_time *time;
    double *move;
    const struct heddle_jobs_policy *policy;
    void *state;

    pthread_mutex_t lock;
    pthread_cond_t work, ask; /* for threads that have none; for the calling thread */
    long left;                /* jobs that no thread has begun */
    int busy;                 /* threads that run jobs, or hold what these appended */
    int idle, living;         /* threads */
    bool over;
    int abandoned; /* threads that hang: nothing they may touch is freed */
    size_t bytes, limit, most;
    /* who was chosen, as the record has it (sets.c), and the jobs that there were at first */
    enum heddle__set_form set_form;
    unsigned set_classes;
    long first_jobs;
    bool cold; /* some device ran its first batch of a type */
    /* for the report */
    long decisions, steals, refused;
    double deciding;
    int rounds;
    bool explains;
    FILE *record;
};

/* make.c. NULL: no memory; without a table of types or lists it may only be freed. */
HEDDLE_HIDDEN struct heddle__jobs_engine *heddle__jobs_make_engine(const struct heddle_jobs_call *call,
                                                                   uint64_t excluded, int seat);
/* When it knows its devices. */
HEDDLE_HIDDEN bool heddle__jobs_make_tables(struct heddle__jobs_engine *e);
HEDDLE_HIDDEN void heddle__jobs_free_engine(struct heddle__jobs_engine *e);
/* machine.c: devices that take part */
HEDDLE_HIDDEN int heddle__jobs_find_devices(struct heddle__jobs_engine *e);
HEDDLE_HIDDEN void heddle__jobs_leave_out(struct heddle__jobs_engine *e, int number); /* before anything ran */
HEDDLE_HIDDEN void heddle__jobs_free_device(struct heddle__jobs_device *d);           /* what find_devices made */
/* policy.c */
HEDDLE_HIDDEN const struct heddle_jobs_policy *heddle__jobs_choose_policy(const struct heddle_jobs_call *call,
                                                                          double *parameter);
/* The policy puts unassigned jobs into queues; whether it put any. */
HEDDLE_HIDDEN bool heddle__jobs_place_all(struct heddle__jobs_engine *e, int asking);
HEDDLE_HIDDEN bool heddle__jobs_take_more(struct heddle__jobs_engine *e, int asking);
/* What a device that has jobs runs next: the type, and how many of them. */
HEDDLE_HIDDEN struct heddle_jobs_batch heddle__jobs_choose_batch(struct heddle__jobs_engine *e,
                                                                 const struct heddle__jobs_device *d);
/* host.c, device.c: threads. They are started with the lock not held. */
HEDDLE_HIDDEN void heddle__jobs_serve_host(void *with);
HEDDLE_HIDDEN void heddle__jobs_serve_device(void *with);
/* engine.c, all under the lock */
HEDDLE_HIDDEN long heddle__jobs_queued(const struct heddle__jobs_device *d);
HEDDLE_HIDDEN void heddle__jobs_append(struct heddle__jobs_engine *e, int list,
                                       const struct heddle_jobs_any_list *from);
/* `kept`: what lies in its memory can be had. */
HEDDLE_HIDDEN void heddle__jobs_lose(struct heddle__jobs_device *d, const char *why, bool kept);
/* What lay on it alone cannot be had any more: all starts again without it. */
HEDDLE_HIDDEN void heddle__jobs_start_again(struct heddle__jobs_device *d);
HEDDLE_HIDDEN long heddle__jobs_unassigned(const struct heddle__jobs_engine *e, int type);
/* False: others take part, or nothing is unassigned, or nobody can have it. */
HEDDLE_HIDDEN bool heddle__jobs_ask_alone(struct heddle__jobs_device *d);
/* So many jobs of the type are there for those who have nothing to do. */
HEDDLE_HIDDEN void heddle__jobs_call(struct heddle__jobs_engine *e, int type, long count);
/* Until there may be work; false: it is over, or the device is gone. */
HEDDLE_HIDDEN bool heddle__jobs_wait(struct heddle__jobs_device *d);
HEDDLE_HIDDEN void heddle__jobs_rested(struct heddle__jobs_engine *e); /* a thread holds nothing any more */
HEDDLE_HIDDEN void heddle__jobs_slow_down(const struct heddle__jobs_device *d, double seconds);
/* record.c */
HEDDLE_HIDDEN void heddle__jobs_record_begin(struct heddle__jobs_engine *e);
HEDDLE_HIDDEN void heddle__jobs_record(struct heddle__jobs_engine *e, int type, long count, const long *made);
HEDDLE_HIDDEN void heddle__jobs_record_end(struct heddle__jobs_engine *e);
/* room.c */
HEDDLE_HIDDEN double heddle__jobs_room_recall(const struct heddle_loop_type *loop, int output, double unknown);
HEDDLE_HIDDEN void heddle__jobs_room_keep(const struct heddle_loop_type *loop, int output, double each);
/* report.c */
/* A decision: placed[kind * devices + device]. */
HEDDLE_HIDDEN void heddle__jobs_explain(const struct heddle__jobs_engine *e, const struct heddle_jobs_choice *c,
                                        const long *placed);
HEDDLE_HIDDEN void heddle__jobs_write_report(struct heddle__jobs_engine *e);

#endif
