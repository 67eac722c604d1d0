/* SPDX-License-Identifier: Apache-2.0 */
/* The broad phase of a query on a device: walks find pairs of triangles, pairs make tests. */
#ifndef CCD_PERSISTENT_BROAD_H
#define CCD_PERSISTENT_BROAD_H

#include "traverse.h"
#include "work_queue.h"

struct lane_walk {
    struct bvh_box box;
    struct vec3 move;
    uint32_t place, number, at, end, from, to, steps; /* at, end: nodes; from, to: places of a leaf */
    uint32_t root; /* above `at`, and nothing behind it is left of what is above it */
};

CCD_INLINE void begin_walk(const struct persistent_work *w, uint32_t place, uint32_t at, uint32_t end,
                           struct lane_walk *l) {
    const struct moving mover = w->packed_movers[place].box;
    l->place = place;
    l->number = w->view.order[place];
    l->move = ccd_move_of(&mover);
    l->box = ccd_sweep(&mover, l->move, w->view.margin);
    l->at = at;
    l->end = end;
    l->from = l->to = 0;
    l->root = l->steps = 0;
}

/* Pairs that were found: an atomic takes as long as a step. */
enum { FOUND = 4 };
struct found {
    struct pair pair[FOUND];
    uint32_t count;
};
CCD_INLINE void write_found(const struct persistent_work *w, struct found *f) {
    uint64_t at = claim_some(&w->counters->pairs, f->count);
    for (uint32_t k = 0; k < FOUND; k++, at++)
        if (k < f->count && at < w->pairs_room)
            w->pairs[at] = f->pair[k];
    f->count = 0;
}
CCD_INLINE void add_found(const struct persistent_work *w, bool is, struct pair pair, struct found *f) {
    for (uint32_t k = 0; k < FOUND; k++)
        f->pair[k] = is && k == f->count ? pair : f->pair[k];
    f->count += is;
    if (heddle_any(f->count == FOUND))
        write_found(w, f);
}

/* One box. False: the walk is over. */
CCD_INLINE bool step_walk(const struct persistent_work *w, struct lane_walk *l, uint32_t *other) {
    const bool leaf = l->from < l->to;
    *other = BVH_NOTHING;
    if (leaf) {
        const struct packed_mover m = w->packed_movers[l->from];
        const struct bvh_box box = ccd_sweep(&m.box, l->move, 0);
        if (bvh_overlap(&l->box, &box) && ccd_wanted(&w->view, l->number, w->view.order[l->from]))
            *other = l->from;
        l->from++;
    } else if (l->at < l->end) {
        const struct packed_node n = w->packed_nodes[l->at];
        const struct bvh_box box = ccd_sweep(&n.box, l->move, 0);
        const bool met = bvh_overlap(&l->box, &box);
        if (met && !n.right) {
            l->from = n.first;
            l->to = n.first + n.count;
        }
        l->at = met && n.right ? l->at + 1 : l->at + 2 * n.count - 1;
    }
    return l->from < l->to || l->at < l->end;
}

/* Takes away the largest subtree that the walk has not come to, and that its box overlaps: [from, to). False: there is
 * none. */
CCD_INLINE bool split_walk(const struct persistent_work *w, struct lane_walk *l, uint32_t *from, uint32_t *to) {
    while (l->root < l->at) {
        const uint32_t right = w->packed_nodes[l->root].right;
        if (!right)
            return false;
        if (l->at >= right) {
            l->root = right;
            continue;
        }
        l->root++;
        if (right >= l->end)
            continue;
        const struct packed_node n = w->packed_nodes[right];
        const struct bvh_box box = ccd_sweep(&n.box, l->move, 0);
        *from = right;
        *to = l->end < right + 2 * n.count - 1 ? l->end : right + 2 * n.count - 1;
        l->end = right;
        if (bvh_overlap(&l->box, &box))
            return true;
    }
    return false;
}

