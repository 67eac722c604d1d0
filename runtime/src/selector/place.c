/* SPDX-License-Identifier: Apache-2.0 */
/* Regions and data calls: where they go, what must be ready there, and what is true afterwards. */
#include "trace/record.h"
#include "selector.h"
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct launch {
    struct ident *loc;
    int64_t device; /* as the program said */
    int32_t teams, threads;
    void *id;
    const struct kernel_args *args;
    double asked; /* when the program came; only where regions are recorded */
};

/* libomptarget writes into the record, so each try gets a fresh copy. The call is synchronous here: only then is
   it known when the device's data is current. */
static int start(const struct launch *l, int device) {
    struct kernel_args args = *l->args;
    args.flags &= ~(uint64_t)KERNEL_NOWAIT;
    heddle__inside++;
    const int rc = heddle__real()->kernel(l->loc, device, l->teams, l->threads, l->id, &args);
    heddle__inside--;
    return rc;
}

static int pass(const struct launch *l) {
    return heddle__real()->kernel(l->loc, l->device, l->teams, l->threads, l->id, (struct kernel_args *)l->args);
}

/* May the number in a call be replaced? Only where the program gave none (-1), or the user says so. */
static bool movable(int64_t device) { return device == -1 || (heddle__sel.override && !heddle__launching()); }

/* The device that plain OpenMP would use; -1: not an offload device, or not ours to follow. Lock held. */
static int plain_device(int64_t device, bool *by_word) {
    const int now = omp_get_default_device();
    if (now != heddle__sel.home) {
        if (heddle__data_entries() || heddle__flights())
            heddle__give_up("the program changes its default device while data is mapped");
        else
            heddle__sel.home = now;
    }
    if (device >= -1 && movable(device) && device < heddle__sel.devices)
        device = -1;
    const int d = device == -1 ? now : (int)device;
    *by_word = d != now;
    return d >= 0 && d < heddle__sel.devices ? d : -1;
}

/* Waits for calls that we placed elsewhere and that touch the same ranges. What a device does ends by itself; of a
   host version only its thread can tell, and a thread that does other work tells nothing. Such a record is taken
   for done when it is far older than the region ever took. */
static void wait_for(place_set conflicts) {
    enum { FORGOTTEN = 8 }; /* records; then the program does not suit the host as a device */
    static int forgotten;
    if (conflicts & BIT(HOST) && heddle__flights_drop_host() && ++forgotten == FORGOTTEN) {
        heddle__sel.host_off = true;
        heddle__verbose("the ends of host versions cannot be told in this program; the host is no device any more");
    }
    if (heddle__flights() || heddle__data_any_moving())
        heddle__wait(0.02);
}

/* ---- regions --------------------------------------------------------------------------------------------- */

static struct map_args maps_of(const struct kernel_args *a) {
    return (struct map_args){(int32_t)a->count, a->bases, a->args, a->sizes, a->types, a->names, a->mappers};
}

static void size_up(struct sample *s, const struct touch *t, const struct kernel_args *a) {
    const double bytes = (double)(t->to + t->from), all = bytes + (double)t->env;
    s->size = (struct size){.n = a->tripcount ? (double)a->tripcount
                                 : all > 0    ? all
                                              : 1,
                            .bytes = bytes,
                            .to = (double)t->to};
}

static place_set right_places(const struct region *r, const struct kernel *k, int home) {
    if (heddle__sel.opaque || !k->image || k->image->state)
        return BIT(home);
    place_set set = heddle__sel.candidates & ~r->failed;
    if (!(r->failed & BIT(home)) || !(set & ~BIT(HOST)))
        set |= BIT(home);
    if (heddle__sel.host_off || (!r->runs && !r->model[CLASS_HOST]) || r->host_no)
        set &= ~BIT(HOST);
    return set;
}

/* What a replay needs to know. */
static void note_for_record(struct sample *s, const struct touch *t, double asked) {
    s->asked = asked;
    s->allowed = t->allowed;
    s->data_bytes = t->env;
    s->data = 0;
    for (int k = 0; t->env && !s->data && k < t->count; k++) {
        const struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to);
        s->data = e && e->home == s->home ? e->from : 0;
    }
}

/* Finds the place, waits for overlapping calls, and brings the data there. *denied: places that turned out to be wrong.
   Returns the places that could have had it, were nothing else running. Lock held. */
