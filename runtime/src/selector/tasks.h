/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks with `depend` of an unmodified program, as clang passes them to libomp: what each says that it reads and
 * writes, in bytes. libomp orders tasks by the first address of an item alone; here stands the rest.
 */
#ifndef HEDDLE_SELECT_TASKS_H
#define HEDDLE_SELECT_TASKS_H

#include "core/internal.h"
#include "graph/plan/ranges.h"
#include <stdint.h>

/* clang's; base 0 with DEPEND_ALL: omp_all_memory. */
struct depend_item {
    uintptr_t base;
    size_t bytes;
    uint8_t kind;
};
enum { DEPEND_IN = 1, DEPEND_OUT = 2, DEPEND_MUTEX = 4, DEPEND_SET = 8, DEPEND_ALL = 0x80 };

enum { TASK_UNORDERED = 4 };
struct task {
    void *routine;                  /* libomp's own, of the program */
    const char *where;              /* ";file;function;line;column;;" */
    const void *self, *parent;      /* tell libomp's tasks apart while they run; NULL: not known */
    long number;                    /* in the order of the program; -1: nobody follows it */
    long unordered[TASK_UNORDERED]; /* earlier tasks that overlap and that libomp does not put before it */
    int unordereds, count;
    uint64_t large;              /* of the items, a bit each: large blocks that were there when it was made */
    unsigned long epoch;         /* graph.c */
    int node;                    /* ... in it; -1: not one of its tasks */
    struct heddle__range item[]; /* `count` of them */
};

HEDDLE_HIDDEN bool heddle__tasks_wanted(void); /* the selector is on, and does more than to pass on */
/* Before libomp is told of it. NULL: out of memory, or nothing to know. */
HEDDLE_HIDDEN struct task *heddle__task_submit(void *routine, const char *where, int32_t thread,
                                               const struct depend_item *item, int count);
/* The items of a task that its thread runs at once: nobody follows it. */
HEDDLE_HIDDEN struct task *heddle__task_make(const char *where, const struct depend_item *item, int count);
HEDDLE_HIDDEN void heddle__task_drop(struct task *t); /* that never began */
/* The calling thread begins and ends it; `begin` returns what to give to `end`. */
HEDDLE_HIDDEN struct task *heddle__task_begin(struct task *t, int32_t thread);
HEDDLE_HIDDEN void heddle__task_end(struct task *t, struct task *before);
/* The task that called, where that is known to be one of these. */
HEDDLE_HIDDEN struct task *heddle__task_current(void);
/* Does it say that it reads all of [from, to), and does it say nowhere that it writes some of it? */
HEDDLE_HIDDEN bool heddle__task_only_reads(const struct task *t, uintptr_t from, uintptr_t to);
HEDDLE_HIDDEN void heddle__tasks_forget(void); /* in the child of a fork */

#endif