/* Of several devices each takes every second, third … group of places, which are near each other. */
enum { GROUP = 32 };
CCD_INLINE uint32_t place_of(const struct persistent_work *w, uint64_t walk) {
    const uint64_t place = (walk / GROUP * w->parts + w->part) * GROUP + walk % GROUP;
    return place < w->places ? (uint32_t)place : BVH_NOTHING;
}
CCD_INLINE uint64_t walks_of(const struct persistent_work *w) {
    const uint64_t groups = ((uint64_t)w->places + GROUP - 1) / GROUP;
    return (groups + w->parts - 1 - w->part) / w->parts * GROUP;
}

CCD_INLINE void give_subtree(const struct persistent_work *w, uint32_t epoch, struct taker *t, bool *busy,
                             struct lane_walk *l) {
    const bool asked = *busy && l->steps >= GIVE_AFTER && l->at < l->end;
    const uint32_t before = l->end;
    uint32_t from = 0, to = 0, fit = 0;
    const bool gives = asked && split_walk(w, l, &from, &to);
    if (heddle_any(gives)) {
        const uint64_t at = offer(&w->counters->walks, w, gives, &fit, t);
        if (fit) {
            struct given *g = &w->given[at];
            g->of = l->place;
            g->from = from;
            g->to = to;
            heddle_store32_release(&w->flags[at], epoch);
            l->steps = 0;
        } else if (gives) {
            l->end = before;
        }
    }
    if (asked && l->from >= l->to && l->at >= l->end) {
        *busy = false;
        t->ended++;
    }
}

CCD_INLINE void phase_walks(const struct persistent_work *w, uint32_t epoch) {
    struct counters *c = w->counters;
    struct work_queue *q = &c->walks;
    struct taker t = {.ticket = NO_TICKET};
    struct lane_walk l = {.end = 0};
    struct found found = {.count = 0};
    const uint64_t walks = walks_of(w);
    bool busy = false;
    for (uint32_t turn = 0;; turn++) {
        const heddle_mask idle = heddle_ballot(!busy);
        if (idle && time_to_take(&t, epoch, idle, turn)) {
            uint64_t number = 0;
            const enum taken taken = take(q, w, epoch, walks, HEDDLE_WARP, busy, &t, &number);
            if (taken == OVER)
                break;
            const uint32_t place = taken == SEED ? place_of(w, number) : BVH_NOTHING;
            if (taken == SEED && place == BVH_NOTHING) {
                t.ended++;
            } else if (taken == SEED) {
                const struct start start = w->view.starts[place];
                begin_walk(w, place, start.node, w->view.ends, &l);
                l.from = place + 1;
                l.to = start.last;
                busy = true;
            } else if (taken == PART) {
                const struct given g = w->given[number];
                begin_walk(w, g.of, g.from, g.to, &l);
                l.root = g.from;
                busy = true;
            }
        }
        look_ahead(q, w, walks, busy, turn, &t);
        uint32_t other = BVH_NOTHING;
        if (busy) {
            busy = step_walk(w, &l, &other);
            l.steps++;
            t.ended += !busy;
        }
        add_found(w, other != BVH_NOTHING, (struct pair){l.place, other}, &found);
        if (t.dry && turn % GIVE_EVERY == 0 && hungry(&t))
            give_subtree(w, epoch, &t, &busy, &l);
    }
    write_found(w, &found);
}

/* ---- pairs of triangles ---- */
CCD_INLINE void load_packed(const struct persistent_work *w, uint32_t place, struct vec3 move, float margin,
                            struct ccd_face *face) {
    const struct packed_face p = w->packed_faces[place];
    face->number = p.ids.number;
    face->owns = p.ids.owns;
    for (int k = 0; k < 3; k++) {
        const struct moving m = {
            {{{p.at[0][k][0], p.at[0][k][1], p.at[0][k][2]}, {p.at[0][k][0], p.at[0][k][1], p.at[0][k][2]}},
             {{p.at[1][k][0], p.at[1][k][1], p.at[1][k][2]}, {p.at[1][k][0], p.at[1][k][1], p.at[1][k][2]}}}};
        face->corner[k] = p.ids.corner[k];
        face->edge[k] = p.ids.edge[k];
        face->at[k] = ccd_sweep(&m, move, margin);
    }
    face->box = ccd_union(&face->at[0], &face->at[1]);
    face->box = ccd_union(&face->box, &face->at[2]);
}

