/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that share memory, of which one is written. Two names for the same bytes hide dependences from whoever looks
 * at names, and devices keep a copy for each name: only the serial form is right then. Looked for by every engine, on
 * the host too.
 */
#include "core/internal.h"
#include <string.h>

static uintptr_t begin_of(const struct heddle_map *m) { return (uintptr_t)m->base + (uintptr_t)m->first; }
static uintptr_t end_of(const struct heddle_map *m) { return begin_of(m) + m->bytes; }

static void sift(const struct heddle_map **order, int at, int count) {
    for (int child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && begin_of(order[child]) < begin_of(order[child + 1]);
        if (begin_of(order[at]) >= begin_of(order[child]))
            return;
        const struct heddle_map *down = order[at];
        order[at] = order[child];
        order[child] = down;
    }
}

/* By where they begin. In place, so that a short loop pays for no memory. */
static void sort(const struct heddle_map **order, int count) {
    for (int k = count / 2 - 1; k >= 0; k--)
        sift(order, k, count);
    for (int k = count - 1; k > 0; k--) {
        const struct heddle_map *last = order[0];
        order[0] = order[k];
        order[k] = last;
        sift(order, 0, k);
    }
}

bool heddle__maps_overlap(const struct heddle_map *maps, int nmaps, int *first, int *second) {
    const struct heddle_map *order[nmaps + 1], *any = NULL, *written = NULL; /* of those seen, what reaches furthest */
    int count = 0;
    for (int k = 0; k < nmaps; k++)
        if (maps[k].bytes)
            order[count++] = &maps[k];
    sort(order, count);
    for (int k = 0; k < count; k++) {
        const struct heddle_map *m = order[k], *other = m->kind & HEDDLE_MAP_W ? any : written;
        if (other && begin_of(m) < end_of(other)) {
            *first = (int)((other < m ? other : m) - maps);
            *second = (int)((other < m ? m : other) - maps);
            return true;
        }
        any = !any || end_of(m) > end_of(any) ? m : any;
        if (m->kind & HEDDLE_MAP_W && (!written || end_of(m) > end_of(written)))
            written = m;
    }
    return false;
}

bool heddle__maps_apart(const struct heddle_site *site, const struct heddle_map *maps, int nmaps) {
    int a, b;
    if (!heddle__maps_overlap(maps, nmaps, &a, &b))
        return true;
    heddle__warn(site,
                 "arrays '%s' and '%s' overlap, and '%s' is written; running this %s serially. Give it arrays that "
                 "share no memory",
                 maps[a].name, maps[b].name, maps[maps[a].kind & HEDDLE_MAP_W ? a : b].name,
                 !strcmp(site->kind, "pool") ? "pool" : "loop");
    return false;
}
