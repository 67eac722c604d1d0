/* SPDX-License-Identifier: Apache-2.0 */
/* Regions: where they go, what must be ready there, and what is true afterwards. */
#include "trace/record.h"
#include "selector.h"
#include "graph.h"
#include "launch.h"
#include <omp.h>
#include <stdatomic.h>

int heddle__launch_on(const struct launch *l, int device) {
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

/* ---- regions --------------------------------------------------------------------------------------------- */

static void size_up(struct sample *s, const struct footprint *t, const struct kernel_args *a) {
    const double bytes = (double)(t->to + t->from), all = bytes + (double)t->env;
    s->size = (struct size){.n = a->tripcount ? (double)a->tripcount
                                 : all > 0    ? all
                                              : 1,
                            .bytes = bytes,
                            .to = (double)t->to};
}

static place_set right_places(const struct region *r, const struct kernel *k, int default_device) {
    if (heddle__sel.opaque || !k->image || k->image->state)
        return BIT(default_device);
    place_set set = heddle__sel.candidates & ~r->failed;
    if (!(r->failed & BIT(default_device)) || !(set & ~BIT(HOST)))
        set |= BIT(default_device);
    if (heddle__sel.host_off || (!r->runs && !r->model[CLASS_HOST]) || r->host_no)
        set &= ~BIT(HOST);
    return set;
}

/* What a replay needs to know. */
static void note_for_record(struct sample *s, const struct footprint *t, double asked) {
    s->asked = asked;
    s->allowed = t->allowed;
    s->data_bytes = t->env;
    s->data = 0;
    for (int k = 0; t->env && !s->data && k < t->count; k++) {
        const struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to);
        s->data = e && e->default_device == s->default_device ? e->from : 0;
    }
}

/* Finds the place, waits for overlapping calls, and brings the data there. *denied: places that turned out to be wrong.
   Returns the places that could have had it, were nothing else running. Lock held. */
static place_set resolve(struct sample *s, struct footprint *t, const struct launch *l, place_set *denied) {
    const struct map_args maps = heddle__launch_maps(l);
    const struct kernel k = heddle__kernel_find(l->id);
    for (;;) {
        heddle__footprint_init(t, heddle__may_move(l->device)
                                      ? right_places(s->region, &k, s->default_device) & ~*denied
                                      : BIT(s->default_device));
        heddle__footprint_of_region(t, &maps, s->default_device);
        heddle__reads_plan(s->region, t, s->default_device);
        if (t->env && !s->region->address_free)
            t->allowed &= BIT(s->default_device);
        if (!t->pinned && s->region->addresses)
            t->pinned = "it gives device addresses to the program";
        if (!t->pinned && !heddle__may_move(l->device))
            t->pinned = "the program names its device";
        if (!t->pinned && (!k.image || k.image->state))
            t->pinned = k.image ? "its device code has variables of its own" : "its image is not known";
        /* LLVM 19's libomp can abort over a parallel region in a hidden helper thread (kmp_tasking.cpp 4368) */
        if ((t->verify && !s->region->host_ok) || (l->args->flags & KERNEL_NOWAIT && l->args->tripcount))
            t->allowed &= ~BIT(HOST);
        if (!t->allowed)
            t->allowed = BIT(s->default_device);
        size_up(s, t, l->args);
        const place_set busy = heddle__active_conflicts(t, false);
        if (busy & (busy - 1) || (busy && !(busy & t->allowed)) || heddle__data_is_migrating(t)) {
            heddle__footprint_free(t);
            heddle__wait_for(busy);
            continue;
        }
        const place_set could = t->allowed;
        if (busy)
            t->allowed = busy;
        const int place = heddle__choose(s, t);
        if (heddle__recording())
            note_for_record(s, t, l->asked);
        s->moved = t->env ? heddle__data_count_missing(t, place) : 0;
        const enum migration moved = t->env ? heddle__data_migrate(t, place, s->default_device) : MIGRATED;
        if (moved == MIGRATED || (moved == MIGRATION_DENIED && place == s->default_device))
            return could;
        heddle__footprint_free(t); /* something is pinned now, or has no room there: look again */
        if (moved == MIGRATION_RETRY)
            heddle__wait_for(0);
        else
            *denied |= BIT(place);
    }
}

