/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves of mapped data between devices. A replica is mapped on its device with libomptarget too: a region launched
 * there finds it present. Data that holds device addresses (search.c) is pinned to its default device for good.
 *
 * A move takes time, and others go on meanwhile: it is planned under the lock, its entries are marked as moving, and
 * its ranges are an active region, so that nobody else starts there; then it is carried out without the lock, and what
 * it did is written down under it. Whoever touches a moving entry waits, holding nothing; who moves waits for nobody.
 * So there is no circle.
 */
#include "selector.h"
#include <stdlib.h>

static long replicas_live;
static int migrating; /* entries that are marked */

long heddle__data_count_replicas(void) { return replicas_live; }

static void set_migrating(struct entry *e, bool on) {
    migrating += on - e->migrating;
    e->migrating = on;
}

void heddle__entry_hold(struct entry *e, bool on) { set_migrating(e, on); }

bool heddle__data_is_migrating(const struct footprint *t) {
    EACH_ENTRY (e, t, migrating)
        if (e->migrating)
            return true;
    return false;
}

bool heddle__data_any_migrating(void) { return migrating > 0; }

/* In the child of a fork: who moved is not there. */
void heddle__data_forget_migrations(void) {
    for (int k = 0; k < heddle__data_count_entries(); k++)
        set_migrating(heddle__entry_at(k), false);
}

/* ---- replicas --------------------------------------------------------------------------------------------- */