static place_set settle(struct sample *s, struct touch *t, const struct launch *l, place_set *denied) {
    const struct map_args maps = maps_of(l->args);
    const struct kernel k = heddle__kernel_find(l->id);
    for (;;) {
        heddle__touch_init(t, movable(l->device) ? right_places(s->region, &k, s->home) & ~*denied : BIT(s->home));
        heddle__touch_region(t, &maps, s->home);
        if (t->env && !s->region->address_free)
            t->allowed &= BIT(s->home);
        if (!t->pinned && s->region->addresses)
            t->pinned = "it gives device addresses to the program";
        if (!t->pinned && !movable(l->device))
            t->pinned = "the program names its device";
        if (!t->pinned && (!k.image || k.image->state))
            t->pinned = k.image ? "its device code has variables of its own" : "its image is not known";
        /* LLVM 19's libomp can abort over a parallel region in a hidden helper thread (kmp_tasking.cpp 4368) */
        if ((t->verify && !s->region->host_ok) || (l->args->flags & KERNEL_NOWAIT && l->args->tripcount))
            t->allowed &= ~BIT(HOST);
        if (!t->allowed)
            t->allowed = BIT(s->home);
        size_up(s, t, l->args);
        const place_set busy = heddle__flight_conflicts(t, false);
        if (busy & (busy - 1) || (busy && !(busy & t->allowed)) || heddle__data_moving(t)) {
            heddle__touch_free(t);
            wait_for(busy);
            continue;
        }
        const place_set could = t->allowed;
        if (busy)
            t->allowed = busy;
        const int place = heddle__choose(s, t);
        if (heddle__recording())
            note_for_record(s, t, l->asked);
        s->moved = t->env ? heddle__data_missing(t, place) : 0;
        const enum moved moved = t->env ? heddle__data_move(t, place, s->home) : MOVED;
        if (moved == MOVED || (moved == MOVE_DENIED && place == s->home))
            return could;
        heddle__touch_free(t); /* something is pinned now, or has no room there: look again */
        if (moved == MOVE_AGAIN)
            wait_for(0);
        else
            *denied |= BIT(place);
    }
}

/* What a device must leave alone in one argument: the data of map(to:), the pointer of a section. */
enum { LOOK_DATA = 1, LOOK_POINTER = 2 };

static int worth_a_look(const struct map_args *m, int k) {
    const int64_t type = m->types[k];
    if (type & (MAP_LITERAL | MAP_PRIVATE) || type & MAP_MEMBER_OF || !m->sizes[k])
        return 0;
    return ((type & (MAP_TO | MAP_FROM)) == MAP_TO ? LOOK_DATA : 0) | (type & MAP_PTR_AND_OBJ ? LOOK_POINTER : 0);
}

static bool same_data(const char *at, const char *there, int64_t size, char *buffer, size_t part, int place) {
    for (int64_t done = 0; done < size; done += (int64_t)part) {
        const size_t bytes = (size_t)(size - done < (int64_t)part ? size - done : (int64_t)part);
        if (heddle__real()->copy(buffer, there + done, bytes, 0, 0, omp_get_initial_device(), place) ||
            memcmp(buffer, at + done, bytes))
            return false;
    }
    return true;
}

/* The device's copy of a pointer still points where the mapping made it point. */
static bool same_pointer(const char *pointer, const char *at, const char *there, int place) {
    const char *value, *host, *copy = heddle__real()->mapped_ptr(pointer, place);
    memcpy(&host, pointer, sizeof host);
    if (!copy)
        return true; /* it was not mapped: the region had its value only */
    return !heddle__real()->copy(&value, copy, sizeof value, 0, 0, omp_get_initial_device(), place) &&
           value - there == host - at;
}

/* The first run on a device also tells whether the region leaves its map(to:) data and its pointers alone; only then
   may the host version, which works on the program's own memory, take its place. */
