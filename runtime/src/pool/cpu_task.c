/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A task on a CPU thread: where it waits while it is ready, running it, and what its end makes ready. A task that a
 * task makes has an item on the heap, which is also the frame it waits in.
 */
#include "cpu.h"
#include "trace/record.h"
#include <stdlib.h>
#include <string.h>

/* ---- ready tasks -------------------------------------------------------------------------------------------- */
static bool append(uint64_t **task, size_t *count, size_t *capacity, uint64_t one) {
    if (*count == *capacity) {
        const size_t more = *capacity ? 2 * *capacity : 256;
        uint64_t *grown = realloc(*task, more * sizeof *grown);
        if (!grown)
            return false;
        *task = grown;
        *capacity = more;
    }
    (*task)[(*count)++] = one;
    return true;
}

static bool put_shared(struct team *m, int level, uint64_t task) {
    pthread_mutex_lock(&m->lock);
    const bool ok = append(&m->list[level].task, &m->list[level].count, &m->list[level].capacity, task);
    pthread_mutex_unlock(&m->lock);
    if (ok)
        atomic_fetch_add(&m->waiting[level], 1);
    return ok;
}

uint64_t heddle__cpu_take_shared(struct team *m, int lowest) {
    for (int level = HEDDLE_LEVELS - 1; level >= lowest; level--) {
        uint64_t task = 0;
        if (!atomic_load_explicit(&m->waiting[level], memory_order_relaxed))
            continue;
        pthread_mutex_lock(&m->lock);
        if (m->list[level].count)
            task = m->list[level].task[--m->list[level].count];
        pthread_mutex_unlock(&m->lock);
        if (task) {
            atomic_fetch_sub(&m->waiting[level], 1);
            return task;
        }
    }
    return 0;
}

void heddle__cpu_give(struct thread *t, int level, uint64_t task) {
    struct team *m = t->team;
    t->shared++;
    if ((level || m->schedule == HEDDLE_POOL_GLOBAL) && m->schedule <= HEDDLE_POOL_GLOBAL && put_shared(m, level, task))
        return;
    if (!deque_push(&t->deque, task) && !append(&t->spill.task, &t->spill.count, &t->spill.capacity, task))
        heddle__cpu_execute(t, task); /* no memory at all: at once */
}

void heddle__cpu_make_ready(struct thread *t, int level, uint64_t task) {
    /* where priorities are used, none of the host's tasks is run before the others have been seen */
    const bool ranked = (task & 15) == HEDDLE_FORM_NODE && t->team->run->segment->levels_used;
    if (!t->handed && !level && !ranked && t->team->schedule != HEDDLE_POOL_GLOBAL) {
        t->handed = task;
        t->kept++;
    } else {
        heddle__cpu_give(t, level, task);
    }
}

/* ---- the end of a task ---------------------------------------------------------------------------------------- */
static bool meet(uint32_t *counter, uint32_t wanted) {
    return wanted == 1 || __atomic_add_fetch(counter, 1, __ATOMIC_ACQ_REL) == wanted;
}

static void release_loop(struct thread *t, int job, const struct heddle_job *j, uint64_t number) {
    int32_t at[3], after[3];
    heddle_place32_of(j, number, at);
    for (int q = 0; q < j->sinks; q++)
        if (heddle_neighbour(j, at, q, -1, after)) {
            const uint64_t next = heddle_number_of(j, after);
            if (meet(&j->counters[next], heddle_wanted(j, after)))
                heddle__cpu_make_ready(t, 0, pack(HEDDLE_FORM_LOOP, job, next));
        }
}

static void release_node(struct thread *t, int job, const struct heddle_job *j, uint64_t number) {
    for (uint32_t q = j->next_start[number]; q < j->next_start[number + 1]; q++) {
        const uint32_t next = j->next[q];
        if (meet(&j->counters[next], j->wanted[next]))
            heddle__cpu_make_ready(t, (int)j->node[2 * next + 1], pack(HEDDLE_FORM_NODE, job, next));
    }
}

