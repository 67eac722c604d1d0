/* SPDX-License-Identifier: Apache-2.0 */
/* The narrow phase for lanes that wait for each other: an open cell is halved and both halves are looked at at once, so
 * two chains of arithmetic run side by side and there are half as many turns. What waits is known to be open and stands
 * on a stack in memory: a lane's next cell is one read, where finding it from the path (narrow.h) is a hundred
 * instructions. The contacts are those of ccd_search: whether a cell is one is told by the cell alone. */
#ifndef CCD_HALVES_H
#define CCD_HALVES_H

#include "narrow.h"

/* The cell's corner, and which powers of 1/2 its sides are, a byte each: two reads of 16 bytes. */
struct ccd_waiting {
    double low[3];
    uint32_t halved, spare;
} __attribute__((aligned(16)));

struct ccd_box {
    double low[3];
    uint32_t halved[3];
};

/* What waits is stack[bottom] to stack[top - 1], the largest first. */
struct ccd_halving {
    struct ccd_box box; /* the one to halve next; it is open */
    double first;       /* of the contacts so far */
    uint32_t bottom, top;
};

CCD_INLINE double ccd_power(uint32_t halved) { return ccd_of_bits((uint64_t)(1023 - halved) << CCD_UNIT); }

CCD_INLINE struct ccd_waiting ccd_pack(const struct ccd_box *b) {
    return (struct ccd_waiting){
        {b->low[0], b->low[1], b->low[2]}, b->halved[0] | b->halved[1] << 8 | b->halved[2] << 16, 0};
}
CCD_INLINE struct ccd_box ccd_unpack(const struct ccd_waiting *w) {
    return (struct ccd_box){{w->low[0], w->low[1], w->low[2]},
                            {w->halved & 0xff, w->halved >> 8 & 0xff, w->halved >> 16 & 0xff}};
}

CCD_INLINE int ccd_box_widest(const struct ccd_motion *m, const uint32_t halved[3]) {
    const double t = ccd_power(halved[0]) * m->speed[0], u = ccd_power(halved[1]) * m->speed[1],
                 v = ccd_power(halved[2]) * m->speed[2];
    return t >= u ? (t >= v ? 0 : 2) : (u >= v ? 1 : 2);
}
/* As ccd_search has it: no further. */
CCD_INLINE bool ccd_box_least(const struct ccd_motion *m, const uint32_t halved[3]) {
    if (halved[0] + halved[1] + halved[2] == CCD_DEPTH_MOST)
        return true;
    if (halved[0] < CCD_HALVED_MOST && halved[1] < CCD_HALVED_MOST && halved[2] < CCD_HALVED_MOST)
        return false; /* nearly always */
    const int widest = ccd_box_widest(m, halved);
    return (widest == 0 ? halved[0] : widest == 1 ? halved[1] : halved[2]) >= CCD_HALVED_MOST;
}

CCD_INLINE bool ccd_box_meets(const struct ccd_motion *m, const double low[3], const uint32_t halved[3],
                              double tolerance, bool *small) {
    const double u = ccd_power(halved[1] + 1), v = ccd_power(halved[2] + 1);
    return ccd_near(m, low[0], low[0] + ccd_power(halved[0]), low[1] + u, low[2] + v, u, v, tolerance, small);
}

/* Which halves are to be looked into, of those that are open: bit 0 the lower, which is s->box, 1 the upper. */
enum { CCD_LOWER = 1, CCD_UPPER = 2 };
CCD_INLINE uint32_t ccd_judge(const struct ccd_motion *m, struct ccd_halving *s, const struct ccd_box *upper, bool low,
                              bool high, const bool small[2]) {
    const struct ccd_box *lower = &s->box;
    const bool least = ccd_box_least(m, lower->halved), met_low = low && (small[0] || least),
               met_high = high && (small[1] || least);
    s->first = met_low ? ccd_least(s->first, lower->low[0]) : s->first;
    s->first = met_high ? ccd_least(s->first, upper->low[0]) : s->first;
    return (uint32_t)(low && !met_low && lower->low[0] < s->first) * CCD_LOWER |
           (uint32_t)(high && !met_high && upper->low[0] < s->first) * CCD_UPPER;
}

CCD_INLINE struct ccd_box ccd_cut(struct ccd_box *lower, int dimension) {
    for (int k = 0; k < 3; k++)
        lower->halved[k] += dimension == k;
    struct ccd_box upper = *lower;
    for (int k = 0; k < 3; k++)
        upper.low[k] += dimension == k ? ccd_power(lower->halved[k]) : 0;
    return upper;
}
CCD_INLINE bool ccd_inside(const struct ccd_motion *m, const struct ccd_box *b) {
    return m->edges || b->low[1] + b->low[2] <= 1;
}

