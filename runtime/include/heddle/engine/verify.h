/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `heddle cc --verify` puts into a program: the serial program says where each directive's loop, iteration and
 * task begins and ends, and libheddle-verify compares every load and store between the marks with the order that the
 * directive allows. The translator emits the calls; a program has no reason to make them itself.
 *
 * One loop:
 *     static const struct heddle_verify_site site = {.file = "a.c", .line = 10, …};
 *     heddle_verify_begin(&site);
 *     for (…) { heddle_verify_iteration(i, 0, 0); do BODY while (0); heddle_verify_done(); }
 *     heddle_verify_end();
 *
 * A pool has heddle_verify_task(…) … heddle_verify_task_done() around its tasks, loops of the kind TASKLOOP inside, and
 * heddle_verify_wait() at `taskwait`. This header includes no other than bounds.h, so that it may stand before
 * everything.
 */
#ifndef HEDDLE_VERIFY_H
#define HEDDLE_VERIFY_H

#include <heddle/engine/bounds.h>

enum heddle_verify_kind {
    HEDDLE_VERIFY_FOR,
    HEDDLE_VERIFY_WAVEFRONT,
    HEDDLE_VERIFY_TASKLOOP,
    HEDDLE_VERIFY_POOL,
    HEDDLE_VERIFY_TASK
};
enum { HEDDLE_VERIFY_DIMS = 3, HEDDLE_VERIFY_SINKS = 24 };
/* Sections that an iteration or a pool has, and what becomes of them on a device; the values are those of the map
 * clause. */
enum heddle_verify_map {
    HEDDLE_VERIFY_TO = 1,
    HEDDLE_VERIFY_FROM = 2,
    HEDDLE_VERIFY_TOFROM = 3,
    HEDDLE_VERIFY_ALLOC = 0
};
enum { HEDDLE_VERIFY_MAPPED = 1 }; /* flags: all that iterations come to is in sections, or local */
enum { HEDDLE_VERIFY_IN, HEDDLE_VERIFY_OUT };

struct heddle_verify_site { /* a directive in the source; static storage */
    const char *file;
    int line, column;
    int kind, flags;
    int dims;                             /* loop variables */
    const char *name[HEDDLE_VERIFY_DIMS]; /* ... and what they are called */
    int sinks;                            /* how far back an iteration's predecessors are, in iterations of each loop */
    long sink[HEDDLE_VERIFY_SINKS][HEDDLE_VERIFY_DIMS];
};

#ifdef __cplusplus
extern "C" {
#endif
/* A loop, or the block of a pool. One inside an iteration or a task belongs to that. */
void heddle_verify_begin(const struct heddle_verify_site *site);
void heddle_verify_end(void);
/* An iteration by its loop variables, outermost first; 0 for those that are not there. */
void heddle_verify_iteration(long i, long j, long k);
/* A task. waits: it counts as done only when the tasks that it makes are. */
void heddle_verify_task(const struct heddle_verify_site *site, int waits);
void heddle_verify_task_done(void);
void heddle_verify_depend(const void *address, int type); /* of the next task */
void heddle_verify_done(void);                            /* the iteration ends */
void heddle_verify_wait(void);                            /* taskwait */
/* The bytes belong to the iteration alone: declared in it. */
void heddle_verify_own(const volatile void *p, unsigned long bytes);
/* ... and are filled by it before it reads them, as private(name) says. */
void heddle_verify_private(const char *name, const volatile void *p, unsigned long bytes);
/* Each iteration (or the task that comes next) has its own copy of the bytes: reductions, firstprivate, captured
 * variables. */
void heddle_verify_copied(const volatile void *p, unsigned long bytes);
/* A variable of the function that holds the directive, declared outside of it: what else lies in the function's frame
   is nobody else's. Naming its address also keeps it in memory, where accesses are seen. */
void heddle_verify_shared(const volatile void *p, unsigned long bytes);
/* Section number k of the loop, or of the iteration that comes next. */
void heddle_verify_section(int k, const char *name, int map, const volatile void *p, long first, long count,
                           unsigned long element);
/* In a nest: what it carries from cell to cell is stored here, rows or columns one over the other; only the values have
 * to arrive. */
void heddle_verify_carried(int k, const volatile void *p, unsigned long bytes);
/* After a nest: the cell's value is lost on a device (kept 0), or is there (1). */
void heddle_verify_cell(const char *name, const volatile void *p, unsigned long bytes, int kept);
#ifdef __cplusplus
}
#endif
#endif
