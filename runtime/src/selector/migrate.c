/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves of mapped data between devices. A shadow is mapped on its device with libomptarget too: a region launched there
 * finds it present. Data that holds device addresses (search.c) is pinned to its home for good.
 *
 * A move takes time, and others go on meanwhile: it is planned under the lock, its entries are marked as moving, and
 * its ranges are a flight, so that nobody else starts there; then it is carried out without the lock, and what it did
 * is written down under it. Whoever touches a moving entry waits, holding nothing; who moves waits for nobody. So there
 * is no circle.
 */
#include "selector.h"
#include <stdlib.h>

static long shadows_live;
static int moving; /* entries that are marked */

long heddle__data_shadow_count(void) { return shadows_live; }

static void mark(struct entry *e, bool on) {
    moving += on - e->moving;
    e->moving = on;
}

bool heddle__data_moving(const struct touch *t) {
    for (int k = 0; moving && k < t->count; k++)
        for (const struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to); e;
             e = heddle__entry_next(e, t->ranges[k].to))
            if (e->moving)
                return true;
    return false;
}

bool heddle__data_any_moving(void) { return moving > 0; }

/* In the child of a fork: who moved is not there. */
void heddle__data_forget_moves(void) {
    for (int k = 0; k < heddle__data_entries(); k++)
        mark(heddle__entry_at(k), false);
}

/* ---- shadows --------------------------------------------------------------------------------------------- */

/* Memory on a device for what lies at `host`. No lock needed. */
static bool shadow_make(const struct range *host, int device) {
    void *at = (void *)host->from;
    int64_t bytes = (int64_t)(host->to - host->from), type = 0;
    const size_t size = (size_t)bytes;
    if (heddle__real()->is_present(at, device)) /* the program's own */
        return false;
    if (size >= HEDDLE__LOOK_FROM && !heddle__device_fits(device, &size, 1))
        return false;
    heddle__real()->begin(NULL, device, 1, &at, &at, &bytes, &type, NULL, NULL);
    return heddle__real()->mapped_ptr(at, device);
}

static void shadow_free(const struct range *host, int device) {
    void *at = (void *)host->from;
    int64_t bytes = (int64_t)(host->to - host->from), type = 0;
    heddle__real()->end(NULL, device, 1, &at, &at, &bytes, &type, NULL, NULL);
}

static void shadow_drop(struct entry *e, int device) {
    if (!(e->shadows & BIT(device)))
        return;
    shadow_free(&(struct range){e->from, e->to}, device);
    e->shadows &= ~BIT(device);
    e->valid &= ~BIT(device);
    shadows_live--;
}

static void shadows_drop(struct entry *e) {
    for (int d = 0; e->shadows && d < heddle__sel.devices; d++)
        shadow_drop(e, d);
}

/* The first move between two devices also opens the way between them and loads the search: it tells nothing. */
static void note_move(int from, int to, size_t bytes, double seconds) {
    static place_set opened[PLACES];
    heddle__count_moved(to, bytes);
    if (opened[from] & BIT(to))
        heddle__link_measured(LINK_BETWEEN, heddle__class_of(to), bytes, seconds);
    opened[from] |= BIT(to);
}

/* Without a look at the value: it came from home, or was written by a kernel that may write anything; then home is
   where plain OpenMP would have put it. */
static void copy_home(const struct range *host, int from, int home) {
    const char *source = heddle__real()->mapped_ptr((void *)host->from, from);
    char *target = heddle__real()->mapped_ptr((void *)host->from, home);
    const size_t bytes = host->to - host->from;
    if (!source || !target || heddle__real()->copy(target, source, bytes, 0, 0, home, from))
        heddle__lost(NULL,
                     "%zu bytes could not be copied from device %d back to device %d, where the program looks for "
                     "them; ending the program",
                     bytes, from, home);
}

/* A device that holds the value, where home does not; HOST: none. */
static int holder(const struct entry *e) {
    return e->home < 0 || e->valid & BIT(e->home) ? HOST : __builtin_ctzll(e->valid | BIT(HOST));
}

/* Under the lock: for what is rare. */
static void bring_home(struct entry *e) {
    const int from = holder(e);
    if (from == HOST)
        return;
    const double start = heddle__now();
    copy_home(&(struct range){e->from, e->to}, from, e->home);
    e->valid |= BIT(e->home);
    note_move(from, e->home, e->to - e->from, heddle__now() - start);
}

/* ---- a plan ----------------------------------------------------------------------------------------------- */

enum state { TO_DO, DONE, NO_ROOM, ADDRESSES };
struct step {
    struct range host;
    int from, to;
    unsigned kin;
    bool homeward, shadow, made; /* shadow: memory is there; made: by us */
    enum state state;
    double seconds;
};
/* Others that a kernel saw together with what leaves may hold its old address: they must not be left behind. */
struct look {
    struct range host;
    int from;
    unsigned kin;
    bool done, found;
};
struct plan {
    struct step *step;
    struct look *look;
    int steps, looks;
    bool memory;                /* there was enough */
    struct spans spans[PLACES]; /* memory on the devices that data leaves */
};