/* May its first run here tell of the host version? Nothing else may write the region's data meanwhile. */
static bool is_to_verify(const struct sample *s, const struct footprint *t, bool by_word) {
    return t->verify && !s->region->host_ok && !s->region->host_no && !t->env && !t->pinned && !by_word &&
           heddle__sel.candidates & BIT(HOST) && !heddle__active_conflicts(t, false);
}

/* After a run that succeeded. Lock held. */
static void learn(const struct launch *l, struct sample *s, const struct footprint *t, bool verified, double seconds) {
    struct region *r = s->region;
    if (t->env && !r->address_free && s->place == s->default_device)
        heddle__look_for_addresses(l, s, t);
    if (s->measure && (!verified || !(r->warm & BIT(s->place))))
        heddle__region_add_run(s, seconds);
    r->warm |= BIT(s->place);
    heddle__explain_done(s, seconds);
}

/* Lock held on entry and on return; not while the kernel runs. */
static int execute_region(const struct launch *l, struct sample *s, struct footprint *t, bool by_word) {
    struct active_region f;
    struct reading reading;
    struct link_times times;
    const struct map_args maps = heddle__launch_maps(l);
    const bool away =
        !by_word && s->place != s->default_device && !(heddle__active_conflicts(t, false) & BIT(s->place));
    const bool large = !by_word && t->to + t->from >= HEDDLE__LOOK_FROM &&
                       (away || !(t->env || t->pinned)); /* else the program must have its way */
    const uint64_t own = away || large ? heddle__own_maps(&maps) : 0;
    const bool verify = is_to_verify(s, t, by_word);
    if (heddle__stop_if_ending(true, l->args->flags & KERNEL_NOWAIT))
        return 0;
    s->start = heddle__now();
    heddle__active_begin(&f, s->place, t, s->region, s->predicted, s->start);
    f.by_word = by_word;
    f.size = &s->size;
    f.nested = s->nested;
    heddle__reads_begin(t, &reading);
    heddle__reads_beside(s->region, t, s->place, s->moved > 0); /* others look at f while it waits */
    bool links = heddle__sel.policy->learns && !by_word && heddle__link_claim(s->place);
    heddle__unlock();
    s->foreign = away && heddle__present(&maps, own, s->place);
    s->no_room = !s->foreign && large && !heddle__own_fit(&maps, own, s->place);
    if (s->foreign || s->no_room) {
        heddle__lock();
        heddle__active_end(&f, s->start);
        return -1;
    }
    double took = -1;
    enum first_run first = FIRST_TELLS_NOTHING;
    const int rc = verify ? heddle__launch_verified(l, s, &took, &first) : heddle__launch_on(l, s->place);
    const double end = heddle__now(), seconds = took < 0 ? end - s->start : took;
    links = links && !rc && heddle__link_measure(s->place, &times);
    heddle__lock();
    const uint64_t kept = heddle__reads_end(s->region, t, s->place, &reading);
    heddle__active_end(&f, end);
    if (links)
        heddle__link_add_times(s->place, &times);
    heddle__active_share_time(&f, s, seconds);
    if (first != FIRST_TELLS_NOTHING) {
        s->region->host_ok = first == FIRST_LEAVES_ALONE;
        s->region->host_no = first == FIRST_WRITES;
    }
    if (!rc && t->env && !by_word)
        heddle__data_mark_written(t, s->place, s->default_device, kept);
    if (!rc)
        learn(l, s, t, verify, seconds);
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
    struct footprint t;
    struct sample s;
    int rc;
    if (!worth_timing(l->id)) {
        pass_fixed(l, &rc);
        return rc;
    }
    heddle__footprint_init(&t, 0);
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
    s.default_device = s.place;
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
    s.region = heddle__region_find(l->id, l->loc);
    if (s.region) {
        unsigned runs = 0;
        if (heddle__sel.summary)
            s.predicted = heddle__predict(s.region, heddle__class_of(s.place), &s.size, &runs);
        s.known = runs >= KNOWN_RUNS;
        if (s.measure)
            heddle__region_add_run(&s, seconds);
        heddle__explain_done(&s, seconds);
    }
    heddle__unlock();
    return rc;
}