/* As ccd_corners and ccd_edges: bit k: corner k of `a` against `b`. */
CCD_INLINE uint32_t met_corners(const struct ccd_face *a, const struct ccd_face *b) {
    uint32_t met = 0;
    for (int k = 0; k < 3; k++) {
        const uint32_t v = a->corner[k];
        const bool apart = v != b->corner[0] && v != b->corner[1] && v != b->corner[2];
        met |= (uint32_t)((a->owns & (unsigned)(OWNS_CORNER << k)) && apart && bvh_overlap(&a->at[k], &b->box)) << k;
    }
    return met;
}
/* Bit 3 i + j. */
CCD_INLINE uint32_t met_edges(const struct ccd_face *a, const struct ccd_face *b) {
    uint32_t met = 0;
    for (int i = 0; i < 3; i++) {
        const int i1 = i == 2 ? 0 : i + 1;
        const struct bvh_box box = ccd_union(&a->at[i], &a->at[i1]);
        const bool near = (a->owns & (unsigned)(OWNS_EDGE << i)) && bvh_overlap(&box, &b->box);
        for (int j = 0; j < 3; j++) {
            const int j1 = j == 2 ? 0 : j + 1;
            const struct bvh_box other = ccd_union(&b->at[j], &b->at[j1]);
            const bool apart = a->corner[i] != b->corner[j] && a->corner[i] != b->corner[j1] &&
                               a->corner[i1] != b->corner[j] && a->corner[i1] != b->corner[j1];
            met |= (uint32_t)(near && (b->owns & (unsigned)(OWNS_EDGE << j)) && apart && bvh_overlap(&box, &other))
                   << (3 * i + j);
        }
    }
    return met;
}

/* 3 corners of the first triangle, 3 of the second, 9 pairs of edges. */
CCD_INLINE uint32_t tests_of(const struct persistent_work *w, struct pair pair) {
    struct ccd_face a, b;
    const struct vec3 move = ccd_move_of(&w->packed_movers[pair.first].box);
    load_packed(w, pair.first, move, w->view.margin, &a);
    load_packed(w, pair.second, move, 0, &b);
    return met_corners(&a, &b) | met_corners(&b, &a) << 3 | met_edges(&a, &b) << 6;
}
CCD_INLINE void write_tests(const struct persistent_work *w, const struct claimed *claimed, uint64_t pair,
                            uint32_t met) {
    uint64_t at = answer_of(claimed);
    for (; met; met &= met - 1, at++)
        if (at < w->tests_room)
            w->tests[at] = (uint32_t)pair << TEST_BITS | (uint32_t)__builtin_ctz(met);
}

/* A pair is read a turn before, and a turn's tests are written in the next one: their answers are there then. */
CCD_INLINE void phase_pairs(const struct persistent_work *w, uint32_t thread, uint32_t threads) {
    struct counters *c = w->counters;
    const uint64_t all = c->pairs.value, count = all < w->pairs_room ? all : w->pairs_room,
                   turns = (count + threads - 1) / threads;
    struct pair next = {0, 0};
    struct claimed claimed = {0, 0};
    uint32_t met = 0;
    if (thread < count)
        next = w->pairs[thread];
    for (uint64_t turn = 0; turn < turns; turn++) {
        const uint64_t k = turn * threads + thread;
        const struct pair pair = next;
        if (k + threads < count)
            next = w->pairs[k + threads];
        const uint32_t now = k < count ? tests_of(w, pair) : 0;
        write_tests(w, &claimed, k - threads, met);
        met = now;
        claimed = ask_for(&c->tests, lanes_of(met));
    }
    write_tests(w, &claimed, (turns - 1) * threads + thread, met);
}

#endif