static int start_verified(const struct launch *l, const struct sample *s, double *seconds, int *leaves_alone) {
    const struct map_args m = maps_of(l->args);
    enum { PART = 1 << 20, MOST = 256 };
    char *buffer = malloc(PART);
    bool same = buffer && m.count <= MOST;
    int64_t type[MOST];
    heddle__inside++;
    for (int k = 0; k < m.count && same; k++) {
        /* held as the region's own map has it, so that it is there to be looked at afterwards; the region's end then
           copies nothing back, ours does */
        type[k] = m.types[k] & (MAP_PTR_AND_OBJ | MAP_TO);
        if (worth_a_look(&m, k))
            heddle__real()->begin(l->loc, s->place, 1, &m.bases[k], &m.args[k], &m.sizes[k], &type[k], NULL, NULL);
    }
    const bool held = same;
    const int rc = start(l, s->place);
    *seconds = heddle__now() - s->start; /* the look at the data is not the region's time */
    for (int k = 0; k < m.count && held; k++) {
        const int look = worth_a_look(&m, k);
        const char *at = m.args[k], *there = look ? heddle__real()->mapped_ptr(at, s->place) : NULL;
        if (!look)
            continue;
        same = same && there && (!(look & LOOK_DATA) || same_data(at, there, m.sizes[k], buffer, PART, s->place)) &&
               (!(look & LOOK_POINTER) || same_pointer(m.bases[k], at, there, s->place));
        type[k] = m.types[k] & (MAP_PTR_AND_OBJ | (rc ? 0 : MAP_FROM));
        heddle__real()->end(l->loc, s->place, 1, &m.bases[k], &m.args[k], &m.sizes[k], &type[k], NULL, NULL);
    }
    heddle__inside--;
    if (!rc) /* a device that did not run it tells nothing */
        *leaves_alone = same ? 1 : 2;
    free(buffer);
    return rc;
}

/* A region may tell the program where mapped data lies on the device. So its first run on mapped data is at home, and
   what it gives back is searched; if there is an address, the region and its data stay. */
static void look_for_addresses(const struct launch *l, const struct sample *s, const struct touch *t) {
    const struct map_args m = maps_of(l->args);
    for (int k = 0; k < m.count; k++)
        if (m.types[k] & MAP_FROM && !(m.types[k] & MAP_LITERAL) && m.sizes[k] > 0 &&
            !heddle__entry_find((uintptr_t)m.args[k], (uintptr_t)m.args[k]) &&
            heddle__data_addresses_in(m.args[k], (size_t)m.sizes[k], s->home))
            s->region->addresses = true;
    for (int k = 0; s->region->addresses && k < t->count; k++)
        for (struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to); e;
             e = heddle__entry_next(e, t->ranges[k].to))
            if (e->home == s->home)
                heddle__entry_expose(e);
    s->region->address_free = !s->region->addresses;
}

/* Lock held on entry and on return; not while the kernel runs. */
static int fly(const struct launch *l, struct sample *s, struct touch *t, bool by_word) {
    struct flight f;
    const struct map_args maps = maps_of(l->args);
    const bool away = !by_word && s->place != s->home && !(heddle__flight_conflicts(t, false) & BIT(s->place));
    const bool large = !by_word && t->to + t->from >= HEDDLE__LOOK_FROM &&
                       (away || !(t->env || t->pinned)); /* else the program must have its way */
    const uint64_t own = away || large ? heddle__own_maps(&maps) : 0;
    const bool verify = t->verify && !s->region->host_ok && !s->region->host_no && !t->env && !t->pinned && !by_word &&
                        heddle__sel.candidates & BIT(HOST) && !(heddle__flight_conflicts(t, false));
    if (heddle__stop_if_ending(true, l->args->flags & KERNEL_NOWAIT))
        return 0;
    s->start = heddle__now();
    heddle__flight_begin(&f, s->place, t, s->region, s->predicted, s->start);
    f.by_word = by_word;
    f.size = &s->size;
    f.nested = s->nested;
    bool links = heddle__sel.policy->learns && !by_word && heddle__link_claim(s->place);
    heddle__unlock();
    if (away && heddle__present(&maps, own, s->place)) {
        heddle__lock();
        heddle__flight_end(&f, s->start);
        s->foreign = true;
        return -1;
    }
    if (large && !heddle__own_fit(&maps, own, s->place)) {
        heddle__lock();
        heddle__flight_end(&f, s->start);
        s->no_room = true;
        return -1;
    }
    struct link_times times;
    double took = -1;
    int leaves_alone = 0; /* 1: it does; 2: it does not */
    const int rc = verify ? start_verified(l, s, &took, &leaves_alone) : start(l, s->place);
    const double end = heddle__now(), seconds = took < 0 ? end - s->start : took;
    links = links && !rc && heddle__link_look(s->place, &times);
    heddle__lock();
    heddle__flight_end(&f, end);
    if (links)
        heddle__link_note(s->place, &times);
    heddle__flight_shared(&f, s, seconds);
    if (leaves_alone) {
        s->region->host_ok = leaves_alone == 1;
        s->region->host_no = leaves_alone == 2;
    }
    if (!rc) {
        if (t->env && !by_word)
            heddle__data_written(t, s->place, s->home);
        if (t->env && !s->region->address_free && s->place == s->home)
            look_for_addresses(l, s, t);
        if (s->measure && (!verify || !(s->region->warm & BIT(s->place))))
            heddle__measured(s, seconds);
        s->region->warm |= BIT(s->place);
        heddle__explain_done(s, seconds);
    }
    return rc;
}