/* Memory on a device for what lies at `host`. No lock needed. */
static bool replica_make(const struct range *host, int device) {
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

static void replica_free(const struct range *host, int device) {
    void *at = (void *)host->from;
    int64_t bytes = (int64_t)(host->to - host->from), type = 0;
    heddle__real()->end(NULL, device, 1, &at, &at, &bytes, &type, NULL, NULL);
}

static void replica_drop(struct entry *e, int device) {
    if (!(e->replicas & BIT(device)))
        return;
    replica_free(&(struct range){e->from, e->to}, device);
    e->replicas &= ~BIT(device);
    e->valid &= ~BIT(device);
    e->based &= ~BIT(device);
    replicas_live--;
}

/* One that a region works on stays, and with it what that one may write. */
static void replicas_drop(struct entry *e) {
    const place_set busy = heddle__active_places(&(struct range){e->from, e->to});
    for (int d = 0; e->replicas & ~busy && d < heddle__sel.devices; d++)
        if (!(busy & BIT(d)))
            replica_drop(e, d);
}

/* The first move between two devices also opens the way between them and loads the search: it tells nothing. */
static void note_move(int from, int to, size_t bytes, double seconds) {
    static place_set opened[PLACES];
    heddle__count_migrated(to, bytes);
    if (opened[from] & BIT(to))
        heddle__link_add(LINK_BETWEEN, heddle__class_of(to), bytes, seconds);
    opened[from] |= BIT(to);
}

/* Without a look at the value: it came from the default device, or was written by a kernel that may write anything;
   then the default device is where plain OpenMP would have put it. */
static void copy_to_default(const struct range *host, int from, int default_device) {
    const char *source = heddle__real()->mapped_ptr((void *)host->from, from);
    char *target = heddle__real()->mapped_ptr((void *)host->from, default_device);
    const size_t bytes = host->to - host->from;
    if (!source || !target || heddle__real()->copy(target, source, bytes, 0, 0, default_device, from))
        heddle__lost(NULL,
                     "%zu bytes could not be copied from device %d back to device %d, where the program looks for "
                     "them; ending the program",
                     bytes, from, default_device);
}

/* A device that holds the value, where the default device does not; HOST: none. */
static int holder(const struct entry *e) {
    return e->default_device < 0 || e->valid & BIT(e->default_device) ? HOST : __builtin_ctzll(e->valid | BIT(HOST));
}

/* Under the lock: for what is rare. */
static void restore_default(struct entry *e) {
    const int from = holder(e);
    if (from == HOST)
        return;
    const double start = heddle__now();
    copy_to_default(&(struct range){e->from, e->to}, from, e->default_device);
    e->valid |= BIT(e->default_device);
    note_move(from, e->default_device, e->to - e->from, heddle__now() - start);
}

/* ---- a plan ----------------------------------------------------------------------------------------------- */

enum state { TO_DO, DONE, NO_ROOM, ADDRESSES };
struct step {
    struct range host;
    int from, to;
    unsigned alias_group;
    bool to_default, replica, made; /* replica: memory is there; made: by us */
    enum state state;
    double seconds;
};
/* Others that a kernel saw together with what leaves may hold its old address: they must not be left behind. */
struct look {
    struct range host;
    int from;
    unsigned alias_group;
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
static int count_steps(const struct footprint *t, int place, int default_device) {
    int n = 0;
    EACH_ENTRY (e, t, true) {
        if (e->migrating)
            return -2;
        if (place != default_device && (e->default_device != default_device || e->pinned))
            return -1;
        if (e->default_device == default_device)
            n += place == default_device ? holder(e) != HOST : !(e->valid & BIT(place));
    }
    return n;
}

/* False: somebody moves or unmaps one of those. `dirty` is taken back at once, so that what a kernel writes meanwhile
 * counts. */
static bool plan_looks(struct plan *p, const struct step *s) {
    for (int k = 0; k < heddle__data_count_entries(); k++) {
        struct entry *o = heddle__entry_at(k);
        if (o->from == s->host.from || o->alias_group != s->alias_group || !o->dirty || o->pinned ||
            !(o->valid & BIT(s->from)))
            continue;
        if (o->migrating || heddle__active_on_data(&(struct range){o->from, o->to}))
            return false;
        o->dirty = false;
        p->look[p->looks++] = (struct look){.host = {o->from, o->to}, .from = s->from, .alias_group = o->alias_group};
    }
    return true;
}

static bool plan_step(struct plan *p, const struct entry *e, int place, int default_device) {
    const bool to_default = place == default_device;
    if (e->default_device != default_device || (to_default ? holder(e) == HOST : e->valid & BIT(place)))
        return true;
    for (int k = 0; k < p->steps; k++) /* two ranges may name one entry */
        if (p->step[k].host.from == e->from)
            return true;
    const int from = to_default                          ? holder(e)
                     : e->valid & BIT(e->default_device) ? e->default_device
                                                         : __builtin_ctzll(e->valid);
    struct step *s = &p->step[p->steps++];
    *s = (struct step){.host = {e->from, e->to},
                       .from = from,
                       .to = place,
                       .alias_group = e->alias_group,
                       .to_default = to_default,
                       .replica = e->replicas & BIT(place)};
    if (to_default)
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

static void set_all_migrating(const struct plan *p) {
    for (int k = 0; k < p->steps; k++)
        set_migrating(heddle__entry_find(p->step[k].host.from, p->step[k].host.from), true);
    for (int k = 0; k < p->looks; k++)
        set_migrating(heddle__entry_find(p->look[k].host.from, p->look[k].host.from), true);
}

static bool plan_make(struct plan *p, const struct footprint *t, int place, int default_device, int steps) {
    bool good;
    *p = (struct plan){.step = calloc((size_t)steps, sizeof *p->step),
                       .look = calloc((size_t)heddle__data_count_entries(), sizeof *p->look)};
    good = p->memory = p->step && p->look;
    EACH_ENTRY (e, t, good)
        good = p->steps < steps ? plan_step(p, e, place, default_device) : good;
    if (good)
        set_all_migrating(p);
    for (int k = 0; !good && k < p->looks; k++)
        heddle__entry_find(p->look[k].host.from, p->look[k].host.from)->dirty = true;
    return good;
}

/* ---- carrying it out: no lock ----------------------------------------------------------------------------- */

static bool looks_find(struct plan *p, const struct step *s) {
    bool found = false;
    for (int k = 0; k < p->looks && !found; k++) {
        struct look *l = &p->look[k];
        if (l->done || l->alias_group != s->alias_group || l->from != s->from)
            continue;
        l->done = true;
        found = l->found = !heddle__copy_and_scan(&l->host, l->from, -1, &p->spans[l->from]);
    }
    return found;
}

static void take_step(struct plan *p, struct step *s) {
    double start = heddle__now();
    if (s->to_default) {
        copy_to_default(&s->host, s->from, s->to);
        s->state = DONE;
    } else {
        if (!s->replica && !(s->made = replica_make(&s->host, s->to))) {
            s->state = NO_ROOM;
            return;
        }
        start = heddle__now(); /* the copy's memory is made once */
        const bool good = heddle__copy_and_scan(&s->host, s->from, s->to, &p->spans[s->from]) && !looks_find(p, s);
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

static void pin_to_default(struct entry *e, const char *why) {
    restore_default(e);
    replicas_drop(e);
    e->pinned = e->pinned ? e->pinned : why;
}

static bool step_end(const struct step *s) {
    struct entry *e = heddle__entry_find(s->host.from, s->host.from);
    set_migrating(e, false);
    if (s->made) {
        e->replicas |= BIT(s->to);
        replicas_live++;
    }
    if (s->state == DONE) {
        e->valid |= BIT(s->to);
        note_move(s->from, s->to, e->to - e->from, s->seconds);
    }
    if (s->to_default)
        return true;
    if (heddle__sel.opaque || e->pinned || s->state == ADDRESSES) /* the program may have said so meanwhile */
        pin_to_default(e, s->state == ADDRESSES ? "it holds addresses of device memory" : NULL);
    return s->state == DONE && !heddle__sel.opaque && !e->pinned;
}

static void look_end(const struct look *l) {
    struct entry *e = heddle__entry_find(l->host.from, l->host.from);
    set_migrating(e, false);
    if (!l->done || l->found)
        e->dirty = true;
    if (heddle__sel.opaque)
        pin_to_default(e, NULL);
}

enum migration heddle__data_migrate(const struct footprint *t, int place, int default_device) {
    struct plan p;
    struct active_region f;
    const int steps = count_steps(t, place, default_device);
    if (steps < 0)
        return steps == -2 ? MIGRATION_RETRY : MIGRATION_DENIED;
    if (!steps)
        return MIGRATED;
    if (!plan_make(&p, t, place, default_device, steps)) {
        plan_free(&p);
        if (p.memory)
            return MIGRATION_RETRY;
        heddle__give_up("out of memory");
        return place == default_device ? MIGRATED : MIGRATION_DENIED;
    }
    heddle__inside++;
    heddle__active_begin(&f, place, (struct footprint *)t, NULL, 0, 0);
    heddle__unlock();
    carry_out(&p);
    heddle__lock();
    bool good = true;
    for (int k = 0; k < p.steps; k++)
        good &= step_end(&p.step[k]);
    for (int k = 0; k < p.looks; k++)
        look_end(&p.look[k]);
    heddle__active_end(&f, 0);
    heddle__inside--;
    plan_free(&p);
    return good ? MIGRATED : MIGRATION_DENIED;
}

/* ---- for what the program does itself: rare, under the lock ------------------------------------------------ */

void heddle__data_bring_back(const struct footprint *t, int device) {
    heddle__inside++;
    EACH_ENTRY (e, t, true)
        if (e->default_device == device)
            restore_default(e);
    heddle__inside--;
}

/* What is moving just now goes back to the default device at the end of its move. */
void heddle__data_bring_all_back(void) {
    heddle__inside++;
    for (int k = 0; k < heddle__data_count_entries(); k++) {
        struct entry *e = heddle__entry_at(k);
        if (e->migrating)
            continue;
        restore_default(e);
        replicas_drop(e);
    }
    heddle__inside--;
}

/* The program is about to map these ranges on `device` itself: our copies there must not be found. */
void heddle__data_drop_replicas(const struct footprint *t, int device) {
    heddle__inside++;
    EACH_ENTRY (e, t, true)
        if (e->default_device != device && e->default_device >= 0) {
            if (e->valid == BIT(device))
                restore_default(e);
            replica_drop(e, device);
            e->pinned = e->pinned ? e->pinned : "mapped on two devices";
        }
    heddle__inside--;
}

/* ---- the end of a mapping --------------------------------------------------------------------------------- */

/* Freeing device memory waits for the kernels of that device, so the lock is given back for it. */
static void sweep_one(struct entry *e) {
    const struct range host = {e->from, e->to};
    const place_set replicas = e->replicas;
    const int default_device = e->default_device;
    set_migrating(e, true);
    heddle__unlock();
    heddle__inside++;
    const bool gone = !heddle__real()->mapped_ptr((void *)host.from, default_device);
    for (place_set left = gone ? replicas : 0; left; left &= left - 1)
        replica_free(&host, __builtin_ctzll(left));
    heddle__inside--;
    heddle__lock();
    e = heddle__entry_find(host.from, host.from);
    set_migrating(e, false);
    if (gone) {
        replicas_live -= __builtin_popcountll(replicas);
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
            if (e->migrating) {
                heddle__wait(0.02);
                continue;
            }
            at = e->to;
            if (e->default_device >= 0)
                sweep_one(e);
        }
}
