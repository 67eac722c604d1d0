/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the engine of `#pragma heddle graph` share.
 *
 * The block is run by the calling thread, which records the tasks that it makes. At a taskwait and at its end the
 * recording becomes a shape - who waits for whom, what touches what, the policy's state -, or is found to be that of a
 * shape which is kept, and the units run it: a thread for each device, and threads of the host, the calling one among
 * them. Bytes that tasks work with are pieces, each with the memories that hold it now. All of it is under the engine's
 * one lock while units run.
 */
#ifndef HEDDLE_GRAPH_ENGINE_H
#define HEDDLE_GRAPH_ENGINE_H

#include "device/device.h"
#include "device/threads.h"
#include <heddle/engine/graph.h>
#include <heddle/graph.h>
#include <pthread.h>

enum {
    HEDDLE__GRAPH_UNITS = 256,
    HEDDLE__GRAPH_SHAPES = 8, /* that are kept of a block */
    HEDDLE__GRAPH_CREWS = 6,  /* numbers of threads that are tried */
    HEDDLE__GRAPH_HOST = 0,   /* the host's memory; devices' follow */
    HEDDLE__GRAPH_AGAIN = 1,  /* beside errors: data was lost, which has to be had again first */
    HEDDLE__GRAPH_FIRST = -1, /* a value: what the iteration began with */
    HEDDLE__GRAPH_OTHER = -2  /* ... of which nothing is known */
};

/* ---- record.c: what the block makes ------------------------------------------------------------------------------ */
struct heddle__graph_made { /* a task */
    const struct heddle_graph_type *type;
    size_t env; /* offset */
    int item, items;
};
struct heddle__graph_record {
    struct heddle__graph_made *task;
    struct heddle_graph_item *item;
    char *env;
    long tasks, items, task_room, item_room;
    size_t bytes, room;
};
HEDDLE_HIDDEN bool heddle__graph_note(struct heddle__graph_record *r, const struct heddle_graph_type *type,
                                      const void *env, const struct heddle_graph_item *items, int nitems);
HEDDLE_HIDDEN void heddle__graph_record_free(struct heddle__graph_record *r);

/* ---- shape.c: a recording, understood ---------------------------------------------------------------------------- */
struct heddle__graph_use { /* beside heddle_graph.access */
    bool data, here;
};
struct heddle__graph_datum {
    uintptr_t begin, end;
    int piece, pieces; /* of the table, while `version` is the table's */
    bool data;         /* some task works with it */
};
struct heddle__graph_shape {
    struct heddle__graph_record made; /* without environments */
    struct heddle_graph g;
    struct heddle_graph_task *task;
    struct heddle_graph_data *data;
    struct heddle_graph_access *access;
    struct heddle__graph_use *use;
    struct heddle__graph_datum *datum;
    int *item_datum; /* [item] the first of those that it consists of */
    int *before, *after_start, *after;
    int *owner, *first;
    struct heddle_graph_neighbour *neighbour;
    double *time;
    long version;                        /* of the table of pieces */
    struct heddle_graph_machine machine; /* those of the engine's units that take part */
    int level;
    double crew[HEDDLE__GRAPH_CREWS]; /* seconds of an iteration by how many threads take part; 0: not known */
    void *state;                      /* the policy's; NULL: not started */
    char *lost;                       /* [unit] that it was told of */
    struct heddle__graph_whole *whole;
    double took[2]; /* seconds of an iteration by units, and by launches of many; 0: not known */
    long iteration, used;
    double seconds; /* of its last iteration */
};
struct heddle__graph_engine;
/* NULL: out of memory. Takes the recording over. */
HEDDLE_HIDDEN struct heddle__graph_shape *heddle__graph_shape_make(struct heddle__graph_engine *e,
                                                                   const struct heddle__graph_record *r);
