/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intra-task dependences, on CPU threads: the order among the tasks that one task makes. The maker notes them with the
 * functions of the host's own tasks (depend.c), as if its tasks were a pool's nodes. A task that ends tells those that
 * wait for it under one lock, which is short beside a task.
 */
#include "cpu.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

struct waiting {
    struct dependent *dependent;
    struct waiting *next;
};
struct dependent {
    struct item *item;
    struct waiting *after; /* who waits for it */
    long unmet;            /* what it waits for, and 1 while it is being made */
    int holds, level;      /* its own and its maker's table's */
    bool done;
};
struct table {
    struct heddle__segment notes;
    struct dependent **made; /* node k of the notes */
    struct team *team;
};

/* With the lock held. */
static void drop(struct dependent *s) {
    if (--s->holds == 0)
        free(s);
}

void heddle__cpu_free_table(struct table *table) {
    struct heddle__segment *s = &table->notes;
    pthread_mutex_lock(&table->team->depend_lock);
    for (uint64_t k = 0; k < s->nodes; k++)
        drop(table->made[k]);
    pthread_mutex_unlock(&table->team->depend_lock);
    heddle__depend_free(s);
    free(table->made);
    free(table);
}

void heddle__cpu_end_dependent(struct thread *t, struct dependent *dependent) {
    struct waiting *ready = NULL;
    pthread_mutex_lock(&t->team->depend_lock);
    dependent->done = true;
    for (struct waiting *w = dependent->after, *next; w; w = next) {
        next = w->next;
        if (--w->dependent->unmet == 0) {
            w->next = ready;
            ready = w;
        } else {
            free(w);
        }
    }
    dependent->after = NULL;
    drop(dependent);
    pthread_mutex_unlock(&t->team->depend_lock);
    for (struct waiting *next; ready; ready = next) {
        next = ready->next;
        heddle__cpu_make_ready(t, ready->dependent->level, (uint64_t)(uintptr_t)ready->dependent->item);
        free(ready);
    }
}

/* Room for one more node; false: no memory. */
static bool reserve(struct thread *t) {
    if (!t->table) {
        t->table = calloc(1, sizeof *t->table);
        if (!t->table)
            return false;
        t->table->team = t->team;
    }
    struct table *table = t->table;
    struct heddle__segment *s = &table->notes;
    if (s->nodes < s->node_capacity)
        return true;
    const uint64_t capacity = s->node_capacity ? 2 * s->node_capacity : 64;
    uint32_t *start = realloc(s->before_start, (capacity + 2) * sizeof *start);
    s->before_start = start ? start : s->before_start;
    struct dependent **made = realloc(table->made, capacity * sizeof(struct dependent *));
    table->made = made ? made : table->made;
    if (!start || !made)
        return false;
    s->node_capacity = capacity;
    return true;
}

/* Its predecessors that are not done get it on their lists. */
static bool link_behind(const struct table *table, struct dependent *dependent) {
    const struct heddle__segment *s = &table->notes;
    bool ok = true;
    pthread_mutex_lock(&table->team->depend_lock);
    for (uint64_t e = 0; ok && e < s->edges; e++) {
        struct dependent *before = table->made[s->before[e]];
        struct waiting *w = before->done ? NULL : malloc(sizeof *w);
        if (w) {
            *w = (struct waiting){dependent, before->after};
            before->after = w;
            dependent->unmet++;
        }
        ok = w || before->done;
    }
    pthread_mutex_unlock(&table->team->depend_lock);
    return ok;
}

/* No memory: this thread helps until everything before it is done; then the order is kept whatever comes. */
static void await_all(struct thread *t) {
    const uint64_t count = t->table ? t->table->notes.nodes : 0;
    for (bool busy = true; busy;) {
        busy = false;
        pthread_mutex_lock(&t->team->depend_lock);
        for (uint64_t k = 0; !busy && k < count; k++)
            busy = !t->table->made[k]->done;
        pthread_mutex_unlock(&t->team->depend_lock);
        const uint64_t task = busy ? take_own(t) : 0;
        if (task)
            heddle__cpu_execute(t, task);
        else if (busy)
            sched_yield();
    }
}

/* false: no memory for a note; nothing has been made. */
static bool spawn(struct thread *t, int kind, const void *record, size_t bytes, int level,
                  const struct heddle_depend *depends, int ndepends) {
    struct dependent *dependent = reserve(t) ? malloc(sizeof *dependent) : NULL;
    if (!dependent)
        return false;
    struct heddle__segment *s = &t->table->notes;
    s->edges = 0;
    s->before_start[s->nodes] = 0;
    struct item *item = heddle__depend_add(s, depends, ndepends) ? NULL : heddle__cpu_new_item(t, kind, record, bytes);
    *dependent = (struct dependent){.item = item, .unmet = 1, .holds = 2, .level = level};
    if (!item) { /* the notes may name it already */
        dependent->done = true;
        dependent->holds = 1;
        t->table->made[s->nodes++] = dependent;
        return false;
    }
    item->dependent = dependent;
    if (!link_behind(t->table, dependent))
        await_all(t);
    t->table->made[s->nodes++] = dependent;
    t->spawned++;
    pthread_mutex_lock(&t->team->depend_lock);
    const bool ready = --dependent->unmet == 0;
    pthread_mutex_unlock(&t->team->depend_lock);
    if (ready &&
        (level || t->team->schedule == HEDDLE_POOL_GLOBAL || !deque_push(&t->deque, (uint64_t)(uintptr_t)item)))
        heddle__cpu_give(t, level, (uint64_t)(uintptr_t)item);
    return true;
}

void heddle_pool_spawn_depend(struct heddle_worker *w, int kind, const void *record, size_t bytes, int priority,
                              const struct heddle_depend *depends, int ndepends) {
    struct thread *t = w->thread;
    const int before = w->block;
    if (t->team->schedule != HEDDLE_POOL_SERIAL && !before) {
        if (spawn(t, kind, record, bytes, heddle_level_of(priority), depends, ndepends))
            return;
        await_all(t);
        w->block = 1; /* at once, with all that it makes */
    }
    heddle_pool_spawn(w, kind, record, bytes, priority);
    w->block = before;
}
