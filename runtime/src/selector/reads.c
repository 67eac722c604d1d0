/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a region only reads keeps its other valid copies. A task says so by `depend(in:)`, but nothing keeps it from
 * writing, so its word alone is no proof. Copies stay where the region's copy was compared with another one after the
 * run, and is the same. That is done at a region's first runs and now and then, and always where it costs less than to
 * copy again. Else its device is the only holder, as after a write. A region that is found to write counts as a writer
 * from then on. That another reader ran at the same time proves nothing: it may not have read.
 *
 * Of two tasks with `depend(in:)` at the same time one may write what the other never touches. So only regions run
 * beside each other on several devices that were found not to write once, whose copies are compared this time, too, and
 * whose maps bring nothing back. What they began with is kept (base.c), so that what one of them writes after all is
 * told apart. Where there was no memory for that, the program ends.
 */
#include "selector.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_RUNS = 3, PART = 1 << 20, MOST = 64 };

static struct footprint reads_of(const struct footprint *t) {
    struct footprint r = {.ranges = t->ranges, .count = t->reads, .reads = t->reads};
    return r;
}

/* Does somebody write there now, in no order with this region? */
static bool is_disturbed(const struct footprint *t) {
    const struct footprint r = reads_of(t);
    return heddle__active_writes(&r) || heddle__data_is_migrating(&r);
}

static unsigned long writes(const struct footprint *t) {
    const struct footprint r = reads_of(t);
    unsigned long sum = 0;
    EACH_ENTRY (e, &r, true)
        sum += e->writes;
    return sum;
}

void heddle__reads_begin(const struct footprint *t, struct reading *r) {
    EACH_ENTRY (e, t, true) {
        if (k_ >= t->reads)
            e->writes++;
    }
    r->clean = t->reads && !is_disturbed(t);
    r->writes = writes(t);
}

static bool is_same(const struct range *host, int a, int b, char *buffer) {
    const char *at[] = {heddle__real()->mapped_ptr((void *)host->from, a),
                        heddle__real()->mapped_ptr((void *)host->from, b)};
    const size_t bytes = host->to - host->from;
    const int place[] = {a, b}, here = omp_get_initial_device();
    for (size_t done = 0; at[0] && at[1] && done < bytes; done += PART) {
        const size_t part = bytes - done < PART ? bytes - done : PART;
        for (int k = 0; k < 2; k++)
            if (heddle__real()->copy(buffer + k * PART, at[k] + done, part, 0, 0, here, place[k]))
                return false;
        if (memcmp(buffer, buffer + PART, part))
            return false;
    }
    return at[0] && at[1];
}

/* Gives the lock back meanwhile; nobody else touches the entry. */
static bool compare(struct entry *e, int place, int with) {
    const struct range host = {e->from, e->to};
    char *buffer = malloc(2 * (size_t)PART);
    heddle__entry_hold(e, true);
    heddle__unlock();
    heddle__inside++;
    const bool same = buffer && is_same(&host, place, with, buffer);
    heddle__inside--;
    free(buffer);
    heddle__lock();
    heddle__entry_hold(heddle__entry_find(host.from, host.to), false);
    heddle__wake();
    return same;
}

/* Both copies to the host, against one from device to device for each that would be lost. */
static bool is_cheap(const struct entry *e, int class) {
    const int others = e->valid & (e->valid - 1) ? __builtin_popcountll(e->valid) - 1 : 1;
    const double bytes = (double)(e->to - e->from), rate = heddle__link_rate(LINK_FROM, class);
    return rate > 0 && 2 * rate * bytes < others * heddle__predict_migration(class, e->to - e->from);
}

void heddle__reads_plan(const struct region *region, struct footprint *t, int default_device) {
    const unsigned long runs = region->read_runs + 1;
    if (region->writes_in)
        t->reads = 0;
    const struct footprint r = reads_of(t);
    t->compares = true;
    if (runs > FIRST_RUNS && runs & (runs - 1))
        EACH_ENTRY (e, &r, t->compares)
            t->compares = is_cheap(e, heddle__class_of(default_device));
    t->alone |= !t->compares || !region->read_proven || t->reads > MOST;
}

void heddle__reads_beside(const struct region *region, const struct footprint *t, int place, bool moved) {
    for (int k = 0; k < t->reads && !t->alone; k++)
        if (!heddle__base_take(&t->ranges[k], place, moved))
            heddle__warn(NULL, "%s: what it reads on device %d beside another region cannot be kept: no memory for it",
                         region->where, place);
}

/* Which of the two copies has what was written, and which of the two wrote? */
static void check_beside(const struct region *region, const struct range *r, int place) {
    const struct active_region *other = heddle__active_reader(r, place);
    if (other)
        heddle__lost(NULL,
                     "%s on device %d and %s on device %d run at the same time, both with depend(in:) of %zu bytes at "
                     "%p, and one of them writes there, or a copy failed: no right result is possible; write "
                     "depend(inout:), or map(tofrom:), in that task",
                     region->where, place, ((const struct region *)other->region)->where, other->place,
                     (size_t)(r->to - r->from), (void *)r->from);
}

static void found_writing(struct region *region, const char *beside) {
    if (!region->writes_in)
        heddle__warn(NULL, "%s: writes data that its task has in depend(in:)%s: it counts as written from now on",
                     region->where, beside);
    region->writes_in = true;
}

/* Where others read elsewhere: are all copies, with what the region wrote, the same now? */
static bool joins(struct region *region, const struct range *r, int place) {
    const enum base_state state = heddle__base_merge(r, place);
    if (state == BASE_FAILED)
        check_beside(region, r, place);
    if (state == BASE_WRITTEN)
        found_writing(region, ", beside another that reads it on another device, which has it now");
    return state == BASE_SAME || state == BASE_WRITTEN;
}

/* One of the ranges: do its other copies stay? *proven: they were compared. */
static bool stays(struct region *region, const struct footprint *t, int k, int place, const struct reading *r,
                  bool *proven) {
    struct entry *e = heddle__entry_find(t->ranges[k].from, t->ranges[k].to);
    const place_set others = e && e->valid & BIT(place) ? e->valid & ~BIT(place) : 0;
    *proven &= others != 0;
    if (!others)
        return e && e->valid == BIT(place);
    const bool clean = r->clean && r->writes == writes(t) && !is_disturbed(t);
    if (!clean || !t->compares)
        return false;
    const bool same = compare(e, place, __builtin_ctzll(others));
    if (r->writes != writes(t) || is_disturbed(t)) /* somebody was at it while it was compared */
        return false;
    if (!same) {
        check_beside(region, &t->ranges[k], place);
        found_writing(region, "");
    }
    return same;
}

uint64_t heddle__reads_end(struct region *region, const struct footprint *t, int place, const struct reading *r) {
    uint64_t kept = 0, joined = 0;
    bool proven = t->reads > 0;
    region->read_runs += t->reads > 0;
    for (int k = 0; k < t->reads && k < MOST; k++)
        if (joins(region, &t->ranges[k], place))
            joined |= UINT64_C(1) << k;
        else if (!region->writes_in) {
            const bool same = stays(region, t, k, place, r, &proven);
            proven &= same;
            kept |= (uint64_t)same << k;
        }
    region->read_proven |= proven && !region->writes_in;
    return joined | (region->writes_in ? 0 : kept);
}