/* Halves the box, which is the lower one then. */
CCD_INLINE uint32_t ccd_halve(const struct ccd_motion *m, double tolerance, struct ccd_halving *s,
                              struct ccd_box *upper, uint32_t *looked) {
    struct ccd_box *lower = &s->box;
    bool small[2];
    *upper = ccd_cut(lower, ccd_box_widest(m, lower->halved));
    const bool inside = ccd_inside(m, upper), low = ccd_box_meets(m, lower->low, lower->halved, tolerance, &small[0]),
               high = ccd_box_meets(m, upper->low, upper->halved, tolerance, &small[1]) && inside;
    *looked += 1 + inside;
    return ccd_judge(m, s, upper, low, high, small);
}

/* F at one time, and whether it may be 0 in a box between two. */
struct ccd_still {
    double c[4], d[4], e[4];
};
CCD_INLINE struct ccd_still ccd_at(const struct ccd_motion *m, double t) {
    struct ccd_still s;
    for (int k = 0; k < 4; k++) {
        s.c[k] = m->c[k] + t * m->dc[k];
        s.d[k] = m->d[k] + t * m->dd[k];
        s.e[k] = m->e[k] + t * m->de[k];
    }
    return s;
}
CCD_INLINE bool ccd_box_between(const struct ccd_motion *m, const struct ccd_still *from, const struct ccd_still *to,
                                const struct ccd_box *b, double tolerance, bool *small) {
    const double u = ccd_power(b->halved[1] + 1), v = ccd_power(b->halved[2] + 1), u0 = b->low[1] + u,
                 v0 = b->low[2] + v;
    double m0[4], m1[4], r0[4], r1[4];
    for (int k = 0; k < 4; k++) {
        m0[k] = from->c[k] + u0 * from->d[k] + v0 * from->e[k];
        m1[k] = to->c[k] + u0 * to->d[k] + v0 * to->e[k];
        r0[k] = u * ccd_size(from->d[k]) + v * ccd_size(from->e[k]);
        r1[k] = u * ccd_size(to->d[k]) + v * ccd_size(to->e[k]);
    }
    return ccd_spans(m, m0, r0, m1, r1, tolerance, small);
}

/* The whole of a test, and its halves if it is open: as above, by three times instead of six. */
CCD_INLINE uint32_t ccd_begin(const struct ccd_motion *m, double tolerance, struct ccd_halving *s, uint32_t *looked) {
    struct ccd_still first, last = ccd_at(m, 1);
    for (int k = 0; k < 4; k++)
        first.c[k] = m->c[k], first.d[k] = m->d[k], first.e[k] = m->e[k];
    bool small[2];
    *s = (struct ccd_halving){.first = CCD_MISS};
    const bool open = ccd_box_between(m, &first, &last, &s->box, tolerance, small);
    *looked = 1;
    s->first = open && small[0] ? 0 : CCD_MISS;
    if (!open || small[0])
        return 0;
    struct ccd_box *lower = &s->box;
    const int dimension = ccd_box_widest(m, lower->halved);
    const struct ccd_box upper = ccd_cut(lower, dimension);
    const struct ccd_still half = ccd_at(m, 0.5);
    struct ccd_still end = last, begin = first;
    for (int k = 0; k < 4; k++) {
        const bool time = dimension == 0;
        end.c[k] = time ? half.c[k] : last.c[k], begin.c[k] = time ? half.c[k] : first.c[k];
        end.d[k] = time ? half.d[k] : last.d[k], begin.d[k] = time ? half.d[k] : first.d[k];
        end.e[k] = time ? half.e[k] : last.e[k], begin.e[k] = time ? half.e[k] : first.e[k];
    }
    const bool inside = ccd_inside(m, &upper), low = ccd_box_between(m, &first, &end, lower, tolerance, &small[0]),
               high = ccd_box_between(m, &begin, &last, &upper, tolerance, &small[1]) && inside;
    *looked += 1 + inside;
    return ccd_judge(m, s, &upper, low, high, small);
}

/* A turn: halves the box, or goes on with the next one that begins before the first contact. False: none is left. */
CCD_INLINE bool ccd_turn(const struct ccd_motion *m, double tolerance, struct ccd_halving *s, struct ccd_waiting *stack,
                         uint32_t *looked) {
    uint32_t next = 0;
    if (s->box.low[0] < s->first) {
        struct ccd_box upper;
        next = ccd_halve(m, tolerance, s, &upper, looked);
        if (next == (CCD_LOWER | CCD_UPPER))
            stack[s->top++] = ccd_pack(&upper);
        else if (next == CCD_UPPER)
            s->box = upper;
    }
    while (!next && s->top > s->bottom) {
        const struct ccd_waiting w = stack[--s->top];
        s->box = ccd_unpack(&w);
        next = s->box.low[0] < s->first;
    }
    return next;
}

#endif
