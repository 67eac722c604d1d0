/* SPDX-License-Identifier: Apache-2.0 */
/* What the program keeps on devices is there alone: who takes part without having it gets it from the host. */
#include "engine.h"

static bool same(const struct heddle_map *a, const struct heddle_map *b) {
    return (char *)a->base + a->first == (char *)b->base + b->first && a->bytes == b->bytes;
}

/* Types read the same arrays: each is brought once. */
static bool is_first(const struct heddle__jobs_engine *e, int type, int map) {
    for (int t = 0; t <= type; t++)
        for (int k = 0; k < (t < type ? e->kind[t].call->nmaps : map); k++)
            if (same(&e->kind[t].call->maps[k], &e->kind[type].call->maps[map]))
                return false;
    return true;
}

/* All who take part are devices that have it. */
static bool all_have(const struct heddle__jobs_engine *e, const struct heddle_map *map) {
    bool all = e->home < 0;
    for (int k = 0; k < e->devices && all; k++)
        all = heddle__maps_are_there(map, 1, e->device[k].device);
    return all;
}

static int holder(const struct heddle_map *map, uint64_t without) {
    int d = heddle__devices_started() - 1;
    while (d >= 0 && (without >> d & 1 || !heddle__maps_are_there(map, 1, d)))
        d--;
    return d;
}

/* Several devices may hold it, and one of them may be lost. */
static void pull(const struct heddle_map *map, int device, uint64_t without) {
    int error = HEDDLE_OK, last = device;
    for (int d = device; d >= 0; d = holder(map, without |= UINT64_C(1) << d)) {
        last = d;
        if (!(error = heddle__maps_try_fetch(map, d)))
            return;
    }
    heddle__maps_copied(map, last, error);
}

void heddle__jobs_pull_held(const struct heddle__jobs_engine *e, bool all, uint64_t without) {
    for (int t = 0; t < e->types; t++)
        for (int k = 0; k < e->kind[t].call->nmaps; k++) {
            const struct heddle_map *map = &e->kind[t].call->maps[k];
            const int d = map->bytes && is_first(e, t, k) ? holder(map, without) : -1;
            if (d >= 0 && (all || !all_have(e, map)))
                pull(map, d, without);
        }
}
