/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intra-task dependences, on a device: the order among the tasks that one task makes. Part of
 * heddle/engine/pool/worker.h.
 *
 * A child with a depend clause ("dependent") has a frame from the time it is made until it is done and its maker's
 * table has forgotten it. The frame's `pending` counts what it waits for. `task` is the list of dependents that wait
 * for it; its end closes the list. A place in that list is number * HEDDLE_LINKS + which of the waiting one's links
 * goes on. Only the maker adds to a list and only the end closes it, so a compare-and-swap is repeated once at most.
 * More predecessors than links are gathered by dependents without code of their own (HEDDLE_DEPENDENT_JOIN).
 *
 * The maker's table says who used an address last. It belongs to the worker and lives while the task runs, or its part
 * up to a taskwait. Where it is full, the new dependent waits for everything in it, and all later ones wait for that
 * dependent ("base"): no order is lost, only some parallelism.
 */
enum {
    HEDDLE_LINKS = 6,
    HEDDLE_DEPENDENT_JOIN = -1, /* as kind */
    HEDDLE_USERS = 256,
    HEDDLE_READERS = 512,
    HEDDLE_BEFORE = HEDDLE_USERS + HEDDLE_READERS + 64
};
#define HEDDLE_DEPENDENT_DONE (~0ull)
#define HEDDLE_BEFORE_DROP 0x80000000u /* the table does not hold it any more */

struct heddle_depend_table {
    uint32_t users, free_reader, new_reader, base, before_count, pad[3];
    struct {
        uint64_t address;
        uint32_t writer, readers;
    } user[HEDDLE_USERS];
    struct {
        uint32_t dependent, next;
    } reader[HEDDLE_READERS];
    uint32_t before[HEDDLE_BEFORE]; /* of the dependent that is being made */
};

HEDDLE_DEVICE struct heddle_depend_table *heddle_table(const struct heddle_worker *w) {
    return (struct heddle_depend_table *)(void *)(w->plan->depend_tables +
                                                  (uint64_t)w->number * sizeof(struct heddle_depend_table));
}
HEDDLE_DEVICE uint32_t *heddle_link(const struct heddle_worker *w, uint64_t place) {
    return (uint32_t *)(void *)&heddle_frame_at(w, (uint32_t)(place / HEDDLE_LINKS))->pad[1] + place % HEDDLE_LINKS;
}

/* ---- the table: the first lane alone ------------------------------------------------------------------------ */
HEDDLE_DEVICE void heddle_hold(const struct heddle_worker *w, uint32_t dependent) {
    heddle_add_relaxed(&heddle_frame_at(w, dependent)->pad[0], 1);
}

HEDDLE_DEVICE void heddle_before(struct heddle_depend_table *s, uint32_t dependent, uint32_t drop) {
    if (dependent)
        s->before[s->before_count++] = dependent | drop;
}

/* -1: no room. */
HEDDLE_DEVICE int heddle_user(struct heddle_depend_table *s, uint64_t address) {
    uint32_t k = (uint32_t)((address * 0x9e3779b97f4a7c15ull) >> 56) % HEDDLE_USERS;
    while (s->user[k].address && s->user[k].address != address)
        k = (k + 1) % HEDDLE_USERS;
    if (!s->user[k].address) {
        if (s->users >= HEDDLE_USERS * 3 / 4)
            return -1;
        s->users++;
        s->user[k].address = address;
    }
    return (int)k;
}

HEDDLE_DEVICE void heddle_drop_readers(struct heddle_depend_table *s, int user) {
    for (uint32_t r = s->user[user].readers, next = 0; r; r = next) {
        next = s->reader[r - 1].next;
        heddle_before(s, s->reader[r - 1].dependent, HEDDLE_BEFORE_DROP);
        s->reader[r - 1].next = s->free_reader;
        s->free_reader = r;
    }
    s->user[user].readers = 0;
}

HEDDLE_DEVICE int heddle_add_reader(struct heddle_depend_table *s, int user, uint32_t dependent) {
    uint32_t r = s->free_reader;
    if (r)
        s->free_reader = s->reader[r - 1].next;
    else if (s->new_reader < HEDDLE_READERS)
        r = ++s->new_reader;
    else
        return 0;
    s->reader[r - 1].dependent = dependent;
    s->reader[r - 1].next = s->user[user].readers;
    s->user[user].readers = r;
    return 1;
}

