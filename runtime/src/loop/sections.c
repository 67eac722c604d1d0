/* SPDX-License-Identifier: Apache-2.0 */
/* Where a loop's sections lie, and whether its chunks may run in any order, on devices with memory of their own. */
#include "engine.h"
#include <string.h>

void heddle__loop_find_sections(const struct heddle_loop *l, long first, long count, struct heddle_map *maps) {
    if (l->nmaps) /* without any there is no list to copy */
        memcpy(maps, l->maps, (size_t)l->nmaps * sizeof *maps);
    if (l->type->sections)
        l->type->sections(l->env, l->lo + first * l->step, count, maps);
}

static bool apart(const struct heddle_map *a, const struct heddle_map *b) {
    const char *low = (const char *)a->base + a->first, *high = (const char *)b->base + b->first;
    return !a->bytes || !b->bytes || low + a->bytes <= high || high + b->bytes <= low;
}

/* What is between a section and another one of the same array counts as its own. */
void heddle__loop_widen(struct heddle_map *m, const struct heddle_map *more) {
    const ptrdiff_t end = m->first + (ptrdiff_t)m->bytes, more_end = more->first + (ptrdiff_t)more->bytes;
    if (!more->bytes)
        return;
    const ptrdiff_t first = !m->bytes || more->first < m->first ? more->first : m->first;
    m->bytes = (size_t)((!m->bytes || more_end > end ? more_end : end) - first);
    m->first = first;
}

/* What neighbouring chunks bring back must not overlap; looked at for a few cuts, whose sections `all` gets as well:
   that of the whole loop need not hold those of its parts. */
static bool chunks_apart(const struct heddle_loop *l, long n, struct heddle_map *all) {
    struct heddle_map low[l->nmaps + 1], high[l->nmaps + 1];
    const long cuts[] = {1, 2, n / 3, n / 2, n - 1};
    for (size_t c = 0; l->type->sections && c < sizeof cuts / sizeof *cuts; c++) {
        if (cuts[c] < 1 || cuts[c] >= n)
            continue;
        heddle__loop_find_sections(l, 0, cuts[c], low);
        heddle__loop_find_sections(l, cuts[c], n - cuts[c], high);
        for (int k = 0; k < l->nmaps; k++) {
            /* rectangles of chunks are proven to be apart */
            if ((l->maps[k].kind & HEDDLE_MAP_W) && (l->maps[k].kind & HEDDLE_MAP_CHUNK) &&
                !(l->maps[k].kind & HEDDLE_MAP_RECTS) && !apart(&low[k], &high[k])) {
                if (!heddle__said(&l->type->site, 0x10000u + (unsigned)k))
                    heddle__warn(
                        &l->type->site,
                        "the sections of '%s' that neighbouring chunks bring back overlap; running this loop serially",
                        l->maps[k].name);
                return false;
            }
            heddle__loop_widen(&all[k], &low[k]);
            heddle__loop_widen(&all[k], &high[k]);
        }
    }
    return true;
}

static bool maps_apart(const struct heddle_loop *l, const struct heddle_map *all, bool silently) {
    const int n = l->nmaps + l->nkept;
    struct heddle_map list[n + 1];
    int a, b;
    if (l->nkept) {
        memcpy(list, all, (size_t)l->nmaps * sizeof *list);
        memcpy(list + l->nmaps, l->maps + l->nmaps, (size_t)l->nkept * sizeof *list);
        all = list;
    }
    return silently ? !heddle__maps_overlap(all, n, &a, &b) : heddle__maps_apart(&l->type->site, all, n);
}

bool heddle__loop_check_apart(const struct heddle_loop *l, long n, struct heddle_map *all, bool silently) {
    return chunks_apart(l, n, all) && maps_apart(l, all, silently) &&
           heddle__rows_apart(&l->type->site, l->rows, l->nrows, all, l->nmaps, l->said);
}