static void job_task_done(struct thread *t, uint64_t task) {
    struct team *m = t->team;
    const int form = (int)(task & 15), job = (int)(task >> 4 & 15);
    const uint64_t number = task >> 8;
    struct heddle_job *j = &m->job[job];
    t->sum += (number + 1) * (2 * (uint64_t)job + 1);
    if (m->schedule == HEDDLE_POOL_STATIC)
        __atomic_store_n(&j->done[number], 1, __ATOMIC_RELEASE);
    else if (m->schedule > HEDDLE_POOL_GLOBAL)
        return;
    else if (form == HEDDLE_FORM_NODE)
        release_node(t, job, j, number);
    else if (j->sinks)
        release_loop(t, job, j, number);
}

static void free_item(struct thread *t, struct item *item) {
    item->next = t->free;
    t->free = item;
}

/* `item` waits for one task less. Its own end may end the ones above. */
static void count_down(struct thread *t, struct item *item) {
    while (item && atomic_fetch_sub_explicit(&item->pending, 1, memory_order_acq_rel) == 1) {
        if (item->part != HEDDLE_PART_END) {
            heddle__cpu_make_ready(t, 0, (uint64_t)(uintptr_t)item);
            return;
        }
        struct item *parent = item->parent;
        struct dependent *dependent = item->dependent;
        const uint64_t task = item->task;
        free_item(t, item);
        t->done++;
        if (dependent)
            heddle__cpu_end_dependent(t, dependent);
        if (task)
            job_task_done(t, task);
        item = parent;
    }
}

/* ---- running -------------------------------------------------------------------------------------------------- */
static struct item *new_item(struct thread *t) {
    enum { SLAB = 64 };
    const size_t bytes = (sizeof(struct item) + t->team->type->record_bytes + 63) / 64 * 64;
    if (!t->free) {
        char *slab = aligned_alloc(64, 64 + SLAB * bytes);
        if (!slab)
            return NULL;
        *(void **)(void *)slab = t->slabs;
        t->slabs = slab;
        for (int k = 0; k < SLAB; k++)
            free_item(t, (struct item *)(void *)(slab + 64 + (size_t)k * bytes));
    }
    struct item *item = t->free;
    t->free = item->next;
    return item;
}

static bool waits(const struct team *m, int kind) { return m->type->flags[kind] & HEDDLE_TASK_WAITS; }

/* A task that has come to its end or to a taskwait has no dependents to order any more. */
static void forget(struct thread *t) {
    if (t->table)
        heddle__cpu_free_table(t->table);
    t->table = NULL;
}

/* A task in program order with everything it makes, on this thread's stack. */
static void run_serially(struct thread *t, int kind, void *record, const long *at) {
    struct item *frame = t->frame;
    int part = 0;
    t->frame = NULL;
    do
        part = t->team->type->run(&t->w, t->team->env, kind, record, at, part);
    while (part > 0);
    t->frame = frame;
}

static void run_item(struct thread *t, struct item *item) {
    const bool kind_waits = waits(t->team, item->kind);
    t->frame = kind_waits ? item : item->parent;
    if (kind_waits && item->part)
        atomic_store_explicit(&item->pending, 1, memory_order_relaxed);
    const int next = t->team->type->run(&t->w, t->team->env, item->kind, item->record, item->at, item->part);
    forget(t);
    item->part = kind_waits && next > 0 ? next : HEDDLE_PART_END;
    count_down(t, item);
}