/* One dependence. 0: no room. */
HEDDLE_DEVICE int heddle_note(struct heddle_worker *w, struct heddle_depend_table *s, uint32_t dependent,
                              const struct heddle_depend *d) {
    const int user = heddle_user(s, (uint64_t)(uintptr_t)d->address);
    if (user < 0)
        return 0;
    if (d->kind == HEDDLE_DEPEND_IN) {
        if (!heddle_add_reader(s, user, dependent))
            return 0;
        heddle_hold(w, dependent);
        heddle_before(s, s->user[user].writer, 0);
        return 1;
    }
    heddle_drop_readers(s, user);
    heddle_before(s, s->user[user].writer, HEDDLE_BEFORE_DROP);
    s->user[user].writer = dependent;
    heddle_hold(w, dependent);
    return 1;
}

/* Everything in the table comes before; then it is empty. */
HEDDLE_DEVICE void heddle_empty(struct heddle_depend_table *s) {
    for (int k = 0; k < HEDDLE_USERS; k++) {
        if (!s->user[k].address)
            continue;
        heddle_drop_readers(s, k);
        heddle_before(s, s->user[k].writer, HEDDLE_BEFORE_DROP);
        s->user[k].address = 0;
        s->user[k].writer = 0;
    }
    heddle_before(s, s->base, HEDDLE_BEFORE_DROP);
    s->users = s->free_reader = s->new_reader = s->base = 0;
}

/* Reads first: `depend(in: x) depend(out: x)` must see the earlier writer, and not itself. */
HEDDLE_DEVICE void heddle_find_before(struct heddle_worker *w, struct heddle_depend_table *s, uint32_t dependent,
                                      const struct heddle_depend *d, int n) {
    s->before_count = 0;
    heddle_before(s, s->base, 0);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < n; k++)
            if ((d[k].kind == HEDDLE_DEPEND_IN) == !pass && !heddle_note(w, s, dependent, &d[k])) {
                heddle_empty(s);
                s->base = dependent;
                heddle_hold(w, dependent);
                return;
            }
}

/* Links `dependent` behind the predecessors from `k` on, as far as its links go; returns the next one. */
HEDDLE_DEVICE uint64_t heddle_link_some(struct heddle_worker *w, struct heddle_depend_table *s, uint32_t maker,
                                        uint32_t dependent, uint64_t k) {
    struct heddle_frame *f = heddle_frame_at(w, dependent);
    for (uint64_t link = 0; k < s->before_count; k++) {
        const uint32_t number = s->before[k] & ~HEDDLE_BEFORE_DROP;
        if (number == maker)
            continue;
        if (link == HEDDLE_LINKS - 1 && k + 1 < s->before_count)
            return k;
        uint64_t *list = &heddle_frame_at(w, number)->task, head = heddle_load_acquire(list);
        const uint64_t place = (uint64_t)dependent * HEDDLE_LINKS + link;
        if (head == HEDDLE_DEPENDENT_DONE)
            continue;
        heddle_add_relaxed(&f->pending, 1);
        for (uint64_t seen = head;; head = seen) {
            *heddle_link(w, place) = (uint32_t)head;
            seen = head == HEDDLE_DEPENDENT_DONE ? head : heddle_swap_if(list, head, place);
            if (seen == head)
                break;
        }
        if (head == HEDDLE_DEPENDENT_DONE)
            heddle_add_relaxed(&f->pending, ~0ull);
        else
            link++;
    }
    return k;
}

/* ---- all lanes ----------------------------------------------------------------------------------------------- */
/* One hold on a dependent less: by the table, or by its own execution. */
HEDDLE_DEVICE void heddle_drop_dependent(struct heddle_worker *w, uint32_t number) {
    uint64_t left = 0;
    if (HEDDLE_FIRST(w))
        left = heddle_add_acq_rel(&heddle_frame_at(w, number)->pad[0], ~0ull);
    if (heddle_share(w, left) == 1)
        heddle_frame_free(w, number);
}

HEDDLE_DEVICE void heddle_drop_before(struct heddle_worker *w, struct heddle_depend_table *s) {
    const uint32_t count = (uint32_t)heddle_share(w, HEDDLE_FIRST(w) ? s->before_count : 0);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t one = (uint32_t)heddle_share(w, HEDDLE_FIRST(w) ? s->before[k] : 0);
        if (one & HEDDLE_BEFORE_DROP)
            heddle_drop_dependent(w, one & ~HEDDLE_BEFORE_DROP);
    }
}

HEDDLE_DEVICE uint32_t heddle_new_dependent(struct heddle_worker *w, int kind, int level, uint32_t parent) {
    const uint32_t number = heddle_frame_new(w);
    HEDDLE_SYNC(w);
    if (number && HEDDLE_FIRST(w))
        *heddle_frame_at(w, number) =
            (struct heddle_frame){.pending = 1, .parent = parent, .kind = (uint32_t)kind, .part = level, .pad = {1}};
    HEDDLE_SYNC(w);
    return number;
}

