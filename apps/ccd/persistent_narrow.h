/* SPDX-License-Identifier: Apache-2.0 */
/* The narrow phase of a query on a device. */
#ifndef CCD_PERSISTENT_NARROW_H
#define CCD_PERSISTENT_NARROW_H

#include "share.h"
#include "traverse.h"

/* By constant indices: what is in registers stays there. */
CCD_INLINE uint32_t pick(const uint32_t from[3], int k) { return k == 0 ? from[0] : k == 1 ? from[1] : from[2]; }

CCD_INLINE struct test corner_test(const struct face_ids *a, int k, const struct face_ids *b) {
    const uint32_t v = pick(a->corner, k);
    return (struct test){{v, b->number}, {v, b->corner[0], b->corner[1], b->corner[2]}};
}
CCD_INLINE struct test edge_test(const struct face_ids *a, int i, const struct face_ids *b, int j) {
    const uint32_t e = pick(a->edge, i), f = pick(b->edge, j), a0 = pick(a->corner, i),
                   a1 = pick(a->corner, i == 2 ? 0 : i + 1), b0 = pick(b->corner, j),
                   b1 = pick(b->corner, j == 2 ? 0 : j + 1);
    const uint32_t e0 = a0 < a1 ? a0 : a1, e1 = a0 < a1 ? a1 : a0, f0 = b0 < b1 ? b0 : b1, f1 = b0 < b1 ? b1 : b0;
    return e < f ? (struct test){{e | PAIR_EDGES, f}, {e0, e1, f0, f1}}
                 : (struct test){{f | PAIR_EDGES, e}, {f0, f1, e0, e1}};
}
CCD_INLINE struct test make_test(const struct persistent_work *w, struct pair pair, uint32_t listed) {
    const struct face_ids a = w->packed_faces[pair.first].ids, b = w->packed_faces[pair.second].ids;
    const int which = (int)(listed & ((1u << TEST_BITS) - 1)), edges = which - 6;
    return which < 3   ? corner_test(&a, which, &b)
           : which < 6 ? corner_test(&b, which - 3, &a)
                       : edge_test(&a, edges / 3, &b, edges % 3);
}

CCD_INLINE void load_test(const struct persistent_work *w, const struct test *test, struct ccd_motion *m) {
    struct ccd_query q = {.edges = test->pair.first & PAIR_EDGES};
    float size[3] = {0, 0, 0}; /* a GPU has a maximum of floats, and none of doubles */
    for (int k = 0; k < 4; k++) {
        const struct packed_point p = w->packed_points[test->corner[k]];
        for (int frame = 0; frame < 2; frame++)
            for (int axis = 0; axis < 3; axis++) {
                q.at[frame][k][axis] = (double)p.at[frame][axis];
                size[axis] = ccd_greater(size[axis], magnitude(p.at[frame][axis]));
            }
    }
    ccd_set_motion_of(m, &q, (const double[3]){(double)size[0], (double)size[1], (double)size[2]});
}

CCD_INLINE void add_hit(const struct persistent_work *w, bool is, struct pair pair, double time) {
    const uint64_t at = claim(&w->counters->hits, is);
    if (is && at < w->hits_room)
        w->hits[at] = (struct contact){pair, time};
}
CCD_INLINE void add_doubt(const struct persistent_work *w, bool is, struct pair pair) {
    if (!heddle_any(is))
        return;
    const uint64_t at = claim(&w->counters->doubts, is);
    if (is && at < w->doubts_room)
        w->doubts[at] = pair;
}

/* Which halves a test goes on with after its first look (CCD_LOWER, CCD_UPPER), or 0: from the beginning, which it does
 * where it has a contact. */
enum { FROM_START };
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
struct look {
    double time;     /* of a contact */
    uint32_t halves; /* to go on with; FROM_START */
    bool more;
};
CCD_INLINE struct look look_at(const struct persistent_work *w, const struct test *test, uint32_t *cells) {
    struct ccd_motion m;
    struct ccd_halving s;
    uint32_t looked;
    load_test(w, test, &m);
    const uint32_t halves = ccd_begin(&m, w->tolerance, &s, &looked);
    *cells += halves ? 0 : looked; /* others begin again */
    return (struct look){s.first, s.first <= 1 ? FROM_START : halves, halves};
}
CCD_INLINE void write_open(const struct persistent_work *w, const struct claimed *claimed, bool more,
                           const struct open_test *test) {
    const uint64_t at = answer_of(claimed);
    if (more && at < w->hard_room)
        w->hard[at] = *test;
}

/* A test is read two turns before, its pair one, and what goes on is written a turn later: their answers are there
 * then. */
