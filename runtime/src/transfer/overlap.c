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

bool heddle__maps_overlap(const struct heddle_map *maps, int nmaps, int *first, int *second) {
    const struct heddle_map *order[nmaps + 1], *any = NULL, *written = NULL; /* of those seen, what reaches furthest */
    int count = 0;
    for (int k = 0; k < nmaps; k++) { /* few: into place by where they begin */
        int at = count;
        if (!maps[k].bytes)
            continue;
        for (count++; at > 0 && begin_of(order[at - 1]) > begin_of(&maps[k]); at--)
            order[at] = order[at - 1];
        order[at] = &maps[k];
    }
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
    if (!heddle__said(site, (unsigned)(1 + a * nmaps + b)))
        heddle__warn(site,
                     "arrays '%s' and '%s' overlap, and '%s' is written; running this %s serially. Give it arrays that "
                     "share no memory",
                     maps[a].name, maps[b].name, maps[maps[a].kind & HEDDLE_MAP_W ? a : b].name,
                     !strcmp(site->kind, "pool") ? "pool" : "loop");
    return false;
}
