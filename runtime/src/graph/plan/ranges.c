/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory as segments that do not overlap, each with its last writer and the readers since. They are cut where a range
 * begins or ends, and stand in a list by address and in a treap (Aragon and Seidel 1989) that finds the place in it.
 * Lists of readers are cells that are never changed, so both parts of a cut segment go on with the same one.
 */
#include "ranges.h"
#include <stdlib.h>
#include <string.h>

enum { NONE = -1, HEAD = 0 }; /* segment HEAD is empty and before all others */

struct segment {
    uintptr_t begin, end;
    long writer; /* NONE */
    int readers; /* a cell, or NONE */
    int next;    /* in the list */
    int left, right;
    uint32_t priority;
};
struct cell {
    long task;
    int next;
};
struct heddle__ranges {
    struct segment *segment;
    struct cell *cell;
    long *before, *seen; /* seen[task - first] == tasks + 1: in `before` already */
    int segments, cells, root;
    long segment_room, cell_room, before_room, seen_room;
    long tasks, first, befores; /* tasks before `first` have ended */
    uint32_t random;
    bool failed;
};

/* The array with room for one element more; NULL: out of memory, and it stays as it is. */
static void *grow(void *array, long count, long *room, size_t size) {
    if (count < *room)
        return array;
    const long more = *room ? 2 * *room : 64;
    void *larger = realloc(array, (size_t)more * size);
    if (larger)
        *room = more;
    return larger;
}

static void empty(struct heddle__ranges *r) {
    r->segment[HEAD] = (struct segment){.writer = NONE, .readers = NONE, .next = NONE, .left = NONE, .right = NONE};
    r->segment[HEAD].priority = UINT32_MAX;
    r->segments = 1;
    r->root = HEAD;
}

struct heddle__ranges *heddle__ranges_make(void) {
    struct heddle__ranges *r = calloc(1, sizeof *r);
    if (r && (r->segment = grow(NULL, 0, &r->segment_room, sizeof *r->segment))) {
        r->random = 1;
        empty(r);
        return r;
    }
    free(r);
    return NULL;
}

void heddle__ranges_free(struct heddle__ranges *r) {
    if (!r)
        return;
    free(r->segment);
    free(r->cell);
    free(r->before);
    free(r->seen);
    free(r);
}

long heddle__ranges_tasks(const struct heddle__ranges *r) { return r->tasks; }
long heddle__ranges_kept(const struct heddle__ranges *r) { return r->segments + (long)r->cells; }

void heddle__ranges_clear(struct heddle__ranges *r) {
    empty(r);
    r->cells = 0;
    r->tasks = r->first = r->befores = 0;
    r->failed = false;
    if (r->seen)
        memset(r->seen, 0, (size_t)r->seen_room * sizeof *r->seen);
}

/* ---- segments ---------------------------------------------------------------------------------------------------- */
/* The last segment that begins at or before the address. */
static int find(const struct heddle__ranges *r, uintptr_t at) {
    int found = HEAD;
    for (int s = r->root; s != NONE;) {
        const bool behind = r->segment[s].begin <= at;
        found = behind ? s : found;
        s = behind ? r->segment[s].right : r->segment[s].left;
    }
    return found;
}

static uint32_t priority(struct heddle__ranges *r) {
    r->random ^= r->random << 13;
    r->random ^= r->random >> 17;
    r->random ^= r->random << 5;
    return r->random >> 1; /* below the head's */
}

static void plant(struct heddle__ranges *r, int new) {
    struct segment *const s = r->segment;
    const uintptr_t key = s[new].begin;
    int *link = &r->root;
    while (*link != NONE && s[*link].priority > s[new].priority)
        link = key < s[*link].begin ? &s[*link].left : &s[*link].right;
    int *left = &s[new].left, *right = &s[new].right;
    for (int t = *link; t != NONE;) {
        const bool lower = s[t].begin < key;
        *(lower ? left : right) = t;
        if (lower)
            left = &s[t].right;
        else
            right = &s[t].left;
        t = lower ? *left : *right;
    }
    *left = *right = NONE;
    *link = new;
}

/* A segment behind `after` in the list; NONE: out of memory. */
static int insert(struct heddle__ranges *r, int after, struct segment s) {
    struct segment *all = r->segments < INT32_MAX ? grow(r->segment, r->segments, &r->segment_room, sizeof *all) : NULL;
    if (!all)
        return NONE;
    r->segment = all;
    const int new = r->segments++;
    s.priority = priority(r);
    s.next = r->segment[after].next;
    r->segment[after].next = new;
    r->segment[new] = s;
    plant(r, new);
    return new;
}

static int fresh(struct heddle__ranges *r, int after, uintptr_t begin, uintptr_t end) {
    return insert(r, after, (struct segment){.begin = begin, .end = end, .writer = NONE, .readers = NONE});
}