static void run_job_task(struct thread *t, uint64_t task) {
    struct team *m = t->team;
    const struct heddle_job *j = &m->job[task >> 4 & 15];
    const uint64_t number = task >> 8;
    long at[3] = {0, 0, 0};
    int kind = j->kind;
    char *record = (char *)(uintptr_t)j->record;
    if (j->form == HEDDLE_FORM_NODE) {
        kind = (int)j->node[2 * number];
        record += number * m->type->record_bytes;
    } else {
        heddle_place_of(j, number, at);
    }
    struct item *item = waits(m, kind) && m->schedule != HEDDLE_POOL_SERIAL ? new_item(t) : NULL;
    if (item) {
        atomic_init(&item->pending, 1);
        item->parent = NULL;
        item->dependent = NULL;
        item->task = task;
        item->kind = kind;
        item->part = 0;
        memcpy(item->at, at, sizeof at);
        memcpy(item->record, record, m->type->record_bytes);
        run_item(t, item);
        return;
    }
    if (waits(m, kind) || m->schedule == HEDDLE_POOL_SERIAL) {
        _Alignas(16) char copy[HEDDLE_RECORD_MAX];
        memcpy(copy, record, m->type->record_bytes);
        const int schedule = m->schedule;
        if (schedule != HEDDLE_POOL_SERIAL) /* no memory for a frame: only this thread must run what it makes */
            t->w.block = 1;
        run_serially(t, kind, copy, at);
        t->w.block = 0;
    } else {
        t->frame = NULL;
        m->type->run(&t->w, m->env, kind, record, at, 0);
        forget(t);
    }
    t->done++;
    job_task_done(t, task);
}

static int kind_of(const struct team *m, uint64_t task) {
    const struct heddle_job *j = &m->job[task >> 4 & 15];
    if (!(task & 15))
        return ((const struct item *)(uintptr_t)task)->kind;
    return j->form == HEDDLE_FORM_NODE ? (int)j->node[2 * (task >> 8)] : j->kind;
}

void heddle__cpu_execute(struct thread *t, uint64_t task) {
    struct item *frame = t->frame;
    struct table *table = t->table; /* a task may run in the middle of the one that made it */
    const int *names = t->team->names;
    const int name = names ? names[kind_of(t->team, task)] : 0;
    t->table = NULL;
    const int64_t begin = names ? heddle__trace_now() : 0;
    if (task & 15)
        run_job_task(t, task);
    else
        run_item(t, (struct item *)(uintptr_t)task);
    t->frame = frame;
    t->table = table;
    if (names)
        heddle__trace_span(heddle__trace_thread(), name, begin, heddle__trace_now());
}

/* NULL: no memory, or everything is to run at once. */
struct item *heddle__cpu_new_item(struct thread *t, int kind, const void *record, size_t bytes) {
    struct item *item = t->team->schedule == HEDDLE_POOL_SERIAL || t->w.block ? NULL : new_item(t);
    if (!item)
        return NULL;
    atomic_init(&item->pending, 1);
    item->parent = t->frame;
    item->dependent = NULL;
    item->task = 0;
    item->kind = kind;
    item->part = 0;
    memcpy(item->record, record, bytes);
    if (t->frame)
        atomic_fetch_add_explicit(&t->frame->pending, 1, memory_order_relaxed);
    return item;
}

void heddle_pool_spawn(struct heddle_worker *w, int kind, const void *record, size_t bytes, int priority) {
    struct thread *t = w->thread;
    const int level = heddle_level_of(priority);
    t->spawned++;
    struct item *item = heddle__cpu_new_item(t, kind, record, bytes);
    if (!item) {
        _Alignas(16) char copy[HEDDLE_RECORD_MAX];
        const long at[3] = {0, 0, 0};
        memcpy(copy, record, bytes);
        const int before = w->block;
        w->block = 1; /* marks that tasks made by this one run at once, too */
        run_serially(t, kind, copy, at);
        w->block = before;
        t->done++;
        return;
    }
    const uint64_t task = (uint64_t)(uintptr_t)item;
    if (level || t->team->schedule == HEDDLE_POOL_GLOBAL)
        heddle__cpu_give(t, level, task);
    else if (!deque_push(&t->deque, task))
        heddle__cpu_execute(t, task); /* enough for everybody: at once, depth first */
}
