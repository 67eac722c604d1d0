/* SPDX-License-Identifier: Apache-2.0 */
/* The narrow phase of a query on a device. */
#ifndef CCD_PERSISTENT_NARROW_H
#define CCD_PERSISTENT_NARROW_H

#include "halves.h"
#include "traverse.h"
#include "work_queue.h"

CCD_INLINE void load_test(const struct persistent_work *w, uint64_t number, struct ccd_motion *m) {
    const struct test test = w->tests[number];
    struct ccd_query q = {.edges = test.pair.first & PAIR_EDGES};
    float size[3] = {0, 0, 0}; /* a GPU has a maximum of floats, and none of doubles */
    for (int k = 0; k < 4; k++) {
        const struct packed_point p = w->packed_points[test.corner[k]];
        for (int frame = 0; frame < 2; frame++)
            for (int axis = 0; axis < 3; axis++) {
                q.at[frame][k][axis] = (double)p.at[frame][axis];
                size[axis] = ccd_greater(size[axis], magnitude(p.at[frame][axis]));
            }
    }
    ccd_set_motion_of(m, &q, (const double[3]){(double)size[0], (double)size[1], (double)size[2]});
}

CCD_INLINE void add_hit(const struct persistent_work *w, bool is, uint64_t test, double time) {
    const uint64_t at = claim(&w->counters->hits, is);
    if (is && at < w->hits_room)
        w->hits[at] = (struct contact){w->tests[test].pair, time};
}
CCD_INLINE void add_doubt(const struct persistent_work *w, bool is, uint64_t test) {
    if (!heddle_any(is))
        return;
    const uint64_t at = claim(&w->counters->doubts, is);
    if (is && at < w->doubts_room)
        w->doubts[at] = w->tests[test].pair;
}

/* How a test goes on after its first halves: with the lower one, with the upper one, or with both; or from the
 * beginning, which it does where it has a contact. Above the test's number. */
enum { FROM_START, LOWER, UPPER, BOTH, NUMBER_BITS = 30 };
CCD_INLINE uint32_t next_half(const struct ccd_search *s) {
    const bool lower = !(s->cell.low[0] | s->cell.low[1] | s->cell.low[2]);
    return s->first <= 1 || s->path.depth != 1 ? FROM_START : !lower ? UPPER : s->path.upper & 1 ? LOWER : BOTH;
}
CCD_INLINE void take_half(const struct ccd_motion *m, uint32_t half, struct ccd_search *s) {
    *s = CCD_SEARCH_ALL;
    if (half == FROM_START)
        return;
    const int dimension = ccd_widest(m, &s->cell);
    for (int k = 0; k < 3; k++) {
        s->cell.halved[k] = dimension == k;
        s->cell.low[k] = dimension == k && half == UPPER ? UINT64_C(1) << (CCD_UNIT - 1) : 0;
    }
    s->path = (struct ccd_path){{dimension & 1, dimension >> 1}, half != BOTH, 1};
}

/* The whole cell and its halves: most tests end there. */
CCD_INLINE void phase_looks(const struct persistent_work *w, uint32_t thread, uint32_t threads) {
    struct counters *c = w->counters;
    const uint64_t all = c->tests.value, count = all < w->tests_room ? all : w->tests_room,
                   turns = (count + threads - 1) / threads;
    uint32_t cells = 0;
    for (uint64_t turn = 0; turn < turns; turn++) {
        const uint64_t k = turn * threads + thread;
        bool more = false;
        uint32_t half = FROM_START;
        double time = CCD_MISS;
        if (k < count) {
            struct ccd_motion m;
            struct ccd_search s;
            uint32_t looked = 1;
            load_test(w, k, &m);
            more = ccd_begin(&m, w->tolerance, &s) && ccd_halve(&m, w->tolerance, &s, &looked);
            time = s.first;
            half = next_half(&s);
            cells += more ? 0 : looked; /* others begin again */
        }
        const uint64_t at = claim(&c->hard, more);
        if (more && at < w->hard_room)
            w->hard[at] = (uint32_t)k | half << NUMBER_BITS;
        claim(&c->cells_queue.pending, more && at < w->hard_room);
        if (heddle_any(!more && time <= 1))
            add_hit(w, !more && time <= 1, k, time);
    }
    claim_some(&c->cells, cells);
}

CCD_INLINE uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

struct lane_test {
    struct ccd_motion motion;
    struct ccd_search search;
    uint32_t test, slot, looked, told, turns; /* told: of `looked`, what the slot knows */
};

/* Its whole cell is known to be open. */
CCD_INLINE void begin_test(const struct persistent_work *w, uint32_t hard, struct lane_test *l) {
    l->test = hard & ((UINT32_C(1) << NUMBER_BITS) - 1);
    load_test(w, l->test, &l->motion);
    take_half(&l->motion, hard >> NUMBER_BITS, &l->search);
    l->slot = NO_SLOT;
    l->looked = hard >> NUMBER_BITS == FROM_START ? 1 : 3;
    l->told = l->turns = 0;
}
CCD_INLINE void begin_cell(const struct persistent_work *w, const struct given *g, struct lane_test *l) {
    load_test(w, g->of, &l->motion);
    l->search = (struct ccd_search){
        .cell = {{g->low[0], g->low[1], g->low[2]}, {g->halved[0], g->halved[1], g->halved[2]}},
        .depth = (int)g->from,
        .first = ccd_of_bits(heddle_load_relaxed(&w->slots[g->slot].first)),
    };
    l->test = g->of;
    l->slot = g->slot;
    l->looked = l->told = l->turns = 0;
}