/* A region whose time is known well is timed every eighth time, unless somebody wants to see all. Each thread counts
   for itself, so this needs no lock. */
static bool worth_timing(const void *id) {
    enum { SLOTS = 64, ALL = 64, EVERY = 8 };
    static _Thread_local struct slot {
        const void *id;
        unsigned runs;
    } slots[SLOTS];
    struct slot *s = &slots[(uintptr_t)id * 0x9e3779b97f4a7c15u >> 58 & (SLOTS - 1)];
    if (heddle__sel.summary || heddle__recording() || heddle__trace_on())
        return true;
    if (s->id != id)
        *s = (struct slot){.id = id};
    return s->runs++ < ALL || s->runs % EVERY == 0;
}

/* False: the program ends, and the region is left out. */
static bool pass_fixed(const struct launch *l, int *rc) {
    *rc = 0;
    if (!heddle__enter_fixed(l->args->flags & KERNEL_NOWAIT))
        return false;
    *rc = pass(l);
    atomic_fetch_sub(&heddle__fixed_running, 1);
    return true;
}

/* As plain OpenMP, only timed: policy `fixed`. What the record says is read first: libomptarget writes into it. */
static int run_fixed(const struct launch *l) {
    struct touch t;
    struct sample s;
    int rc;
    if (!worth_timing(l->id)) {
        pass_fixed(l, &rc);
        return rc;
    }
    heddle__touch_init(&t, 0);
    s.measure = !(l->args->flags & KERNEL_NOWAIT);
    s.place = l->device == -1 ? omp_get_default_device() : (int)l->device;
    s.predicted = s.move = 0;
    s.moved = 0;
    s.nested = false;
    s.text[0] = 0;
    s.known = s.probe = false;
    for (uint32_t k = 0; k < l->args->count; k++)
        if (!(l->args->types[k] & MAP_LITERAL)) {
            t.to += l->args->types[k] & MAP_TO ? (size_t)l->args->sizes[k] : 0;
            t.from += l->args->types[k] & MAP_FROM ? (size_t)l->args->sizes[k] : 0;
        }
    size_up(&s, &t, l->args);
    s.home = s.place;
    t.allowed = s.place >= 0 && s.place < PLACES ? BIT(s.place) : 0;
    note_for_record(&s, &t, l->asked);
    s.start = heddle__now();
    if (!pass_fixed(l, &rc))
        return 0;
    const double seconds = s.alone = heddle__now() - s.start;
    s.shared = false;
    if (rc || s.place < 0 || s.place >= heddle__sel.devices)
        return rc;
    heddle__lock();
    s.region = heddle__region(l->id, l->loc);
    if (s.region) {
        unsigned runs = 0;
        if (heddle__sel.summary)
            s.predicted = heddle__predict(s.region, heddle__class_of(s.place), &s.size, &runs);
        s.known = runs >= KNOWN_RUNS;
        if (s.measure)
            heddle__measured(&s, seconds);
        heddle__explain_done(&s, seconds);
    }
    heddle__unlock();
    return rc;
}

static int on_named_device(const struct launch *l, struct sample *s, struct touch *t) {
    const struct map_args maps = maps_of(l->args);
    for (;;) {
        heddle__touch_init(t, BIT(s->home));
        heddle__touch_data(t, &maps);
        const place_set busy = heddle__flight_conflicts(t, false) & BIT(s->home);
        if (!busy && !heddle__data_moving(t))
            break;
        heddle__touch_free(t);
        wait_for(busy);
    }
    heddle__data_drop_shadows(t, s->home);
    size_up(s, t, l->args);
    if (heddle__recording())
        note_for_record(s, t, l->asked);
    return fly(l, s, t, true);
}

static int go(const struct launch *l, struct sample *s, struct touch *t) {
    if (s->place == HOST && heddle__host_begin(t, s))
        return 1;
    if (s->place == HOST)
        s->place = s->home;
    return fly(l, s, t, false);
}

/* A device that did not take the region is not asked again for it. Each round rules out one device. Another thread may
   be refused there at the same time, while this one moves its data as well: what this one was refused counts, not what
   is known by then, or it would run the host version beside regions elsewhere that work on the same data. */