CCD_INLINE void phase_looks(const struct persistent_work *w, uint32_t thread, uint32_t threads) {
    struct counters *c = w->counters;
    const uint64_t all = c->tests.value, count = all < w->tests_room ? all : w->tests_room,
                   turns = (count + threads - 1) / threads;
    uint32_t cells = 0, next = 0, second = 0;
    struct pair next_pair = {0, 0};
    struct claimed claimed = {0, 0};
    struct open_test open = {.halves = 0};
    bool more = false;
    if (thread < count) {
        next = w->tests[thread];
        next_pair = w->pairs[next >> TEST_BITS];
    }
    if (thread + threads < count)
        second = w->tests[thread + threads];
    for (uint64_t turn = 0; turn < turns; turn++) {
        const uint64_t k = turn * threads + thread;
        const uint32_t listed = next;
        const struct pair pair = next_pair;
        next = second;
        if (k + threads < count)
            next_pair = w->pairs[next >> TEST_BITS];
        if (k + 2 * threads < count)
            second = w->tests[k + 2 * threads];
        struct test test = {.pair = {0, 0}};
        struct look look = {CCD_MISS, FROM_START, false};
        if (k < count) {
            test = make_test(w, pair, listed);
            look = look_at(w, &test, &cells);
        }
        write_open(w, &claimed, more, &open);
        more = look.more;
        open = (struct open_test){test, look.halves, 0};
        claimed = ask_for(&c->hard, more);
        if (heddle_any(!more && look.time <= 1))
            add_hit(w, !more && look.time <= 1, test.pair, look.time);
    }
    write_open(w, &claimed, more, &open);
    claim_some(&c->cells, cells);
}

/* A hard test, whose whole cell is known to be open, or a cell that was given away. Both load a test in one place:
 * lanes that take one and lanes that take the other do it together. */
CCD_INLINE void begin(const struct persistent_work *w, bool seed, uint64_t number, struct lane_test *l) {
    const struct given *g = &w->given[seed ? 0 : number];
    l->test = seed ? (uint32_t)number : g->of;
    l->shared = !seed;
    l->told = l->turns = 0;
    const struct open_test hard = w->hard[l->test];
    load_test(w, &hard.test, &l->motion);
    if (seed) {
        take_halves(&l->motion, hard.halves, &l->search, l->stack);
        l->looked = hard.halves == FROM_START ? 1 : 3;
    } else {
        l->search = (struct ccd_halving){
            .box = ccd_unpack(&g->cell),
            .first = ccd_of_bits(heddle_load_relaxed(&w->slots[l->test].first)),
        };
        l->looked = 0;
    }
}

/* To the others of a test, and from them. False: it has had all its cells. */
CCD_INLINE bool exchange(const struct persistent_work *w, struct lane_test *l) {
    uint64_t spent = l->looked;
    if (l->shared) {
        struct shared_test *slot = &w->slots[l->test];
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
    const bool gives = busy && l->turns >= GIVE_AFTER && l->search.bottom < l->search.top;
    if (!heddle_any(gives))
        return;
    const uint32_t waiting = l->search.top - l->search.bottom;
    uint32_t fit;
    const uint64_t at = offer(&c->cells_queue, w, !gives ? 0 : waiting < CELLS ? waiting : CELLS, &fit, t);
    if (!fit)
        return;
    open_slot(w, l);
    heddle_add_relaxed(&w->slots[l->test].open, fit);
    for (uint32_t k = 0; k < fit; k++) {
        struct given *g = &w->given[at + k];
        g->of = l->test;
        g->cell = l->stack[l->search.bottom++];
        heddle_store32_release(&w->flags[at + k], epoch);
    }
    l->turns = 0;
}

/* By all lanes, for those that have `ended`; the last one of a test knows its first contact. */
CCD_INLINE void end_test(const struct persistent_work *w, bool ended, const struct lane_test *l) {
    if (!heddle_any(ended))
        return;
    double time = l->search.first;
    uint64_t spent = l->looked;
    bool last = ended;
    if (ended && l->shared) {
        struct shared_test *slot = &w->slots[l->test];
        if (time <= 1)
            heddle_min_relaxed(&slot->first, bits_of(time));
        heddle_add_relaxed(&slot->spent, l->looked - l->told);
        last = heddle_add_acq_rel(&slot->open, 0 - UINT64_C(1)) == 1;
        if (last) {
            time = ccd_of_bits(heddle_load_relaxed(&slot->first));
            spent = heddle_load_relaxed(&slot->spent);
        }
    }
    const bool doubt = last && spent > w->cells_most;
    const struct pair pair = last ? w->hard[l->test].test.pair : (struct pair){0, 0};
    add_hit(w, last && !doubt && time <= 1, pair, time);
    add_doubt(w, doubt, pair);
}

CCD_INLINE void phase_hard(const struct persistent_work *w, uint32_t epoch, uint32_t thread) {
    struct counters *c = w->counters;
    struct work_queue *q = &c->cells_queue;
    const uint64_t all = c->hard.value, seeds = all < w->hard_room ? all : w->hard_room;
    struct taker t = {.ticket = NO_TICKET};
    struct lane_test l = {.stack = w->stacks + (size_t)thread * CCD_DEPTH_MOST};
    uint64_t looked = 0;
    bool busy = false;
    for (uint32_t turn = 0;; turn++) {
        const heddle_mask idle = heddle_ballot(!busy);
        if (idle && time_to_take(&t, epoch, idle, turn)) {
            uint64_t number = 0;
            const enum taken taken = take(q, w, epoch, seeds, TICKETS, busy, &t, &number);
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
        if (t.dry)
            busy = share_cells(w, busy, &t, &l);
        if (t.dry && turn % GIVE_EVERY == 0 && hungry(&t))
            give_cells(w, epoch, busy, &t, &l);
    }
    claim_some(&c->cells, (uint32_t)looked);
}

#endif