/* How many entries of `t` must move; -1: one must not; -2: one is moving. */
static int count_steps(const struct touch *t, int place, int home) {
    int n = 0;
    for (int k = 0; k < t->count; k++)
        for (const struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to); e;
             e = heddle__entry_next(e, t->ranges[k].to)) {
            if (e->moving)
                return -2;
            if (place != home && (e->home != home || e->pinned))
                return -1;
            if (e->home == home)
                n += place == home ? holder(e) != HOST : !(e->valid & BIT(place));
        }
    return n;
}

/* False: somebody moves or unmaps one of those. `dirty` is taken back at once, so that what a kernel writes meanwhile
 * counts. */
static bool plan_looks(struct plan *p, const struct step *s) {
    for (int k = 0; k < heddle__data_entries(); k++) {
        struct entry *o = heddle__entry_at(k);
        if (o->from == s->host.from || o->kin != s->kin || !o->dirty || o->pinned || !(o->valid & BIT(s->from)))
            continue;
        if (o->moving || heddle__flight_of_data(&(struct range){o->from, o->to}))
            return false;
        o->dirty = false;
        p->look[p->looks++] = (struct look){.host = {o->from, o->to}, .from = s->from, .kin = o->kin};
    }
    return true;
}

static bool plan_step(struct plan *p, const struct entry *e, int place, int home) {
    const bool homeward = place == home;
    if (e->home != home || (homeward ? holder(e) == HOST : e->valid & BIT(place)))
        return true;
    for (int k = 0; k < p->steps; k++) /* two ranges may name one entry */
        if (p->step[k].host.from == e->from)
            return true;
    const int from = homeward ? holder(e) : e->valid & BIT(e->home) ? e->home : __builtin_ctzll(e->valid);
    struct step *s = &p->step[p->steps++];
    *s = (struct step){.host = {e->from, e->to},
                       .from = from,
                       .to = place,
                       .kin = e->kin,
                       .homeward = homeward,
                       .shadow = e->shadows & BIT(place)};
    if (homeward)
        return true;
    p->memory = p->spans[from].range || heddle__spans_on(&p->spans[from], from);
    return p->memory && plan_looks(p, s);
}

static void plan_free(struct plan *p) {
    for (int d = 0; d < PLACES; d++)
        free(p->spans[d].range);
    free(p->step);
    free(p->look);
}

static void mark_all(const struct plan *p) {
    for (int k = 0; k < p->steps; k++)
        mark(heddle__entry_find(p->step[k].host.from, p->step[k].host.from), true);
    for (int k = 0; k < p->looks; k++)
        mark(heddle__entry_find(p->look[k].host.from, p->look[k].host.from), true);
}

static bool plan_make(struct plan *p, const struct touch *t, int place, int home, int steps) {
    bool good;
    *p = (struct plan){.step = calloc((size_t)steps, sizeof *p->step),
                       .look = calloc((size_t)heddle__data_entries(), sizeof *p->look)};
    good = p->memory = p->step && p->look;
    for (int k = 0; good && k < t->count; k++)
        for (const struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to); good && e;
             e = heddle__entry_next(e, t->ranges[k].to))
            good = p->steps < steps ? plan_step(p, e, place, home) : good;
    if (good)
        mark_all(p);
    for (int k = 0; !good && k < p->looks; k++)
        heddle__entry_find(p->look[k].host.from, p->look[k].host.from)->dirty = true;
    return good;
}

/* ---- carrying it out: no lock ----------------------------------------------------------------------------- */

static bool looks_find(struct plan *p, const struct step *s) {
    bool found = false;
    for (int k = 0; k < p->looks && !found; k++) {
        struct look *l = &p->look[k];
        if (l->done || l->kin != s->kin || l->from != s->from)
            continue;
        l->done = true;
        found = l->found = !heddle__carry(&l->host, l->from, -1, &p->spans[l->from]);
    }
    return found;
}

static void take_step(struct plan *p, struct step *s) {
    double start = heddle__now();
    if (s->homeward) {
        copy_home(&s->host, s->from, s->to);
        s->state = DONE;
    } else {
        if (!s->shadow && !(s->made = shadow_make(&s->host, s->to))) {
            s->state = NO_ROOM;
            return;
        }
        start = heddle__now(); /* the copy's memory is made once */
        const bool good = heddle__carry(&s->host, s->from, s->to, &p->spans[s->from]) && !looks_find(p, s);
        s->state = good ? DONE : ADDRESSES;
    }
    s->seconds = heddle__now() - start;
}

static void carry_out(struct plan *p) {
    for (int d = 0; d < PLACES; d++)
        if (p->spans[d].range)
            heddle__spans_there(&p->spans[d], d);
    bool good = true;
    for (int k = 0; good && k < p->steps; k++) {
        take_step(p, &p->step[k]);
        good = p->step[k].state == DONE;
    }
}

