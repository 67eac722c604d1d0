/* SPDX-License-Identifier: Apache-2.0 */
/* Task pools on CPU threads: what cpu.c (which task is next) and cpu_task.c (running one) share. */
#ifndef HEDDLE_SRC_POOL_CPU_H
#define HEDDLE_SRC_POOL_CPU_H
#include "pool.h"
#include "deque.h"
#include <pthread.h>

/* A task on its way: an item's address, or an iteration or node as form | job << 4 | number << 8. */
static inline uint64_t pack(int form, int job, uint64_t number) {
    return (uint64_t)form | (uint64_t)job << 4 | number << 8;
}

struct item {
    atomic_long pending; /* tasks it waits for, and 1 while it runs itself */
    struct item *parent; /* the task above that waits, or NULL */
    struct item *next;
    uint64_t task;               /* a job's task that waits: which; else 0 */
    struct dependent *dependent; /* it has dependences; NULL: none */
    int kind, part;
    long at[3];
    _Alignas(16) char record[];
};

struct team;
struct table; /* cpu_depend.c: who used an address last */
struct thread {
    struct heddle_worker w;
    struct deque deque;
    struct team *team;
    struct item *frame; /* whose tasks the running one's are */
    struct item *free;
    void *slabs;
    struct {
        uint64_t *task;
        size_t count, capacity;
    } spill;             /* where the deque is full */
    struct table *table; /* of the task that runs, NULL: it has made no dependents */
    uint64_t handed;     /* next task, 0: none */
    int job, batch_job;
    uint64_t batch, batch_end, random;
    uint64_t done, spawned, sum, kept, shared;
};

struct team {
    const struct heddle__run *run;
    const struct heddle_pool_type *type;
    const void *env;
    struct heddle_job *job;
    int jobs, schedule, threads;
    _Atomic uint64_t ticket[HEDDLE_JOBS];
    _Alignas(128) atomic_int idle, finished;
    _Alignas(128) atomic_int waiting[HEDDLE_LEVELS]; /* tasks in the shared lists */
    pthread_mutex_t lock, depend_lock;
    struct {
        uint64_t *task;
        size_t count, capacity;
    } list[HEDDLE_LEVELS];
    struct thread **thread;
    int *names; /* of the kinds on the timeline; NULL: it is off */
};

static inline uint64_t take_handed(struct thread *t) {
    const uint64_t task = t->handed;
    t->handed = 0;
    return task;
}
static inline uint64_t take_pushed(struct thread *t) {
    const uint64_t task = deque_pop(&t->deque);
    return task || !t->spill.count ? task : t->spill.task[--t->spill.count];
}
/* The next one without regard to priorities; 0: none. */
static inline uint64_t take_own(struct thread *t) { return t->handed ? take_handed(t) : take_pushed(t); }

/* cpu_task.c */
HEDDLE_HIDDEN void heddle__cpu_execute(struct thread *t, uint64_t task);
HEDDLE_HIDDEN void heddle__cpu_make_ready(struct thread *t, int level, uint64_t task);
HEDDLE_HIDDEN uint64_t heddle__cpu_take_shared(struct team *m, int lowest);
HEDDLE_HIDDEN struct item *heddle__cpu_new_item(struct thread *t, int kind, const void *record, size_t bytes);
HEDDLE_HIDDEN void heddle__cpu_give(struct thread *t, int level, uint64_t task);

/* cpu_depend.c: a dependent's end; the end of the task that made some. */
HEDDLE_HIDDEN void heddle__cpu_end_dependent(struct thread *t, struct dependent *dependent);
HEDDLE_HIDDEN void heddle__cpu_free_table(struct table *table);

#endif