/* The segment is two from now on, which meet at the address; the second is returned. */
static int cut(struct heddle__ranges *r, int s, uintptr_t at) {
    struct segment second = r->segment[s];
    second.begin = at;
    const int new = insert(r, s, second);
    if (new != NONE)
        r->segment[s].end = at;
    return new;
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */
static bool wait_for(struct heddle__ranges *r, long task) {
    if (task < r->first || task == r->tasks || r->seen[task - r->first] == r->tasks + 1)
        return true;
    long *all = grow(r->before, r->befores, &r->before_room, sizeof *all);
    if (!all)
        return false;
    r->before = all;
    r->seen[task - r->first] = r->tasks + 1;
    r->before[r->befores++] = task;
    return true;
}

static bool read(struct heddle__ranges *r, struct segment *s) {
    if (s->readers != NONE && r->cell[s->readers].task == r->tasks)
        return true;
    struct cell *all = r->cells < INT32_MAX ? grow(r->cell, r->cells, &r->cell_room, sizeof *all) : NULL;
    if (!all)
        return false;
    r->cell = all;
    r->cell[r->cells] = (struct cell){r->tasks, s->readers};
    s->readers = r->cells++;
    return wait_for(r, s->writer);
}

static bool write(struct heddle__ranges *r, struct segment *s) {
    bool good = s->readers != NONE || wait_for(r, s->writer);
    for (int c = s->readers; c != NONE && good; c = r->cell[c].next)
        good = wait_for(r, r->cell[c].task);
    s->writer = r->tasks;
    s->readers = NONE;
    return good;
}

static bool access(struct heddle__ranges *r, struct heddle__range a) {
    uintptr_t at = a.begin;
    if (a.end <= a.begin)
        a.end = a.begin + 1;
    int s = find(r, at), last = s; /* what is before `at` ends with `last` */
    if (r->segment[s].end <= at)
        s = r->segment[s].next;
    else if (r->segment[s].begin < at)
        s = cut(r, s, at);
    while (at < a.end) {
        const uintptr_t stop = s == NONE || r->segment[s].begin > a.end ? a.end : r->segment[s].begin;
        if (stop > at) /* a gap */
            s = fresh(r, last, at, stop);
        else if (r->segment[s].end > a.end && cut(r, s, a.end) == NONE)
            s = NONE;
        if (s == NONE || !(a.writes ? write : read)(r, &r->segment[s]))
            return false;
        last = s;
        at = r->segment[s].end;
        s = r->segment[s].next;
    }
    return true;
}

long heddle__ranges_add(struct heddle__ranges *r, const struct heddle__range *range, int count, const long **before) {
    const long old = r->seen_room;
    long *seen = r->failed ? NULL : grow(r->seen, r->tasks - r->first, &r->seen_room, sizeof *seen);
    r->befores = 0;
    *before = NULL;
    if (!seen) {
        r->failed = true;
        return -1;
    }
    r->seen = seen;
    if (r->seen_room > old)
        memset(r->seen + old, 0, (size_t)(r->seen_room - old) * sizeof *r->seen);
    for (int k = 0; k < count && !r->failed; k++)
        r->failed = !access(r, range[k]);
    r->tasks++;
    *before = r->before;
    return r->failed ? -1 : r->befores;
}

/* ---- tasks that have ended --------------------------------------------------------------------------------------- */
/* Cells move up; a list that several segments share stays shared. */
static void move_cells(struct heddle__ranges *r, int *moved) {
    int kept = 0;
    for (int c = 0; c < r->cells; c++) { /* a cell's next one is older, so it has moved before */
        const struct cell old = r->cell[c];
        moved[c] = old.task < r->first ? NONE : kept;
        if (moved[c] != NONE)
            r->cell[kept++] = (struct cell){old.task, old.next == NONE ? NONE : moved[old.next]};
    }
    r->cells = kept;
}

void heddle__ranges_forget(struct heddle__ranges *r, long ended) {
    if (ended <= r->first || r->failed)
        return;
    if (ended >= r->tasks) {
        const long tasks = r->tasks;
        heddle__ranges_clear(r);
        r->tasks = r->first = tasks;
        return;
    }
    const int segments = r->segments;
    int *moved = malloc(((size_t)r->cells + 1) * sizeof *moved);
    struct segment *old = malloc((size_t)segments * sizeof *old);
    if (moved && old) {
        memcpy(old, r->segment, (size_t)segments * sizeof *old);
        r->first = ended;
        memset(r->seen, 0, (size_t)r->seen_room * sizeof *r->seen);
        move_cells(r, moved);
        empty(r);
        for (int s = old[HEAD].next, last = HEAD; s != NONE; s = old[s].next) {
            old[s].readers = old[s].readers == NONE ? NONE : moved[old[s].readers];
            old[s].writer = old[s].writer < r->first ? NONE : old[s].writer;
            if (old[s].writer != NONE || old[s].readers != NONE)
                last = insert(r, last, old[s]); /* there is room: there are no more than before */
        }
    }
    free(moved);
    free(old);
}
