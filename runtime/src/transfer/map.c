/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Array sections of a nest on a device, by OpenMP's own mapping: data that the program already holds there
 * (target data, enter data) is found and used, and reference counts stay right.
 */
#include "device/device.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define START(m) ((char *)(m)->base + (m)->first)

/* ---- whose they are ---- */
/*
 * What a call has on a device while it runs. Calls of other host threads find it there, and must not take it for what
 * the program keeps: it comes while they look, and goes while they use it. It is a copy of what the host has.
 */
enum { PATIENCE = 1 /* seconds */ };

struct passing {
    struct passing *next;
    pthread_t thread; /* the call's: its loops inside find it like what the program keeps */
    int device, users;
    const char *first;
    size_t bytes;
    bool kept; /* it was there before the first one came: the program's own */
};

static struct passing *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gone = PTHREAD_COND_INITIALIZER;

static bool meets(const struct passing *p, const struct heddle_map *m, int device) {
    return p->device == device && !p->kept && START(m) < p->first + p->bytes && p->first < START(m) + m->bytes;
}

/* ---- under the lock: who maps has a note before it does, and until it does no more ---------------------------------
 */
static bool is_own(const struct passing *p) { return pthread_equal(p->thread, pthread_self()); }

static bool passes(const struct heddle_map *m, int device, bool own) {
    for (const struct passing *p = all; p; p = p->next)
        if ((own || !is_own(p)) && meets(p, m, device))
            return true;
    return false;
}

/* OpenMP maps no section of which a part is there. */
static bool in_the_way(const struct heddle_map *m, int device) {
    for (const struct passing *p = all; p; p = p->next)
        if (!is_own(p) && meets(p, m, device) && (START(m) < p->first || START(m) + m->bytes > p->first + p->bytes))
            return true;
    return false;
}

static struct passing **find(const struct heddle_map *m, int device, bool own) {
    struct passing **at = &all;
    while (*at &&
           ((*at)->device != device || (*at)->first != START(m) || (*at)->bytes != m->bytes || (own && !is_own(*at))))
        at = &(*at)->next;
    return at;
}

/* By the thread that noted it, or one that ends its work. */
static void forget(const struct heddle_map *m, int device) {
    struct passing **own = find(m, device, true), **at = *own ? own : find(m, device, false), *p = *at;
    if (p && !--p->users) {
        *at = p->next;
        free(p);
    }
}

/* ---- for others ----------------------------------------------------------------------------------------------------
 */
bool heddle__maps_kept(const struct heddle_map *m, int device) {
    if (!m->bytes || !heddle__device_present(device, START(m)))
        return false;
    pthread_mutex_lock(&lock);
    const bool is = heddle__device_present(device, START(m)) && !passes(m, device, false);
    pthread_mutex_unlock(&lock);
    return is;
}

/* Waits for other calls whose sections share a part with these. They may wait for what this one holds, so not for
   ever. */
static bool wait_for_room(const struct heddle_map *maps, int nmaps, int device) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    for (int k = 0, late = 0; k < nmaps; k++)
        if (maps[k].bytes && in_the_way(&maps[k], device)) {
            if (late) {
                heddle__verbose("device %d: another call has a part of array '%s' there, and goes on", device,
                                maps[k].name ? maps[k].name : "");
                return false;
            }
            late = pthread_cond_timedwait(&gone, &lock, &until) == ETIMEDOUT;
            k = -1; /* all of them once more */
        }
    return true;
}

/* Before they are mapped. HEDDLE_ENOMEM: nothing is noted; another call has a part of one, and does not end. */
static int note(const struct heddle_map *maps, int nmaps, int device) {
    int noted = 0;
    pthread_mutex_lock(&lock);
    bool ok = !all || wait_for_room(maps, nmaps, device);
    for (; ok && noted < nmaps; noted += ok) {
        const struct heddle_map *m = &maps[noted];
        struct passing *p = m->bytes ? all : NULL;
        while (p && (p->device != device || p->first != START(m) || p->bytes != m->bytes ||
                     !pthread_equal(p->thread, pthread_self())))
            p = p->next;
        if (m->bytes && !p && (p = calloc(1, sizeof *p))) {
            *p =
                (struct passing){.next = all,
                                 .thread = pthread_self(),
                                 .device = device,
                                 .first = START(m),
                                 .bytes = m->bytes,
                                 .kept = heddle__device_present(device, START(m)) && !(all && passes(m, device, true))};
            all = p;
        }
        ok = p || !m->bytes;
        if (p)
            p->users++;
    }
    for (int k = 0; !ok && k < noted; k++)
        if (maps[k].bytes)
            forget(&maps[k], device);
    pthread_mutex_unlock(&lock);
    return ok ? HEDDLE_OK : HEDDLE_ENOMEM;
}

