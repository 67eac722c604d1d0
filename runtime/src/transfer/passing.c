/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a loop or jobs have on a device while they run. Calls of other host threads find it there, and must not take it
 * for what the program keeps: it comes while they look, and goes while they use it. It is a copy of what the host has.
 */
#include "device/device.h"
#include <stdlib.h>

struct passing {
    struct passing *next;
    int device, users;
    const char *first;
    size_t bytes;
    bool kept; /* it was there before the first one came: the program's own */
};

static struct passing *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *start_of(const struct heddle_map *m) { return (const char *)m->base + m->first; }

/* Under the lock. */
static struct passing **find(const struct heddle_map *m, int device) {
    struct passing **at = &all;
    while (*at && ((*at)->device != device || (*at)->first != start_of(m) || (*at)->bytes != m->bytes))
        at = &(*at)->next;
    return at;
}

bool heddle__maps_pass(const struct heddle_map *m, int device) {
    bool is = false;
    pthread_mutex_lock(&lock);
    for (const struct passing *p = all; p; p = p->next)
        is |= p->device == device && !p->kept && start_of(m) < p->first + p->bytes && p->first < start_of(m) + m->bytes;
    pthread_mutex_unlock(&lock);
    return is;
}

static int note(const struct heddle_map *m, int device) {
    struct passing *new = calloc(1, sizeof *new);
    pthread_mutex_lock(&lock);
    struct passing *p = *find(m, device);
    if (!p && new) {
        *new = (struct passing){.next = all,
                                .device = device,
                                .first = start_of(m),
                                .bytes = m->bytes,
                                .kept = heddle__device_present(device, start_of(m))};
        p = all = new;
        new = NULL;
    }
    if (p)
        p->users++;
    pthread_mutex_unlock(&lock);
    free(new);
    return p ? HEDDLE_OK : HEDDLE_ENOMEM;
}

static void forget(const struct heddle_map *m, int device) {
    pthread_mutex_lock(&lock);
    struct passing **at = find(m, device), *p = *at;
    if (p && !--p->users) {
        *at = p->next;
        free(p);
    }
    pthread_mutex_unlock(&lock);
}

int heddle__maps_enter_passing(const struct heddle_map *maps, int nmaps, int device, void *env) {
    int noted = 0, error = HEDDLE_OK;
    for (; noted < nmaps && !error; noted++)
        error = maps[noted].bytes ? note(&maps[noted], device) : HEDDLE_OK;
    noted -= error != HEDDLE_OK;
    error = error ? error : heddle__maps_enter(maps, nmaps, device, env);
    for (int k = 0; error && k < noted; k++)
        if (maps[k].bytes)
            forget(&maps[k], device);
    return error;
}

void heddle__maps_exit_passing(const struct heddle_map *maps, int nmaps, int device, bool keep) {
    heddle__maps_exit(maps, nmaps, device, keep);
    for (int k = 0; k < nmaps; k++)
        if (maps[k].bytes)
            forget(&maps[k], device);
}