static int on_named_device(const struct launch *l, struct sample *s, struct footprint *t) {
    const struct map_args maps = heddle__launch_maps(l);
    for (;;) {
        heddle__footprint_init(t, BIT(s->default_device));
        heddle__footprint_of_data(t, &maps);
        const place_set busy = heddle__active_conflicts(t, false) & BIT(s->default_device);
        if (!busy && !heddle__data_is_migrating(t))
            break;
        heddle__footprint_free(t);
        heddle__wait_for(busy);
    }
    heddle__data_drop_replicas(t, s->default_device);
    size_up(s, t, l->args);
    if (heddle__recording())
        note_for_record(s, t, l->asked);
    return execute_region(l, s, t, true);
}

static int try_run(const struct launch *l, struct sample *s, struct footprint *t) {
    if (s->place == HOST && heddle__host_begin(t, s))
        return 1;
    if (s->place == HOST)
        s->place = s->default_device;
    return execute_region(l, s, t, false);
}

/* No device ran it, so the compiler's code runs the host's version now, on memory of the host: as good where the region
   brings all its data itself. */
static void check_refused(const struct launch *l, const struct sample *s, const struct footprint *t) {
    const struct kernel k = heddle__kernel_find(l->id);
    bool there = k.image && k.image->state;
    EACH_ENTRY (e, t, !there)
        there = e->default_device >= 0;
    if (there)
        heddle__lost(NULL,
                     "%s: device %d did not run the region, which works with data that the program keeps there: no "
                     "right result is possible",
                     s->region->where, s->default_device);
}

/* A device that did not take the region is not asked again for it. Each round rules out one device. Another thread may
   be refused there at the same time, while this one moves its data as well: what this one was refused counts, not what
   is known by then, or it would run the host version beside regions elsewhere that work on the same data. */
static int run_somewhere(const struct launch *l, struct sample *s, struct footprint *t) {
    heddle__iteration_wait(s);
    place_set denied = 0, refused = 0, could = resolve(s, t, l, &denied);
    int rc = try_run(l, s, t);
    while (rc && s->place != HOST && !(refused & BIT(s->place))) {
        refused |= BIT(s->place);
        const bool only = could == BIT(s->place); /* then the caller runs the host version */
        if (only && !s->foreign)
            check_refused(l, s, t);
        if (s->foreign || (s->no_room && s->place != s->default_device))
            denied |= BIT(s->place);
        else if (!(s->region->failed & BIT(s->place))) {
            s->region->failed |= BIT(s->place);
            heddle__warn(NULL, "%s: device %d %s the region; running it %s", s->region->where, s->place,
                         s->no_room ? "has no memory for" : "did not run", only ? "on the host" : "elsewhere");
        }
        if (only && !s->foreign)
            break;
        s->foreign = s->no_room = false;
        heddle__footprint_free(t);
        could = resolve(s, t, l, &denied);
        rc = try_run(l, s, t);
    }
    heddle__iteration_done(s, could);
    return rc;
}

static int run_tracked(const struct launch *l) {
    struct sample s;
    struct footprint t;
    bool by_word;
    int rc;
    s.default_device = heddle__plain_device(l->device, &by_word);
    s.region = s.default_device < 0 ? NULL : heddle__region_find(l->id, l->loc);
    if (s.region == NULL || l->args->version != KERNEL_ARGS_VERSION) {
        while (s.default_device >= 0 && heddle__data_any_migrating())
            heddle__wait(0.02);
        if (s.default_device >= 0) /* it cannot be told what it touches */
            heddle__data_bring_all_back();
        heddle__unlock();
        rc = pass(l);
        heddle__lock();
        return rc;
    }
    s.place = s.default_device;
    s.predicted = s.alone = -1;
    s.graph_place = -1;
    s.move = 0;
    s.moved = 0;
    s.measure = true;
    s.text[0] = 0;
    s.known = s.probe = s.foreign = s.no_room = false;
    s.nested = omp_get_level() > 0;
    rc = by_word ? on_named_device(l, &s, &t) : run_somewhere(l, &s, &t);
    s.region->runs++;
    s.region->count[s.place]++;
    if (rc && s.place != HOST)
        check_refused(l, &s, &t);
    heddle__footprint_free(&t);
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