HEDDLE_HIDDEN void heddle__graph_shape_free(struct heddle__graph_engine *e, struct heddle__graph_shape *s);
HEDDLE_HIDDEN bool heddle__graph_same(const struct heddle__graph_shape *s, const struct heddle__graph_record *r);
/* partition.c: sets the partitions of tasks and data. */
HEDDLE_HIDDEN bool heddle__graph_partitions(struct heddle__graph_shape *s);

/* ---- pieces.c: bytes, and the memories that hold them ------------------------------------------------------------ */
struct heddle__graph_piece {
    uintptr_t begin, end;
    uint64_t valid, coming; /* bit sets of memories: that hold it, to which it is being copied */
    int block;              /* -1: no device reaches it */
    int writers, users;     /* tasks that run and write it, or work with it */
    int readers;            /* copies from a device's memory */
    bool held, back;        /* by the clause map: it stays between tasks, and comes back at the end */
    bool written;           /* in this execution */
    int last, host;         /* who wrote its newest value, and the one of the host's bytes: a task of this iteration;
                               HEDDLE__GRAPH_FIRST, _OTHER */
    int old;                /* its first one of engine.old; -1: none */
    bool read;              /* a region read the host's value of it, or a copy of that */
};
struct heddle__graph_old { /* bytes that the host had before */
    int value, next;
    size_t at;
};
struct heddle__graph_block { /* what a task reaches through one pointer lies as on the host, on each device */
    uintptr_t begin, end;
    char **there; /* [memory] where it is; NULL: nowhere yet */
};
/* Pieces for all data of the shape, with what is known of them; blocks may have moved, whose data came home. False: out
   of memory, or *error. */
HEDDLE_HIDDEN bool heddle__graph_pieces_add(struct heddle__graph_engine *e, struct heddle__graph_shape *s);
HEDDLE_HIDDEN bool heddle__graph_pieces_find(struct heddle__graph_engine *e, struct heddle__graph_shape *s);
/* What the host may have written, or may look at: only its own copies count from now on. */
HEDDLE_HIDDEN void heddle__graph_pieces_reset(struct heddle__graph_engine *e);
HEDDLE_HIDDEN void heddle__graph_pieces_free(struct heddle__graph_engine *e);
/* The program's own mappings: their values come to the host before, and what was written goes back. */
HEDDLE_HIDDEN void heddle__graph_pull(struct heddle__graph_engine *e);
HEDDLE_HIDDEN void heddle__graph_push(struct heddle__graph_engine *e);

/* ---- move.c: copies. With the lock held, which is given up meanwhile --------------------------------------------- */
struct heddle__graph_unit;
/* What the task works with becomes valid where it runs; HEDDLE_ENOMEM, HEDDLE_ELAUNCH: the unit's own device. */
HEDDLE_HIDDEN int heddle__graph_bring(struct heddle__graph_unit *u, int task);
/* All that only devices hold; `held`: that too, which the clause map keeps there. */
HEDDLE_HIDDEN void heddle__graph_home(struct heddle__graph_engine *e, bool held);
/* The task has ended there: what it wrote is nowhere else. */
HEDDLE_HIDDEN void heddle__graph_written(struct heddle__graph_unit *u, int task);
HEDDLE_HIDDEN void heddle__graph_begun(struct heddle__graph_unit *u, int task, int sign);
/* A task of which nobody knows what it touches: all is at home, and what it may have written counts as written. */
HEDDLE_HIDDEN void heddle__graph_open(struct heddle__graph_engine *e, bool ended);
/* The memory is gone, or will be: what it alone held comes home if it still answers, but for what a task is writing,
   which is no value: it is lost. */
