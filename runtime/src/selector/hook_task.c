/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interposed entry points of libomp for tasks with `depend`. A task's memory gets room for one pointer more, behind
 * what the compiler asked for: right before the shared variables, which libomp puts last. So the function that runs
 * instead of the task's own finds what is known of it without a table.
 */
#include "selector.h"
#include "tasks.h"
#include <stdatomic.h>
#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))
struct omp_task {
    void *shareds;
    int32_t (*routine)(int32_t thread, struct omp_task *task);
};
EXPORT void *__kmpc_omp_target_task_alloc(struct ident *loc, int32_t thread, int32_t flags, size_t task, size_t shareds,
                                          void *entry, int64_t device);
EXPORT void *__kmpc_omp_task_alloc(struct ident *loc, int32_t thread, int32_t flags, size_t task, size_t shareds,
                                   void *entry);
EXPORT int32_t __kmpc_omp_task_with_deps(struct ident *loc, int32_t thread, struct omp_task *task, int32_t count,
                                         struct depend_item *item, int32_t count_noalias, struct depend_item *noalias);
EXPORT void __kmpc_omp_taskwait_deps_51(struct ident *loc, int32_t thread, int32_t count, struct depend_item *item,
                                        int32_t count_noalias, struct depend_item *noalias, int32_t nowait);
EXPORT void __kmpc_omp_task_begin_if0(struct ident *loc, int32_t thread, struct omp_task *task);
EXPORT void __kmpc_omp_task_complete_if0(struct ident *loc, int32_t thread, struct omp_task *task);

enum { FLAG_TIED = 1, FLAG_DETACHABLE = 0x40 };
enum { WORD = sizeof(void *), ROOM = 2 * WORD }; /* libomp puts what follows at a multiple of a word */

static _Thread_local const void *made;    /* the task that this thread has allocated last, if it can be followed */
static _Thread_local struct task *waited; /* of a `taskwait depend`, which may belong to the task that comes next */
static _Thread_local struct inline_task { /* run at once by this thread */
    const struct omp_task *task;
    struct task *known, *before;
} inline_task;

static size_t task_room(size_t bytes) { return (bytes + WORD - 1) / WORD * WORD + ROOM; }
/* Atomic, since libomp's queues between the two threads are nothing that a sanitizer sees. */
static struct task *_Atomic *known(const struct omp_task *task) { return (struct task * _Atomic *)task->shareds - 1; }

static void forget_wait(void) {
    if (waited)
        heddle__task_drop(waited);
    waited = NULL;
}

static void *note_made(void *task, int32_t flags) {
    forget_wait();
    made = (flags & (FLAG_TIED | FLAG_DETACHABLE)) == FLAG_TIED ? task : NULL;
    return task;
}

/* A `target nowait` is met. It cannot stand inside a target region, so this thread's host version, if there is one, has
   ended. */
void *__kmpc_omp_target_task_alloc(struct ident *loc, int32_t thread, int32_t flags, size_t task, size_t shareds,
                                   void *entry, int64_t device) {
    const struct real *real = heddle__real_tasks();
    heddle__strange_met();
    if (heddle__host_running()) {
        const double now = heddle__now();
        heddle__lock();
        heddle__host_end(now);
        heddle__unlock();
    }
    if (!heddle__tasks_wanted())
        return real->target_task_alloc(loc, thread, flags, task, shareds, entry, device);
    return note_made(
        real->target_task_alloc(loc, thread, flags, task_room(task), shareds ? shareds : WORD, entry, device), flags);
}

void *__kmpc_omp_task_alloc(struct ident *loc, int32_t thread, int32_t flags, size_t task, size_t shareds,
                            void *entry) {
    const struct real *real = heddle__real_tasks();
    heddle__strange_met();
    if (!heddle__tasks_wanted())
        return real->task_alloc(loc, thread, flags, task, shareds, entry);
    return note_made(real->task_alloc(loc, thread, flags, task_room(task), shareds ? shareds : WORD, entry), flags);
}

static int32_t run(int32_t thread, struct omp_task *task) {
    struct task *t = atomic_load_explicit(known(task), memory_order_acquire), *before = heddle__task_begin(t, thread);
    int32_t (*routine)(int32_t, struct omp_task *);
    *(void **)&routine = t->routine;
    const int32_t result = routine(thread, task);
    heddle__task_end(t, before);
    return result;
}

int32_t __kmpc_omp_task_with_deps(struct ident *loc, int32_t thread, struct omp_task *task, int32_t count,
                                  struct depend_item *item, int32_t count_noalias, struct depend_item *noalias) {
    if (made == task && task && count > 0 && !count_noalias && heddle__tasks_wanted()) {
        struct task *t = heddle__task_submit(*(void **)&task->routine, loc ? loc->source : NULL, thread, item, count);
        if (t) {
            atomic_store_explicit(known(task), t, memory_order_release);
            task->routine = run;
        }
    }
    made = NULL;
    return heddle__real_tasks()->task_with_deps(loc, thread, task, count, item, count_noalias, noalias);
}

/* `taskwait depend`, and what clang puts before a `target depend` that is not `nowait`. */
void __kmpc_omp_taskwait_deps_51(struct ident *loc, int32_t thread, int32_t count, struct depend_item *item,
                                 int32_t count_noalias, struct depend_item *noalias, int32_t nowait) {
    heddle__real_tasks()->taskwait_deps(loc, thread, count, item, count_noalias, noalias, nowait);
    forget_wait();
    if (count > 0 && !count_noalias && made && heddle__tasks_wanted())
        waited = heddle__task_make(loc ? loc->source : NULL, item, count);
}

void __kmpc_omp_task_begin_if0(struct ident *loc, int32_t thread, struct omp_task *task) {
    struct task *t = waited && made == task ? waited : NULL;
    heddle__real_tasks()->task_begin_if0(loc, thread, task);
    if (!t)
        return;
    waited = NULL;
    if (inline_task.known) { /* inside another one: its own goes without */
        heddle__task_drop(t);
        return;
    }
    inline_task = (struct inline_task){task, t, heddle__task_begin(t, thread)};
}

void __kmpc_omp_task_complete_if0(struct ident *loc, int32_t thread, struct omp_task *task) {
    if (inline_task.known && inline_task.task == task) {
        heddle__task_end(inline_task.known, inline_task.before);
        inline_task = (struct inline_task){0};
    }
    heddle__real_tasks()->task_complete_if0(loc, thread, task);
}
