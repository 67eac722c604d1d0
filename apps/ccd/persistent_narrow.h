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

/* Which halves a test goes on with after its first look (CCD_LOWER, CCD_UPPER), or 0: from the beginning, which it does
 * where it has a contact. Above the test's number. */
enum { FROM_START, NUMBER_BITS = 30 };
CCD_INLINE void take_halves(const struct ccd_motion *m, uint32_t halves, struct ccd_halving *s,
                            struct ccd_waiting *stack) {
    *s = (struct ccd_halving){.first = CCD_MISS};
    if (halves == FROM_START)
        return;
    const int dimension = ccd_box_widest(m, s->box.halved);
    struct ccd_box upper;
    for (int k = 0; k < 3; k++) {
        s->box.halved[k] = dimension == k;
        upper.halved[k] = dimension == k;
        upper.low[k] = dimension == k ? 0.5 : 0;
    }
    if (halves == CCD_UPPER)
        s->box = upper;
    else if (halves != CCD_LOWER)
        stack[s->top++] = ccd_pack(&upper);
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
        uint32_t halves = FROM_START;
        double time = CCD_MISS;
        if (k < count) {
            struct ccd_motion m;
            struct ccd_halving s;
            struct ccd_box upper;
            uint32_t looked = 1;
            load_test(w, k, &m);
            if (ccd_begin(&m, w->tolerance, &s))
                halves = ccd_halve(&m, w->tolerance, &s, &upper, &looked);
            time = s.first;
            more = halves;
            halves = time <= 1 ? FROM_START : halves;
            cells += more ? 0 : looked; /* others begin again */
        }
        const uint64_t at = claim(&c->hard, more);
        if (more && at < w->hard_room)
            w->hard[at] = (uint32_t)k | halves << NUMBER_BITS;
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
    struct ccd_halving search;
    struct ccd_waiting *stack;
    uint32_t test, slot, looked, told, turns; /* told: of `looked`, what the slot knows */
};

/* A hard test, whose whole cell is known to be open, or a cell that was given away. Both load a test in one place:
 * lanes that take one and lanes that take the other do it together. */
CCD_INLINE void begin(const struct persistent_work *w, bool seed, uint64_t number, struct lane_test *l) {
    const uint32_t hard = seed ? w->hard[number] : 0, halves = hard >> NUMBER_BITS;
    const struct given *g = &w->given[seed ? 0 : number];
    l->test = seed ? hard & ((UINT32_C(1) << NUMBER_BITS) - 1) : g->of;
    l->slot = seed ? NO_SLOT : g->slot;
    l->told = l->turns = 0;
    load_test(w, l->test, &l->motion);
    if (seed) {
        take_halves(&l->motion, halves, &l->search, l->stack);
        l->looked = halves == FROM_START ? 1 : 3;
    } else {
        l->search = (struct ccd_halving){
            .box = ccd_unpack(&g->cell),
            .first = ccd_of_bits(heddle_load_relaxed(&w->slots[g->slot].first)),
        };
        l->looked = 0;
    }
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
    bool gives = busy && l->turns >= GIVE_AFTER && l->search.bottom < l->search.top;
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
        heddle_add32_acq_rel(&w->slots[l->slot].open, 1);
        g->of = l->test;
        g->slot = l->slot;
        g->cell = l->stack[l->search.bottom++];
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

CCD_INLINE void phase_hard(const struct persistent_work *w, uint32_t epoch, uint32_t thread) {
    struct counters *c = w->counters;
    struct work_queue *q = &c->cells_queue;
    const uint64_t all = c->hard.value, seeds = all < w->hard_room ? all : w->hard_room;
    struct taker t = {.ticket = NO_TICKET};
    struct lane_test l = {.slot = NO_SLOT, .stack = w->stacks + (size_t)thread * CCD_DEPTH_MOST};
    uint64_t looked = 0;
    bool busy = false;
    for (uint32_t turn = 0;; turn++) {
        const heddle_mask idle = heddle_ballot(!busy);
        if (idle && time_to_take(&t, epoch, idle, turn)) {
            uint64_t number = 0;
            const enum taken taken = take(q, w, epoch, seeds, busy, &t, &number);
            if (taken == OVER)
                break;
            if (taken != NOTHING)
                begin(w, taken == SEED, number, &l);
            busy |= taken != NOTHING;
        }
        look_ahead(q, w, seeds, busy, turn, &t);
        bool ended = false;
        if (busy) {
            busy = ccd_turn(&l.motion, w->tolerance, &l.search, l.stack, &l.looked);
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