/* One of the dependences that a dependent waits for is met; the last one makes it ready. */
HEDDLE_DEVICE void heddle_meet_dependence(struct heddle_worker *w, uint32_t number, struct heddle_ready *t) {
    uint64_t state = 0;
    if (HEDDLE_FIRST(w)) {
        struct heddle_frame *f = heddle_frame_at(w, number);
        const uint64_t level = (uint64_t)f->part;
        state = (heddle_add_acq_rel(&f->pending, ~0ull) == 1) | level << 1;
    }
    state = heddle_share(w, state);
    if (!(state & 1))
        return;
    const uint64_t word = heddle_word(HEDDLE_FORM_DEPENDENT, 0, number);
    if (t && !t->word && w->plan->schedule != HEDDLE_POOL_GLOBAL && state == 1) {
        t->word = word;
        t->frame = 0;
        t->placed = 0;
        HEDDLE_COUNT(w, handed, 1);
    } else {
        heddle_give(w, (int)(state >> 1), word, 0, NULL, 0);
    }
}

/* A dependent is done: its list is closed, and those that waited for it may go on. */
HEDDLE_DEVICE void heddle_release_dependent(struct heddle_worker *w, uint32_t number, struct heddle_ready *t) {
    uint64_t place = 0;
    if (HEDDLE_FIRST(w)) {
        uint64_t *list = &heddle_frame_at(w, number)->task, seen = heddle_load_relaxed(list);
        do {
            place = seen;
            seen = heddle_swap_if(list, place, HEDDLE_DEPENDENT_DONE);
        } while (seen != place);
    }
    for (place = heddle_share(w, place); place;) {
        const uint64_t next = heddle_share(w, HEDDLE_FIRST(w) ? *heddle_link(w, place) : 0);
        heddle_meet_dependence(w, (uint32_t)(place / HEDDLE_LINKS), t);
        place = next;
    }
    heddle_drop_dependent(w, number);
}

/* The task whose table it is has ended. */
HEDDLE_DEVICE void heddle_forget_dependents(struct heddle_worker *w) {
    struct heddle_depend_table *s = heddle_table(w);
    w->makes_dependents = 0;
    HEDDLE_SYNC(w);
    if (HEDDLE_FIRST(w)) {
        s->before_count = 0;
        heddle_empty(s);
    }
    heddle_drop_before(w, s);
}

HEDDLE_DEVICE void heddle_spawn_depend_device(struct heddle_worker *w, int kind, const void *record, size_t bytes,
                                              int priority, const struct heddle_depend *depends, int ndepends) {
    const int level = heddle_level_of(priority);
    struct heddle_depend_table *s = heddle_table(w);
    const uint32_t made = heddle_new_dependent(w, kind, level, w->frame);
    uint32_t at = made;
    if (!made)
        return;
    w->makes_dependents = 1;
    HEDDLE_COUNT(w, spawned, 1);
    if (HEDDLE_FIRST(w)) {
        memcpy(heddle_frame_at(w, made) + 1, record, bytes);
        if (w->frame)
            heddle_add_relaxed(&heddle_frame_at(w, w->frame)->pending, 1);
        heddle_find_before(w, s, made, depends, ndepends);
    }
    const uint64_t count = heddle_share(w, HEDDLE_FIRST(w) ? s->before_count : 0);
    for (uint64_t k = 0;;) {
        k = heddle_share(w, HEDDLE_FIRST(w) ? heddle_link_some(w, s, made, at, k) : 0);
        if (k == count)
            break;
        const uint32_t more = heddle_new_dependent(w, HEDDLE_DEPENDENT_JOIN, 0, 0);
        if (!more)
            return;
        if (HEDDLE_FIRST(w)) { /* the place that was left free */
            heddle_add_relaxed(&heddle_frame_at(w, at)->pending, 1);
            *heddle_link(w, (uint64_t)at * HEDDLE_LINKS + HEDDLE_LINKS - 1) = 0;
            heddle_frame_at(w, more)->task = (uint64_t)at * HEDDLE_LINKS + HEDDLE_LINKS - 1;
        }
        if (at != made)
            heddle_meet_dependence(w, at, NULL); /* its own hold; it waits for the next one now */
        at = more;
    }
    heddle_drop_before(w, s);
    if (at != made)
        heddle_meet_dependence(w, at, NULL);
    heddle_meet_dependence(w, made, NULL);
}