static int run_somewhere(const struct launch *l, struct sample *s, struct touch *t) {
    place_set denied = 0, refused = 0, could = settle(s, t, l, &denied);
    int rc = go(l, s, t);
    while (rc && s->place != HOST && !(refused & BIT(s->place))) {
        refused |= BIT(s->place);
        const bool only = could == BIT(s->place); /* then as plain OpenMP does: the caller runs the host version */
        if (s->foreign || (s->no_room && s->place != s->home))
            denied |= BIT(s->place);
        else if (!(s->region->failed & BIT(s->place))) {
            s->region->failed |= BIT(s->place);
            heddle__warn(NULL, "%s: device %d %s the region; running it %s", s->region->where, s->place,
                         s->no_room ? "has no memory for" : "did not run", only ? "on the host" : "elsewhere");
        }
        if (only && !s->foreign)
            break;
        s->foreign = s->no_room = false;
        heddle__touch_free(t);
        could = settle(s, t, l, &denied);
        rc = go(l, s, t);
    }
    return rc;
}

static int run_tracked(const struct launch *l) {
    struct sample s;
    struct touch t;
    bool by_word;
    int rc;
    s.home = plain_device(l->device, &by_word);
    s.region = s.home < 0 ? NULL : heddle__region(l->id, l->loc);
    if (s.region == NULL || l->args->version != KERNEL_ARGS_VERSION) {
        while (s.home >= 0 && heddle__data_any_moving())
            heddle__wait(0.02);
        if (s.home >= 0) /* it cannot be told what it touches */
            heddle__data_all_home();
        heddle__unlock();
        rc = pass(l);
        heddle__lock();
        return rc;
    }
    s.place = s.home;
    s.predicted = -1;
    s.move = 0;
    s.moved = 0;
    s.measure = true;
    s.text[0] = 0;
    s.known = s.probe = s.foreign = s.no_room = false;
    s.nested = omp_get_level() > 0;
    rc = by_word ? on_named_device(l, &s, &t) : run_somewhere(l, &s, &t);
    s.region->runs++;
    s.region->count[s.place]++;
    heddle__touch_free(&t);
    return rc;
}

/* Is the record one that abi.h describes? Else it comes from a newer compiler; that is said once. */
static bool is_known(const struct kernel_args *args) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (args->version == KERNEL_ARGS_VERSION)
        return true;
    if (!atomic_flag_test_and_set(&said))
        heddle__warn(NULL,
                     "kernel arguments of version %u, heddle knows %d: such regions run where plain OpenMP runs them",
                     (unsigned)args->version, KERNEL_ARGS_VERSION);
    return false;
}

int heddle__run_kernel(struct ident *loc, int64_t device, int32_t teams, int32_t threads, void *id,
                       struct kernel_args *args) {
    const struct launch l = {loc, device, teams, threads, id, args, heddle__recording() ? heddle__now() : 0};
    const bool known = is_known(args);
    if (heddle__stop_if_ending(false, known && args->flags & KERNEL_NOWAIT))
        return 0;
    if (heddle__sel.fixed && heddle__sel.devices < 0)
        heddle__select_once();
    if (heddle__sel.fixed)
        return known && heddle__sel.devices != 0 ? run_fixed(&l) : pass(&l);
    const double now = heddle__host_running() ? heddle__now() : 0;
    heddle__lock();
    heddle__select_ready();
    heddle__host_end(now);
    const int rc = run_tracked(&l);
    heddle__unlock();
    return rc;
}

/* ---- data calls ------------------------------------------------------------------------------------------- */

static void call_real(enum data_call call, struct ident *loc, int64_t device, const struct map_args *m) {
    const struct real *real = heddle__real();
    void (*const function[])(DATA_PARAMETERS) = {real->begin, real->end, real->update};
    heddle__inside++;
    function[call](loc, device, m->count, m->bases, m->args, m->sizes, m->types, m->names, m->mappers);
    heddle__inside--;
}

/* The mapped memory that holds the pointer of a section: its copy on the device gets the section's address there. */
static struct entry *attached_pointer(const struct map_args *m, int k) {
    const uintptr_t pointer = (uintptr_t)m->bases[k];
    return m->types[k] & (MAP_ATTACH | MAP_PTR_AND_OBJ) ? heddle__entry_find(pointer, pointer + sizeof(void *)) : NULL;
}

