/* SPDX-License-Identifier: Apache-2.0 */
/* The narrow phase for lanes that wait for each other: an open cell is halved and both halves are looked at at once, so
 * two chains of arithmetic run side by side and there are half as many turns. Cells that wait are known to be open. The
 * contacts are those of ccd_search: whether a cell is one is told by the cell alone. */
#ifndef CCD_HALVES_H
#define CCD_HALVES_H

#include "narrow.h"

enum ccd_state { CCD_CLOSED, CCD_OPEN, CCD_CONTACT };

CCD_INLINE enum ccd_state ccd_look(const struct ccd_motion *m, const struct ccd_cell *cell, double tolerance,
                                   int depth) {
    double extent;
    const bool open = ccd_may_meet(m, cell, &extent);
    const bool small =
        extent <= tolerance || depth == CCD_DEPTH_MOST || ccd_halved(cell, ccd_widest(m, cell)) >= CCD_HALVED_MOST;
    return !open ? CCD_CLOSED : small ? CCD_CONTACT : CCD_OPEN;
}

/* The whole of a test. */
CCD_INLINE bool ccd_begin(const struct ccd_motion *m, double tolerance, struct ccd_search *s) {
    *s = CCD_SEARCH_ALL;
    const enum ccd_state state = ccd_look(m, &s->cell, tolerance, 0);
    s->first = state == CCD_CONTACT ? 0 : CCD_MISS;
    return state == CCD_OPEN;
}

/* The next that waits and begins before the first contact. */
CCD_INLINE bool ccd_next(struct ccd_search *s) {
    bool more;
    do
        more = ccd_advance(&s->path, &s->cell);
    while (more && ccd_low(&s->cell, 0) >= s->first);
    return more;
}

/* Halves the open cell. False: none is left. *looked grows by what was looked at. */
CCD_INLINE bool ccd_halve(const struct ccd_motion *m, double tolerance, struct ccd_search *s, uint32_t *looked) {
    struct ccd_path *path = &s->path;
    const int dimension = ccd_widest(m, &s->cell), depth = s->depth + path->depth + 1;
    struct ccd_cell lower = s->cell;
    for (int k = 0; k < 3; k++)
        lower.halved[k] += dimension == k;
    struct ccd_cell upper = lower;
    const uint64_t side = UINT64_C(1) << (CCD_UNIT - ccd_halved(&lower, dimension));
    for (int k = 0; k < 3; k++)
        upper.low[k] += dimension == k ? side : 0;
    const bool outside = !m->edges && upper.low[1] + upper.low[2] > UINT64_C(1) << CCD_UNIT;
    const enum ccd_state low = ccd_look(m, &lower, tolerance, depth),
                         high = outside ? CCD_CLOSED : ccd_look(m, &upper, tolerance, depth);
    *looked += 2 - outside;
    s->first = low == CCD_CONTACT ? ccd_least(s->first, ccd_low(&lower, 0)) : s->first;
    s->first = high == CCD_CONTACT ? ccd_least(s->first, ccd_low(&upper, 0)) : s->first;
    const bool go_low = low == CCD_OPEN && ccd_low(&lower, 0) < s->first,
               go_high = high == CCD_OPEN && ccd_low(&upper, 0) < s->first;
    if (!go_low && !go_high)
        return ccd_next(s);
    const uint64_t bit = UINT64_C(1) << path->depth;
    path->dimension[0] = (path->dimension[0] & ~bit) | (dimension & 1 ? bit : 0);
    path->dimension[1] = (path->dimension[1] & ~bit) | (dimension & 2 ? bit : 0);
    path->upper = (path->upper & ~bit) | (go_low && go_high ? 0 : bit);
    path->depth++;
    s->cell = go_low ? lower : upper;
    return true;
}

/* Gives away the largest cell that waits; false: none does. */
CCD_INLINE bool ccd_give(struct ccd_search *s, struct ccd_cell *cell, int *depth) {
    const uint64_t inside = s->path.depth ? ~UINT64_C(0) >> (64 - s->path.depth) : 0, open = ~s->path.upper & inside;
    if (!open)
        return false;
    const uint64_t bit = open & (0 - open);
    struct ccd_path path = s->path;
    *cell = s->cell;
    path.upper = ~bit; /* nothing else is open */
    ccd_advance(&path, cell);
    *depth = s->depth + path.depth;
    s->path.upper |= bit;
    return true;
}

#endif