/* When they are unmapped. */
static void forget_all(const struct heddle_map *maps, int nmaps, int device) {
    pthread_mutex_lock(&lock);
    for (int k = 0; k < nmaps; k++)
        if (maps[k].bytes)
            forget(&maps[k], device);
    pthread_cond_broadcast(&gone);
    pthread_mutex_unlock(&lock);
}

/* ---- there and back ---- */
size_t heddle__maps_bytes(const struct heddle_map *maps, int nmaps, int device) {
    size_t sum = 0;
    for (int k = 0; k < nmaps; k++)
        if (!heddle__device_present(device, START(&maps[k])))
            sum += maps[k].bytes;
    return sum;
}

/* libomptarget aborts the program when a mapping does not fit: look first. */
static bool room_for(const struct heddle_map *maps, int nmaps, int device) {
    size_t bytes[nmaps + 1];
    int n = 0;
    for (int k = 0; k < nmaps; k++)
        if (maps[k].bytes && !heddle__device_present(device, START(&maps[k])))
            bytes[n++] = maps[k].bytes;
    struct heddle__device *d = heddle__device(device);
    return !n || (d && d->ops->fits(d, bytes, n));
}

int heddle__maps_enter(const struct heddle_map *maps, int nmaps, int device, void *env) {
    void *there[nmaps + 1];
    if (note(maps, nmaps, device))
        return HEDDLE_ENOMEM;
    if (!room_for(maps, nmaps, device) || heddle__device_map(device, maps, nmaps, there)) {
        forget_all(maps, nmaps, device);
        return HEDDLE_ENOMEM;
    }
    for (int k = 0; k < nmaps; k++) {
        char *base = maps[k].bytes ? (char *)there[k] - maps[k].first : NULL;
        memcpy((char *)env + maps[k].slot, &base, sizeof base);
    }
    return HEDDLE_OK;
}

void heddle__maps_exit(const struct heddle_map *maps, int nmaps, int device, bool keep) {
    heddle__device_unmap(device, maps, nmaps, keep);
    forget_all(maps, nmaps, device);
}

/* The section's place on the device if all of it is there, else NULL. */
static void *whole_section(const struct heddle_map *m, int device) {
    char *first = m->bytes ? heddle__device_mapped(device, START(m)) : NULL;
    return first && heddle__device_mapped(device, START(m) + m->bytes - 1) == first + m->bytes - 1 ? first : NULL;
}

int heddle__maps_holder(const struct heddle_map *maps, int nmaps) {
    const int count = nmaps ? heddle__devices_started() : 0;
    for (int device = 0; device < count; device++)
        for (int k = 0; k < nmaps; k++)
            if (maps[k].bytes && heddle__device_present(device, START(&maps[k])) && heddle__maps_kept(&maps[k], device))
                return device;
    return HEDDLE_DEVICE_HOST;
}

/* ... where the program keeps it. */
static void *kept_section(const struct heddle_map *m, int device) {
    return heddle__maps_kept(m, device) ? whole_section(m, device) : NULL;
}

void heddle__maps_copied(const struct heddle_map *m, int device, int error) {
    if (error)
        heddle__lost(NULL,
                     "device %d failed (%s) with %zu bytes, at %p on the host, that the program keeps there: no right "
                     "result is possible",
                     device, heddle_strerror(error), m->bytes, (void *)START(m));
}

int heddle__maps_try_fetch(const struct heddle_map *m, int device) {
    void *there = whole_section(m, device);
    return there ? heddle__device_copy_out(device, START(m), there, m->bytes) : HEDDLE_OK;
}

void heddle__maps_fetch(const struct heddle_map *m, int device) {
    heddle__maps_copied(m, device, heddle__maps_try_fetch(m, device));
}

char *heddle__maps_kept_at(const struct heddle_map *map, int device) { return kept_section(map, device); }

void heddle__maps_pull(const struct heddle_map *maps, int nmaps, int device) {
    for (int k = 0; k < nmaps; k++)
        if (kept_section(&maps[k], device))
            heddle__maps_fetch(&maps[k], device);
}

bool heddle__maps_are_there(const struct heddle_map *maps, int nmaps, int device) {
    bool all = true;
    for (int k = 0; k < nmaps && all; k++)
        all = !maps[k].bytes || kept_section(&maps[k], device);
    return all;
}

void heddle__maps_push(const struct heddle_map *maps, int nmaps, int device) {
    for (int k = 0; k < nmaps; k++) {
        void *there = maps[k].kind & HEDDLE_MAP_W ? kept_section(&maps[k], device) : NULL;
        if (there)
            heddle__maps_copied(&maps[k], device,
                                heddle__device_copy_in(device, there, START(&maps[k]), maps[k].bytes));
    }
}
