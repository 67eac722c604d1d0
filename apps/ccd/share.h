/* SPDX-License-Identifier: Apache-2.0 */
/* Cells that lanes of a warp hand to each other, every turn: a cell that waits on a lane's stack waits for all that
 * lies before it, which makes a chain of turns of what could be done side by side. The way by memory (work_queue.h) is
 * for warps without work. */
#ifndef CCD_SHARE_H
#define CCD_SHARE_H

#include "halves.h"
#include "work_queue.h"

struct lane_test {
    struct ccd_motion motion;
    struct ccd_halving search;
    struct ccd_waiting *stack;
    uint32_t test, looked, told, turns; /* told: of `looked`, what the others know */
    bool shared;                        /* others have cells of it, too */
};

CCD_INLINE uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
CCD_INLINE double number_from_lane(double value, int lane) { return ccd_of_bits(from_lane(bits_of(value), lane)); }

/* The lane of the mask's n-th bit. */
CCD_INLINE int lane_at(heddle_mask mask, uint32_t n) {
    uint32_t lane = 0;
    for (uint32_t width = HEDDLE_WARP / 2; width; width /= 2) {
        const uint32_t below = lanes_of(mask >> lane & (((heddle_mask)1 << width) - 1));
        lane += n >= below ? width : 0;
        n -= n >= below ? below : 0;
    }
    return (int)lane;
}

/* By whoever has a test alone, before it gives a cell of it away. */
CCD_INLINE void open_slot(const struct persistent_work *w, struct lane_test *l) {
    if (l->shared)
        return;
    l->shared = true;
    l->told = l->looked;
    w->slots[l->test] = (struct shared_test){bits_of(l->search.first), l->looked, 1};
}

CCD_INLINE void motion_from_lane(struct ccd_motion *m, int lane) {
    for (int k = 0; k < 4; k++) {
        m->c[k] = number_from_lane(m->c[k], lane);
        m->d[k] = number_from_lane(m->d[k], lane);
        m->e[k] = number_from_lane(m->e[k], lane);
        m->dc[k] = number_from_lane(m->dc[k], lane);
        m->dd[k] = number_from_lane(m->dd[k], lane);
        m->de[k] = number_from_lane(m->de[k], lane);
        m->error[k] = number_from_lane(m->error[k], lane);
    }
    for (int k = 0; k < 3; k++)
        m->speed[k] = number_from_lane(m->speed[k], lane);
    m->edges = heddle_shuffle_word(m->edges, lane);
}

/* By all lanes. Those with cells that wait give the largest one each to those that have nothing, unless they wait for
 * what other warps give. Whether the lane is busy then. */
CCD_INLINE bool share_cells(const struct persistent_work *w, bool busy, struct taker *t, struct lane_test *l) {
    const heddle_mask takers = heddle_ballot(!busy && t->ticket == NO_TICKET);
    const heddle_mask givers = heddle_ballot(busy && l->search.bottom < l->search.top);
    const uint32_t most = lanes_of(takers) < lanes_of(givers) ? lanes_of(takers) : lanes_of(givers);
    if (!most)
        return busy;
    const heddle_mask own = (heddle_mask)1 << own_lane();
    const bool gives = givers & own && lanes_below(givers) < most, takes = takers & own && lanes_below(takers) < most;
    struct ccd_waiting cell = {{0, 0, 0}, 0, 0};
    if (gives) {
        open_slot(w, l);
        heddle_add_relaxed(&w->slots[l->test].open, 1);
        cell = l->stack[l->search.bottom++];
        t->ended--; /* one more that will end */
    }
    heddle_warp_sync(); /* the slot is there for those that take */
    const int lane = takes ? lane_at(givers, lanes_below(takers)) : (int)own_lane();
    motion_from_lane(&l->motion, lane);
    l->test = heddle_shuffle_word(l->test, lane);
    const double first = number_from_lane(l->search.first, lane);
    for (int k = 0; k < 3; k++)
        cell.low[k] = number_from_lane(cell.low[k], lane);
    cell.halved = heddle_shuffle_word(cell.halved, lane);
    if (takes) {
        l->search = (struct ccd_halving){.box = ccd_unpack(&cell), .first = first};
        l->looked = l->told = l->turns = 0;
        l->shared = true;
    }
    return busy || takes;
}

#endif
