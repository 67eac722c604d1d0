/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tasks with `depend` say of themselves, and what libomp does not see of it: it orders tasks whose items begin at
 * the same address. Items that overlap otherwise are in no order; that is said once, when two such tasks do run at the
 * same time. The program's order stays as it is.
 */
#include "tasks.h"
#include "graph.h"
#include "selector.h"
#include <stdlib.h>
#include <string.h>

static _Thread_local struct task *current;
static struct heddle__ranges *ranges; /* of the tasks that have not ended; NULL: none yet, or no memory for them */
static struct task **alive;           /* [number - first]; NULL: ended */
static long first, last, room;        /* numbers of those: first … last - 1 */
static long kept;                     /* of `ranges`, after it was cleared up */
static bool lost_track, told_order, told_freed;

bool heddle__tasks_wanted(void) { return heddle__sel.active && !heddle__sel.fixed; }

/* libomp's task that the thread is in. */
static const void *self(int32_t thread) {
    void **(*handle)(int32_t) = heddle__real_tasks()->task_handle;
    return handle ? handle(thread) : NULL;
}

struct task *heddle__task_make(const char *where, const struct depend_item *item, int count) {
    struct task *t = malloc(sizeof *t + (size_t)count * sizeof *t->item);
    if (!t)
        return NULL;
    *t = (struct task){.where = where, .number = -1, .count = count, .node = -1};
    for (int k = 0; k < count; k++) {
        const bool all = item[k].kind & DEPEND_ALL, writes = item[k].kind & ~DEPEND_IN;
        const uintptr_t from = item[k].base, to = from + (item[k].bytes ? item[k].bytes : 1);
        t->item[k] = all ? (struct heddle__range){0, UINTPTR_MAX, true}
                         : (struct heddle__range){from, to < from ? UINTPTR_MAX : to, writes};
    }
    return t;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static bool is_all(const struct heddle__range *r) { return r->end == UINTPTR_MAX; }

/* Does libomp put one before the other? */
static bool ordered_by_libomp(const struct task *a, const struct task *b) {
    for (int j = 0; j < a->count; j++)
        for (int k = 0; k < b->count; k++)
            if ((a->item[j].begin == b->item[k].begin && (a->item[j].writes || b->item[k].writes)) ||
                is_all(&a->item[j]) || is_all(&b->item[k]))
                return true;
    return false;
}

static void forget_ended(void) {
    long ended = 0;
    while (first + ended < last && !alive[ended])
        ended++;
    memmove(alive, alive + ended, (size_t)(last - first - ended) * sizeof *alive);
    first += ended;
    heddle__ranges_forget(ranges, first);
    kept = heddle__ranges_kept(ranges);
}

/* False: no memory; then nobody is followed until all that are have ended. */
static bool follow(struct task *t) {
    enum { WORTH = 256 };
    const long *before;
    if (!ranges && !(ranges = heddle__ranges_make()))
        return false;
    if (last > first && (heddle__ranges_kept(ranges) > 2 * kept + WORTH || last - first == room))
        forget_ended();
    if (last - first == room) {
        struct task **more = realloc(alive, (size_t)(room ? 2 * room : 64) * sizeof *more);
        if (!more)
            return false;
        alive = more;
        room = room ? 2 * room : 64;
    }
    const long count = heddle__ranges_add(ranges, t->item, t->count, &before);
    if (count < 0)
        return false;
    t->number = last++;
    alive[t->number - first] = t;
    for (long k = 0; k < count; k++) {
        const struct task *e = before[k] < first ? NULL : alive[before[k] - first];
        if (e && e->parent == t->parent && t->unordereds < TASK_UNORDERED && !ordered_by_libomp(e, t))
            t->unordered[t->unordereds++] = before[k];
    }
    return true;
}

static void unfollow(const struct task *t) {
    if (t->number < first || t->number >= last)
        return;
    alive[t->number - first] = NULL;
    if (t->number == first && last - first == 1) { /* all have ended */
        heddle__ranges_clear(ranges);
        first = last = kept = 0;
        lost_track = false;
    }
}

struct task *heddle__task_submit(void *routine, const char *where, int32_t thread, const struct depend_item *item,
                                 int count) {
    struct task *t = heddle__task_make(where, item, count);
    if (!t)
        return NULL;
    t->routine = routine;
    t->parent = self(thread);
    for (int k = 0; k < count && k < 64 && !told_freed; k++)
        t->large |= (uint64_t)(heddle__memory_is_large(t->item[k].begin, t->item[k].end) &&
                               !heddle__memory_is_gone(t->item[k].begin))
                    << k;
    heddle__lock();
    if (!told_order && !lost_track)
        lost_track = !follow(t);
    heddle__iteration_submit(t);
    heddle__unlock();
    return t;
}

/* ---- what is told of it ------------------------------------------------------------------------------------------ */

static const char *place_of(const char *where, char *text, size_t size) {
    const char *at = where ? where : "", *end[4] = {0};
    for (int k = 0; k < 4 && (at = strchr(at, ';')); k++)
        end[k] = at++;
    if (!end[3] || !strncmp(where, ";unknown;", 9))
        snprintf(text, size, "a task (compile with -g to see where)");
    else /* ;file;function;line; */
        snprintf(text, size, "%.*s:%.*s", (int)(end[1] - end[0]) - 1, end[0] + 1, (int)(end[3] - end[2]) - 1,
                 end[2] + 1);
    return text;
}

/* A task begins while one that overlaps has not ended. Lock held. */
static void tell_order(const struct task *t) {
    char here[256], there[256];
    for (int k = 0; k < t->unordereds && !told_order; k++) {
        const struct task *e = t->unordered[k] < first ? NULL : alive[t->unordered[k] - first];
        if (!e)
            continue;
        told_order = true;
        heddle__warn(NULL,
                     "%s: depends on bytes that %s works on, from another first address: OpenMP puts these two in no "
                     "order; name the same section in both, or one item for both",
                     place_of(t->where, here, sizeof here), place_of(e->where, there, sizeof there));
    }
}

static void tell_freed(const struct task *t) {
    char here[256];
    for (int k = 0; k < t->count && k < 64 && !told_freed; k++)
        if (t->large >> k & 1 && heddle__memory_is_gone(t->item[k].begin)) {
            told_freed = true;
            heddle__warn(NULL,
                         "%s: depends on %zu bytes at %p that are not there any more: freed before the task began; "
                         "wait for the task (taskwait) before",
                         place_of(t->where, here, sizeof here), (size_t)(t->item[k].end - t->item[k].begin),
                         (void *)t->item[k].begin);
        }
}

/* ---- while it runs ----------------------------------------------------------------------------------------------- */

struct task *heddle__task_begin(struct task *t, int32_t thread) {
    struct task *before = current;
    t->self = self(thread);
    current = t;
    if (t->unordereds && !told_order) {
        heddle__lock();
        tell_order(t);
        heddle__unlock();
    }
    if (t->large)
        tell_freed(t);
    return before;
}

void heddle__task_drop(struct task *t) { free(t); }

void heddle__task_end(struct task *t, struct task *before) {
    current = before;
    if (t->number >= 0 || t->node >= 0) {
        heddle__lock();
        if (t->number >= 0)
            unfollow(t);
        heddle__iteration_end(t);
        heddle__unlock();
    }
    free(t);
}

struct task *heddle__task_current(void) {
    const struct real *real = heddle__real_tasks();
    if (!current || !current->self || !real->thread_number || current->self != self(real->thread_number(NULL)))
        return NULL; /* another task runs while that one waits */
    return current;
}

bool heddle__task_only_reads(const struct task *t, uintptr_t from, uintptr_t to) {
    bool reads = false;
    for (int k = 0; k < t->count; k++) {
        const struct heddle__range *r = &t->item[k];
        if (r->writes && r->begin < to && from < r->end)
            return false;
        reads |= !r->writes && r->begin <= from && to <= r->end;
    }
    return reads;
}

void heddle__tasks_forget(void) {
    if (ranges)
        heddle__ranges_clear(ranges);
    first = last = kept = 0;
    heddle__iteration_forget();
}