HEDDLE_HIDDEN void heddle__graph_drop_memory(struct heddle__graph_engine *e, int memory, bool answers);
/* Memory for the block there, without taking others' away; false: there is none. */
HEDDLE_HIDDEN bool heddle__graph_allocate(struct heddle__graph_engine *e, int block, int memory);
/* Piece `first` and what can go with it to the memory; *last: of what came. */
HEDDLE_HIDDEN int heddle__graph_come(struct heddle__graph_engine *e, int first, int end, int to, int *last);
HEDDLE_HIDDEN void heddle__graph_free_copy(struct heddle__graph_engine *e, struct heddle__graph_block *b, int memory);
/* To memory of the host, beside all the others. */
HEDDLE_HIDDEN int heddle__graph_peek(const struct heddle__graph_engine *e, int piece, int memory, char *to);
/* The unit's copy of the task's environment, with pointers of its device; false: no memory. */
HEDDLE_HIDDEN bool heddle__graph_translate(struct heddle__graph_unit *u, int task);
/* The task has ended there: scalars that it changed in a copy. */
HEDDLE_HIDDEN void heddle__graph_scalars(struct heddle__graph_unit *u, int task);

/* ---- mend.c ------------------------------------------------------------------------------------------------------ */
/* Nobody works. Data that is in no memory any more is there again, or the program ends. */
HEDDLE_HIDDEN void heddle__graph_mend(struct heddle__graph_engine *e);
/* The host's bytes of the piece are about to change. */
HEDDLE_HIDDEN void heddle__graph_keep(struct heddle__graph_engine *e, int piece);
HEDDLE_HIDDEN void heddle__graph_keep_nothing(struct heddle__graph_engine *e);
/* The history of values begins with what is there now. */
HEDDLE_HIDDEN void heddle__graph_history(struct heddle__graph_engine *e);

/* ---- run.c ------------------------------------------------------------------------------------------------------- */
struct heddle__graph_unit {
    struct heddle__graph_engine *engine;
    int number, device, memory, class; /* device: -1: a thread of the host */
    bool cuda, gone, idle, sleeps;
    bool hangs;   /* its thread is not waited for */
    bool counted; /* what its task works with is marked so */
    bool older;   /* its task began before the history of this iteration does */
    bool caller;  /* the thread that met the block; number -1: no unit, it only watches */
    int runs;     /* the task; -1: none */
    int given;    /* atomic; the task that it is to run, and was found for it; -1: none */
    double again; /* seconds after which it asks again; 0: when it is told */
    double begun, slow;
    pthread_cond_t wake;
    char *env;
    size_t env_room;
    int track;
    /* for the report */
    long ran, copies;
    double busy, bytes;
};
struct heddle__graph_engine {
    struct heddle__graph_engine *next; /* of another block */
    const struct heddle_site *site;
    const char *schedule;
    double parameter[HEDDLE_GRAPH_PARAMETERS];
    int device; /* the clause */
    struct heddle__graph_record record;
    struct heddle__graph_shape *shape[HEDDLE__GRAPH_SHAPES], *run; /* run: that runs now, or did last */
    bool alike;                                                    /* what is recorded is `run` so far */
    long clock;
    const struct heddle_graph_item *held;
    int nheld;

    /* machine.c */
    bool made, with_devices, with_host;
    bool wants_host; /* some task can run nowhere else */
    bool named;      /* devices, and not the host: regions run there alone */
    struct heddle_graph_machine machine;
    struct heddle_graph_unit facts[HEDDLE__GRAPH_UNITS];
    struct heddle__graph_unit unit[HEDDLE__GRAPH_UNITS + 1]; /* the last one may be a caller that only watches */
    const char *class_name[HEDDLE__GRAPH_UNITS];
    int memory_device[HEDDLE__DEVICES + 1];
    int asleep[HEDDLE__DEVICES + 1]; /* how threads wait for its device without this graph */
    bool awake;
    size_t budget[HEDDLE__DEVICES + 1], taken[HEDDLE__DEVICES + 1]; /* bytes of each memory */
    struct heddle__cores cores;
    const struct heddle_graph_policy *policy;
    bool asked; /* for, by the program or HEDDLE_GRAPH */

    /* pieces.c */
    struct heddle__graph_piece *piece;
    int pieces;
    struct heddle__graph_block *block;
    int blocks;
    long version;
    bool pulled;

