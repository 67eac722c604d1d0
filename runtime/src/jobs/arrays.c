/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arrays that jobs read, to a device: those of all types at once, side by side in memory that stays allocated, as
 * loops have it (transfer/resident.c). libomptarget, which allocates and copies one after the other, took a third of an
 * execution of some milliseconds.
 */
#include "place.h"
#include "device/device.h"
#include <stdlib.h>
#include <string.h>

static char *start_of(const struct heddle_map *m) { return (char *)m->base + m->first; }

static bool is_given_up(void *with) { return heddle__jobs_given_up(with); }

/* Where the section is among those that were listed; -1: nowhere. */
static int find(const struct heddle__jobs_arrays *a, const struct heddle_map *m) {
    for (int k = 0; k < a->count; k++)
        if (start_of(&a->map[k]) == start_of(m) && a->map[k].bytes == m->bytes)
            return k;
    return -1;
}

/* Each section once; its slot is a place in `base`. False: no memory, or an array that jobs write. */
static bool list_all(struct heddle__jobs_place *p) {
    const struct heddle__jobs_engine *e = p->d->engine;
    struct heddle__jobs_arrays *a = &p->arrays;
    int most = 0;
    for (int t = 0; t < e->types; t++)
        most += p->d->can[t] ? e->kind[t].call->nmaps : 0;
    a->map = calloc((size_t)most + 1, sizeof *a->map);
    a->base = calloc((size_t)most + 1, sizeof *a->base);
    for (int t = 0; a->map && a->base && t < e->types; t++)
        for (int k = 0; p->d->can[t] && k < e->kind[t].call->nmaps; k++) {
            const struct heddle_map *m = &e->kind[t].call->maps[k];
            if (m->kind != HEDDLE_MAP_TO)
                return false;
            if (find(a, m) >= 0)
                continue;
            a->map[a->count] = *m;
            a->map[a->count].slot = (size_t)a->count * sizeof *a->base;
            a->count++;
        }
    return a->map && a->base;
}

static void tell_types(struct heddle__jobs_place *p) {
    const struct heddle__jobs_engine *e = p->d->engine;
    const struct heddle__jobs_arrays *a = &p->arrays;
    for (int t = 0; t < e->types; t++)
        for (int k = 0; p->d->can[t] && k < e->kind[t].call->nmaps; k++) {
            const struct heddle_map *m = &e->kind[t].call->maps[k];
            const int at = find(a, m);
            const char *base = m->bytes ? a->base[at] + a->map[at].first - m->first : NULL;
            memcpy(p->kind[t].env + m->slot, &base, sizeof base);
        }
}

static void leave(struct heddle__jobs_arrays *a) {
    if (a->resident.group) {
        heddle__resident_leave(&a->resident, a->map, a->count);
        heddle__resident_free(&a->group);
    }
    free(a->map);
    free(a->base);
    a->map = NULL;
    a->base = NULL;
    a->count = 0;
}

int heddle__jobs_enter_arrays(struct heddle__jobs_place *p) {
    struct heddle__jobs_arrays *a = &p->arrays;
    struct heddle__jobs_engine *e = p->d->engine;
    if (a->tried)
        return a->map ? HEDDLE_OK : HEDDLE_ENOMEM;
    a->tried = true;
    if (!list_all(p)) {
        leave(a);
        return HEDDLE_ENOMEM;
    }
    a->group = (struct heddle__resident_group){.lock = &e->lock,
                                               .cores = &e->cores.all,
                                               .device = &p->d->device,
                                               .devices = 1,
                                               .arrays = a->count,
                                               .seat = e->seat};
    a->resident =
        (struct heddle__resident){.group = &a->group, .env = (char *)a->base, .is_given_up = is_given_up, .with = p->d};
    const int error = heddle__resident_enter(&a->resident, a->map, a->count);
    if (error)
        leave(a);
    else
        tell_types(p);
    return error;
}

void heddle__jobs_leave_arrays(struct heddle__jobs_place *p) {
    if (p->arrays.map)
        leave(&p->arrays);
}