/* ---- writing it down -------------------------------------------------------------------------------------- */

static void stay_home(struct entry *e, const char *why) {
    bring_home(e);
    shadows_drop(e);
    e->pinned = e->pinned ? e->pinned : why;
}

static bool step_end(const struct step *s) {
    struct entry *e = heddle__entry_find(s->host.from, s->host.from);
    mark(e, false);
    if (s->made) {
        e->shadows |= BIT(s->to);
        shadows_live++;
    }
    if (s->state == DONE) {
        e->valid |= BIT(s->to);
        note_move(s->from, s->to, e->to - e->from, s->seconds);
    }
    if (s->homeward)
        return true;
    if (heddle__sel.opaque || e->pinned || s->state == ADDRESSES) /* the program may have said so meanwhile */
        stay_home(e, s->state == ADDRESSES ? "it holds addresses of device memory" : NULL);
    return s->state == DONE && !heddle__sel.opaque && !e->pinned;
}

static void look_end(const struct look *l) {
    struct entry *e = heddle__entry_find(l->host.from, l->host.from);
    mark(e, false);
    if (!l->done || l->found)
        e->dirty = true;
    if (heddle__sel.opaque)
        stay_home(e, NULL);
}

enum moved heddle__data_move(const struct touch *t, int place, int home) {
    struct plan p;
    struct flight f;
    const int steps = count_steps(t, place, home);
    if (steps < 0)
        return steps == -2 ? MOVE_AGAIN : MOVE_DENIED;
    if (!steps)
        return MOVED;
    if (!plan_make(&p, t, place, home, steps)) {
        plan_free(&p);
        if (p.memory)
            return MOVE_AGAIN;
        heddle__give_up("out of memory");
        return place == home ? MOVED : MOVE_DENIED;
    }
    heddle__inside++;
    heddle__flight_begin(&f, place, (struct touch *)t, NULL, 0, 0);
    heddle__unlock();
    carry_out(&p);
    heddle__lock();
    bool good = true;
    for (int k = 0; k < p.steps; k++)
        good &= step_end(&p.step[k]);
    for (int k = 0; k < p.looks; k++)
        look_end(&p.look[k]);
    heddle__flight_end(&f, 0);
    heddle__inside--;
    plan_free(&p);
    return good ? MOVED : MOVE_DENIED;
}

/* ---- for what the program does itself: rare, under the lock ------------------------------------------------ */

void heddle__data_home(const struct touch *t, int device) {
    heddle__inside++;
    for (int k = 0; k < t->count; k++)
        for (struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to); e;
             e = heddle__entry_next(e, t->ranges[k].to))
            if (e->home == device)
                bring_home(e);
    heddle__inside--;
}

/* What is moving just now goes home at the end of its move. */
void heddle__data_all_home(void) {
    heddle__inside++;
    for (int k = 0; k < heddle__data_entries(); k++) {
        struct entry *e = heddle__entry_at(k);
        if (e->moving)
            continue;
        bring_home(e);
        shadows_drop(e);
    }
    heddle__inside--;
}

/* The program is about to map these ranges on `device` itself: our copies there must not be found. */
void heddle__data_drop_shadows(const struct touch *t, int device) {
    heddle__inside++;
    for (int k = 0; k < t->count; k++)
        for (struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to); e;
             e = heddle__entry_next(e, t->ranges[k].to))
            if (e->home != device && e->home >= 0) {
                if (e->valid == BIT(device))
                    bring_home(e);
                shadow_drop(e, device);
                e->pinned = e->pinned ? e->pinned : "mapped on two devices";
            }
    heddle__inside--;
}

/* ---- the end of a mapping --------------------------------------------------------------------------------- */

/* Freeing device memory waits for the kernels of that device, so the lock is given back for it. */
static void sweep_one(struct entry *e) {
    const struct range host = {e->from, e->to};
    const place_set shadows = e->shadows;
    const int home = e->home;
    mark(e, true);
    heddle__unlock();
    heddle__inside++;
    const bool gone = !heddle__real()->mapped_ptr((void *)host.from, home);
    for (place_set left = gone ? shadows : 0; left; left &= left - 1)
        shadow_free(&host, __builtin_ctzll(left));
    heddle__inside--;
    heddle__lock();
    e = heddle__entry_find(host.from, host.from);
    mark(e, false);
    if (gone) {
        shadows_live -= __builtin_popcountll(shadows);
        heddle__entry_remove(e);
    }
    heddle__wake();
}

void heddle__entry_sweep(const struct range *ranges, int n) {
    for (int r = 0; r < n; r++)
        for (uintptr_t at = ranges[r].from; at < ranges[r].to;) {
            struct entry *e = heddle__entry_find(at, ranges[r].to);
            if (!e)
                break;
            if (e->moving) {
                heddle__wait(0.02);
                continue;
            }
            at = e->to;
            if (e->home >= 0)
                sweep_one(e);
        }
}