    /* run.c */
    pthread_mutex_t lock;
    pthread_cond_t arrived; /* copies */
    int *left;              /* [task] that it waits for */
    char *state;            /* [task] */
    int state_room;
    int unfinished, ready, busy, living, spinning;
    int ready_on[HEDDLE__GRAPH_UNITS + 1]; /* [class] ready tasks that it can run */
    int turn;                              /* who is asked first */
    bool over, started;
    bool clean;      /* the host's memory is as it was when the iteration began, which it can begin from again */
    bool again;      /* data was lost: nothing begins until it is there again */
    bool runs;       /* ... which it can be while an iteration runs */
    int lost_device; /* with it */
    int gone;        /* devices that were lost */
    struct heddle__graph_old *old;
    int olds, old_room;
    char *kept;
    size_t kept_bytes, keeps; /* keeps: at most */
    int *ended, ends;         /* tasks in the order in which they ended; ~task: it cannot run a second time */
    int abandoned;
    double timeout;
    int replay;                           /* HEDDLE_TUNE=graph-replay: 0: off; 1: on GPUs; 2: everywhere */
    struct heddle__graph_whole *segments; /* run's, where units run them; NULL: no */

    /* for the report */
    long iterations, tasks, shapes, replays, opens, wholes, segmented;
    double moved, seconds, start;
    uint64_t mark; /* heddle__decision_mark */
    bool explains, refused, told_open, told_strange, told_left;
};
HEDDLE_HIDDEN void heddle__graph_run(struct heddle__graph_engine *e);
HEDDLE_HIDDEN void heddle__graph_stop_units(struct heddle__graph_engine *e);
HEDDLE_HIDDEN bool heddle__graph_all_at_home(const struct heddle__graph_engine *e);

/* ---- crew.c: before an iteration, how many threads of the host take part; after it, what it took -------------------
 */
HEDDLE_HIDDEN void heddle__graph_crew(struct heddle__graph_engine *e);
HEDDLE_HIDDEN void heddle__graph_crew_note(struct heddle__graph_engine *e, double seconds);

/* ---- whole.c ----------------------------------------------------------------------------------------------------- */
/* False: this iteration is no single launch, and nothing was done; units may run its segments. */
HEDDLE_HIDDEN bool heddle__graph_whole(struct heddle__graph_engine *e);
/* It took so long, with all that comes home behind it. */
HEDDLE_HIDDEN void heddle__graph_whole_note(struct heddle__graph_engine *e, bool whole, double seconds);
HEDDLE_HIDDEN void heddle__graph_whole_free(struct heddle__graph_whole *w);

/* ---- machine.c: units, and the policy ---------------------------------------------------------------------------- */
HEDDLE_HIDDEN bool heddle__graph_make_machine(struct heddle__graph_engine *e, bool devices);
HEDDLE_HIDDEN void heddle__graph_free_machine(struct heddle__graph_engine *e);
/* Threads that wait for the machine's GPUs keep their cores, until it is taken back. */
HEDDLE_HIDDEN void heddle__graph_awake(struct heddle__graph_engine *e, bool awake);
HEDDLE_HIDDEN const struct heddle_graph_policy *heddle__graph_choose(const struct heddle__graph_engine *e,
                                                                     double *parameter);
/* Of the target regions: they are all of one file. */
HEDDLE_HIDDEN bool heddle__graph_has_code(const struct heddle__graph_engine *e, int device);
/* A copy between memories took so long. */
HEDDLE_HIDDEN void heddle__graph_note_copy(struct heddle__graph_engine *e, int from, int to, double bytes,
                                           double seconds);

/* ---- scene.c: HEDDLE_GRAPH_RECORD. An iteration has run; last: the block has ended. A shape that goes. */
HEDDLE_HIDDEN void heddle__graph_scene(struct heddle__graph_engine *e, bool last);
HEDDLE_HIDDEN void heddle__graph_scene_forget(const struct heddle__graph_engine *e,
                                              const struct heddle__graph_shape *s);

/* ---- report.c ---------------------------------------------------------------------------------------------------- */
HEDDLE_HIDDEN void heddle__graph_report_all(struct heddle__graph_engine *e, double seconds);

#endif