/* To the others of a test, and from them. False: it has had all its cells. */
CCD_INLINE bool exchange(const struct persistent_work *w, struct lane_test *l) {
    uint64_t spent = l->looked;
    if (l->slot != NO_SLOT) {
        struct shared_test *slot = &w->slots[l->slot];
        spent = heddle_add_relaxed(&slot->spent, l->looked - l->told) + (l->looked - l->told);
        l->told = l->looked;
        if (l->search.first <= 1)
            heddle_min_relaxed(&slot->first, bits_of(l->search.first));
        l->search.first = ccd_least(l->search.first, ccd_of_bits(heddle_load_relaxed(&slot->first)));
    }
    return spent <= w->cells_most;
}

CCD_INLINE void give_cells(const struct persistent_work *w, uint32_t epoch, bool busy, struct taker *t,
                           struct lane_test *l) {
    struct counters *c = w->counters;
    const uint64_t inside = l->search.path.depth ? ~UINT64_C(0) >> (64 - l->search.path.depth) : 0;
    bool gives = busy && l->turns >= GIVE_AFTER && (~l->search.path.upper & inside);
    if (!heddle_any(gives))
        return;
    const uint64_t slot = claim(&c->slots, gives && l->slot == NO_SLOT);
    if (gives && l->slot == NO_SLOT) {
        gives = slot < w->slots_room;
        if (gives) {
            l->slot = (uint32_t)slot;
            l->told = l->looked;
            w->slots[slot] = (struct shared_test){bits_of(l->search.first), l->looked, 1, l->test};
        }
    }
    uint32_t fit;
    const uint64_t at = offer(&c->cells_queue, w, gives, &fit, t);
    if (fit) {
        struct given *g = &w->given[at];
        struct ccd_cell cell;
        int depth = 0;
        ccd_give(&l->search, &cell, &depth);
        heddle_add32_acq_rel(&w->slots[l->slot].open, 1);
        *g = (struct given){.low = {cell.low[0], cell.low[1], cell.low[2]},
                            .of = l->test,
                            .slot = l->slot,
                            .from = (uint32_t)depth,
                            .halved = {(uint8_t)cell.halved[0], (uint8_t)cell.halved[1], (uint8_t)cell.halved[2]}};
        heddle_store32_release(&w->flags[at], epoch);
        l->turns = 0;
    }
}

/* By all lanes, for those that have `ended`; the last one of a test knows its first contact. */
CCD_INLINE void end_test(const struct persistent_work *w, bool ended, const struct lane_test *l) {
    if (!heddle_any(ended))
        return;
    double time = l->search.first;
    uint64_t spent = l->looked;
    bool last = ended;
    if (ended && l->slot != NO_SLOT) {
        struct shared_test *slot = &w->slots[l->slot];
        if (time <= 1)
            heddle_min_relaxed(&slot->first, bits_of(time));
        heddle_add_relaxed(&slot->spent, l->looked - l->told);
        last = heddle_add32_acq_rel(&slot->open, 0u - 1) == 1;
        if (last) {
            time = ccd_of_bits(heddle_load_relaxed(&slot->first));
            spent = heddle_load_relaxed(&slot->spent);
        }
    }
    const bool doubt = last && spent > w->cells_most;
    add_hit(w, last && !doubt && time <= 1, l->test, time);
    add_doubt(w, doubt, l->test);
}

CCD_INLINE void phase_hard(const struct persistent_work *w, uint32_t epoch) {
    struct counters *c = w->counters;
    struct work_queue *q = &c->cells_queue;
    const uint64_t all = c->hard.value, seeds = all < w->hard_room ? all : w->hard_room;
    struct taker t = {.ticket = NO_TICKET};
    struct lane_test l = {.slot = NO_SLOT};
    uint64_t looked = 0;
    bool busy = false;
    for (uint32_t turn = 0;; turn++) {
        const heddle_mask idle = heddle_ballot(!busy);
        if (idle && time_to_take(&t, epoch, idle, turn)) {
            uint64_t number = 0;
            const enum taken taken = take(q, w, epoch, seeds, busy, &t, &number);
            if (taken == OVER)
                break;
            if (taken == SEED)
                begin_test(w, w->hard[number], &l);
            else if (taken == PART)
                begin_cell(w, &w->given[number], &l);
            busy |= taken != NOTHING;
        }
        look_ahead(q, w, busy, &t);
        bool ended = false;
        if (busy) {
            busy = ccd_low(&l.search.cell, 0) < l.search.first
                       ? ccd_halve(&l.motion, w->tolerance, &l.search, &l.looked)
                       : ccd_next(&l.search);
            l.turns++;
            if (busy && turn % REPORT_EVERY == 0)
                busy = exchange(w, &l);
            ended = !busy;
        }
        end_test(w, ended, &l);
        t.ended += ended;
        looked += ended ? l.looked : 0;
        if (t.dry && turn % GIVE_EVERY == 0 && hungry(&t))
            give_cells(w, epoch, busy, &t, &l);
    }
    claim_some(&c->cells, (uint32_t)looked);
}

#endif