/* Does libomptarget read or write the device's values in this call? */
static bool uses_values(enum data_call call, const struct map_args *m) {
    for (int k = 0; k < m->count; k++)
        if (call == DATA_UPDATE || m->types[k] & (MAP_ALWAYS | MAP_RETURN_PARAM) ||
            (call == DATA_END && m->types[k] & MAP_FROM) || (m->mappers && m->mappers[k]) ||
            (call == DATA_BEGIN && attached_pointer(m, k)))
            return true;
    return false;
}

static const char *reason_to_pin(const struct map_args *m, int k) {
    if (m->types[k] & MAP_RETURN_PARAM)
        return "the program holds its device pointer";
    if (m->types[k] & ~(int64_t)MAP_PLAIN)
        return "part of a structure";
    for (int j = 0; j < m->count; j++) /* the whole structure of which others are members */
        if ((uint64_t)m->types[j] >> 48 == (uint64_t)k + 1)
            return "a structure with pointers";
    return NULL;
}

/* New entries, and device pointers that the program got. */
static void after_begin(const struct map_args *m, int device) {
    for (int k = 0; k < m->count; k++) {
        const uintptr_t at = (uintptr_t)m->args[k];
        const int64_t type = m->types[k];
        if (type & (MAP_LITERAL | MAP_PRIVATE | MAP_ATTACH))
            continue;
        if (m->mappers && m->mappers[k])
            heddle__give_up("the program maps data by its own mapper");
        if (m->sizes[k] && heddle__real()->mapped_ptr(m->args[k], device))
            heddle__entry_add(at, at + (uintptr_t)m->sizes[k], device, reason_to_pin(m, k));
        struct entry *e = type & MAP_RETURN_PARAM ? heddle__entry_find(at, at) : NULL;
        if (e && e->home == device)
            heddle__entry_expose(e);
    }
    for (int k = 0; k < m->count; k++) {
        struct entry *pointer = attached_pointer(m, k);
        struct entry *target = pointer ? heddle__entry_find((uintptr_t)m->args[k], (uintptr_t)m->args[k] + 1) : NULL;
        if (target && target != pointer) { /* an address of this device: neither can move */
            pointer->pinned = pointer->pinned ? pointer->pinned : "a structure with pointers";
            target->pinned = target->pinned ? target->pinned : "part of a structure";
        }
    }
}

static void after_data(enum data_call call, const struct map_args *m, const struct touch *t, int device) {
    heddle__inside++;
    if (call == DATA_BEGIN)
        after_begin(m, device);
    if (call == DATA_END)
        heddle__entry_sweep(t->ranges, t->count);
    heddle__inside--;
}

void heddle__run_data(enum data_call call, struct ident *loc, int64_t device, struct map_args m, bool task) {
    struct touch t;
    struct flight f;
    bool by_word;
    double now = heddle__host_running() ? heddle__now() : 0;
    if (heddle__stop_if_ending(false, task))
        return;
    if (heddle__sel.fixed && heddle__sel.devices < 0)
        heddle__select_once();
    if (heddle__sel.fixed) {
        if (heddle__enter_fixed(task)) {
            call_real(call, loc, device, &m);
            atomic_fetch_sub(&heddle__fixed_running, 1);
        }
        return;
    }
    heddle__lock();
    heddle__select_ready();
    heddle__host_end(now);
    const int d = plain_device(device, &by_word);
    if (d < 0) {
        heddle__unlock();
        call_real(call, loc, device, &m);
        return;
    }
    for (;;) {
        heddle__touch_init(&t, BIT(d));
        heddle__touch_data(&t, &m);
        const place_set busy = heddle__flight_conflicts(&t, false);
        if (!(by_word ? busy & BIT(d) : busy & ~BIT(d)) && !heddle__data_moving(&t))
            break;
        heddle__touch_free(&t);
        wait_for(busy);
    }
    heddle__data_drop_shadows(&t, d);
    const bool values = uses_values(call, &m);
    if (values && !by_word)
        heddle__data_move(&t, d, d);
    if (heddle__stop_if_ending(true, task)) {
        heddle__touch_free(&t);
        heddle__unlock();
        return;
    }
    heddle__flight_begin(&f, d, &t, NULL, 0, 0);
    f.by_word = by_word;
    heddle__unlock();
    call_real(call, loc, d, &m);
    heddle__lock();
    heddle__flight_end(&f, 0);
    if (values && call != DATA_END)
        heddle__data_changed(&t, d);
    after_data(call, &m, &t, d);
    heddle__touch_free(&t);
    heddle__unlock();
}
