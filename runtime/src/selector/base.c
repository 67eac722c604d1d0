/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What readers on several devices began with. Of two tasks with `depend(in:)` at the same time one may write what the
 * other never touches. So the bytes of an entry are kept on the host as long as several devices read it: its *base*.
 * Each copy is then the base and what regions of its device have written since. What differs from the base behind a
 * region was written there, and goes to the other copies and into the base. Nobody else touches these bytes meanwhile,
 * or the program has a race of its own. The base costs one transfer, and comparing with it one where two were needed.
 */
#include "selector.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 1 << 20 };

static struct entry *hold(const struct range *host) {
    struct entry *e = heddle__entry_find(host->from, host->to);
    while (e && e->migrating) {
        heddle__wait(0.02);
        e = heddle__entry_find(host->from, host->to);
    }
    if (e)
        heddle__entry_hold(e, true);
    return e;
}

static void let_go(const struct range *host) {
    struct entry *e = heddle__entry_find(host->from, host->to);
    heddle__entry_hold(e, false);
    heddle__wake();
}

static char *there(const struct range *host, int device) {
    return heddle__real()->mapped_ptr((void *)host->from, device);
}

/* Under no lock; the entry is held. */
static bool transfer(const struct range *host, char *base, int device, bool to_device) {
    const int here = omp_get_initial_device();
    char *at = there(host, device);
    const size_t bytes = host->to - host->from;
    return at && !(to_device ? heddle__real()->copy(at, base, bytes, 0, 0, device, here)
                             : heddle__real()->copy(base, at, bytes, 0, 0, here, device));
}

bool heddle__base_is_fresh(const struct entry *e) { return e->base && e->base_writes == e->writes; }

void heddle__base_free(struct entry *e) {
    free(e->base);
    e->base = NULL;
}

/* Places with a region that reads the entry, but for the caller's. */
static place_set readers(const struct range *host, int place) {
    place_set set = 0;
    for (const struct active_region *f = heddle__active_regions(); f; f = f->next)
        for (int k = 0; f->region && f->place != place && k < f->reads; k++)
            if (f->ranges[k].from < host->to && host->from < f->ranges[k].to)
                set |= BIT(f->place);
    return set;
}

/* What came here while somebody worked on its source may be half of what that one writes. Then the base is what an idle
   device has, else what came. */
static bool make(struct entry *e, const struct range *host, int place, place_set idle, bool moved) {
    const unsigned long writes = e->writes;
    const place_set valid = e->valid;
    char *base = malloc(host->to - host->from);
    heddle__unlock();
    heddle__inside++;
    const int from = moved && idle ? __builtin_ctzll(idle) : place;
    bool good = base && transfer(host, base, from, false);
    if (good && from != place)
        good = transfer(host, base, place, true);
    heddle__inside--;
    heddle__lock();
    e = heddle__entry_find(host->from, host->to);
    heddle__base_free(e);
    e->base = good ? base : NULL;
    e->base_writes = writes;
    e->based = valid;
    if (!good)
        free(base);
    return good;
}

static bool refill(struct entry *e, const struct range *host, int place) {
    char *base = e->base;
    heddle__unlock();
    heddle__inside++;
    const bool good = transfer(host, base, place, true);
    heddle__inside--;
    heddle__lock();
    heddle__entry_find(host->from, host->to)->based |= BIT(place);
    return good;
}

bool heddle__base_take(const struct range *r, int place, bool moved) {
    struct entry *e = hold(r);
    if (!e)
        return true;
    const struct range host = {e->from, e->to};
    const place_set beside = readers(&host, place);
    bool good = true;
    if (beside && e->valid & BIT(place)) {
        if (!heddle__base_is_fresh(e))
            good = make(e, &host, place, e->valid & ~beside & ~BIT(place), moved);
        else if (!(e->based & BIT(place)))
            good = refill(e, &host, place);
    }
    let_go(&host);
    return good;
}

/* ---- what was written -------------------------------------------------------------------------------------- */

struct merge {
    struct range host;
    char *base, *part;     /* what the region's device has of a part of it */
    place_set others, bad; /* bad: a copy to it failed */
    int place;
    bool wrote;
};

static void give(struct merge *m, size_t at, const char *bytes, size_t count) {
    const int here = omp_get_initial_device();
    memcpy(m->base + at, bytes, count);
    for (place_set left = m->others; left; left &= left - 1) {
        const int d = __builtin_ctzll(left);
        char *target = there(&m->host, d);
        if (!target || heddle__real()->copy(target + at, bytes, count, 0, 0, d, here))
            m->bad |= BIT(d);
    }
}

/* Exactly the bytes that differ: those beside them may be written elsewhere just now. */
static void lay_over(struct merge *m, size_t at, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const size_t first = k;
        while (k < count && m->part[k] != m->base[at + k])
            k++;
        if (k > first)
            give(m, at + first, m->part + first, k - first);
    }
}

static bool merge_parts(struct merge *m) {
    const size_t bytes = m->host.to - m->host.from;
    const char *copy = there(&m->host, m->place);
    const int here = omp_get_initial_device();
    for (size_t done = 0; copy && done < bytes; done += PART) {
        const size_t part = bytes - done < PART ? bytes - done : PART;
        if (heddle__real()->copy(m->part, copy + done, part, 0, 0, here, m->place))
            return false;
        if (memcmp(m->part, m->base + done, part)) {
            m->wrote = true;
            lay_over(m, done, part);
        }
    }
    return copy;
}

/* The last one frees the base: nobody else is at the entry on another device. */
static void merged(const struct merge *m) {
    struct entry *e = heddle__entry_find(m->host.from, m->host.to);
    e->dirty |= m->wrote;
    if (!readers(&m->host, m->place))
        heddle__base_free(e);
}

enum base_state heddle__base_merge(const struct range *r, int place) {
    struct entry *e = hold(r);
    if (!e)
        return BASE_NONE;
    struct merge m = {.host = {e->from, e->to}, .base = e->base, .others = e->valid & ~BIT(place), .place = place};
    enum base_state state = BASE_NONE;
    if (heddle__base_is_fresh(e) && e->valid & BIT(place)) {
        m.part = malloc(PART);
        heddle__unlock();
        heddle__inside++;
        const bool good = m.part && merge_parts(&m) && !m.bad;
        heddle__inside--;
        heddle__lock();
        free(m.part);
        merged(&m);
        state = !good ? BASE_FAILED : m.wrote ? BASE_WRITTEN : BASE_SAME;
    }
    let_go(&m.host);
    return state;
}
