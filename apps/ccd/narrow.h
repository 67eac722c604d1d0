/* SPDX-License-Identifier: Apache-2.0 */
/* The first contact of a moving vertex and a face, or of two moving edges, between two frames; corners move on straight
 * lines. After B. Wang, Z. Ferguson, T. Schneider, X. Jiang, M. Attene, D. Panozzo (A Large-Scale Benchmark and an
 * Inclusion-Based Algorithm for Continuous Collision Detection, ACM TOG 40, 2021): the difference of the two points,
 *
 *     F(t, u, v) = c(t) + u d(t) + v e(t),
 *
 * is bounded over boxes of (t, u, v), which are halved where the bounds hold 0. A contact is a box whose bounds are
 * smaller than the tolerance. Nothing is missed: bounds are widened by more than their rounding errors, and what cannot
 * be decided in time counts as a contact.
 *
 * Ours: a fourth coordinate, F along a normal, which tells most misses apart at once; depth first, earlier times first,
 * without a stack (the halved dimension of each level is the same wherever one comes from). */
#ifndef CCD_NARROW_H
#define CCD_NARROW_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define CCD_INLINE static inline __attribute__((always_inline, unused))

enum { CCD_DEPTH_MOST = 64, CCD_HALVED_MOST = 50 };
#define CCD_MISS 2.0 /* a time after the second frame */

/* Frame, corner (a vertex and the three of a face; or the ends of one edge and of the other), axis. */
struct ccd_query {
    double at[2][4][3];
    bool edges;
};

struct ccd_limits {
    double tolerance; /* of contacts, in the unit of coordinates */
    uint32_t boxes;   /* so many are looked at, then the rest counts as contact */
};

/* c, d, e at the first frame and how much they change; [3] is along the normal. */
struct ccd_motion {
    double c[4], d[4], e[4], dc[4], dd[4], de[4];
    double error[4]; /* of F as it is computed */
    double speed[3]; /* how fast F changes with t, u, v at most */
    bool edges;
};

CCD_INLINE double ccd_most(double a, double b) { return a > b ? a : b; }
CCD_INLINE double ccd_least(double a, double b) { return a < b ? a : b; }
CCD_INLINE double ccd_size(double a) { return __builtin_fabs(a); }
/* a > limit, of numbers, by a sign: compilers make a maximum of several such comparisons with one limit. */
CCD_INLINE bool ccd_above(double a, double limit) { return __builtin_signbit(limit - a); }

/* c, d, e of a frame. Each is a difference of two coordinates: at most 2 M, with an error of 2 M u (u = 2^-53, M the
 * largest coordinate). */
CCD_INLINE void ccd_differences(const struct ccd_query *q, int frame, double c[4], double d[4], double e[4]) {
    for (int k = 0; k < 3; k++) {
        const double p0 = q->at[frame][0][k], p1 = q->at[frame][1][k], p2 = q->at[frame][2][k], p3 = q->at[frame][3][k];
        c[k] = q->edges ? p0 - p2 : p0 - p1;
        d[k] = q->edges ? p1 - p0 : p1 - p2;
        e[k] = q->edges ? p2 - p3 : p1 - p3;
    }
}

CCD_INLINE double ccd_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Halfway between the frames; any vector would do. */
CCD_INLINE void ccd_normal(const double d0[3], const double d1[3], const double e0[3], const double e1[3],
                           double n[3]) {
    const double dx = d0[0] + d1[0], dy = d0[1] + d1[1], dz = d0[2] + d1[2], ex = e0[0] + e1[0], ey = e0[1] + e1[1],
                 ez = e0[2] + e1[2];
    n[0] = dy * ez - dz * ey;
    n[1] = dz * ex - dx * ez;
    n[2] = dx * ey - dy * ex;
}

/* The largest coordinates. */
CCD_INLINE void ccd_sizes(const struct ccd_query *q, double size[3]) {
    for (int k = 0; k < 3; k++) {
        size[k] = 0;
        for (int corner = 0; corner < 4; corner++)
            size[k] = ccd_most(size[k], ccd_most(ccd_size(q->at[0][corner][k]), ccd_size(q->at[1][corner][k])));
    }
}

/* The errors, in units of M u, of x(t) = x + t dx: 2 + 8 + 4 + 2 = 16 for c, d and e; u d and v e: 18; their sum
 * 16 + 18 + 18 + 4 + 6 = 62, and 82 with u |d| + v |e|, where u, v <= 1/2, 90 when that is taken away. Along the
 * normal, in units of M u |n|: x has 10 in place of 2, the sum 186. 128 and 256 are taken. */
CCD_INLINE void ccd_set_motion_of(struct ccd_motion *m, const struct ccd_query *q, const double size[3]) {
    double c[4], d[4], e[4], n[3], whole = 0, largest = 0;
    m->edges = q->edges;
    ccd_differences(q, 0, m->c, m->d, m->e);
    ccd_differences(q, 1, c, d, e);
    ccd_normal(m->d, d, m->e, e, n);
    m->c[3] = ccd_dot(n, m->c), m->d[3] = ccd_dot(n, m->d), m->e[3] = ccd_dot(n, m->e);
    c[3] = ccd_dot(n, c), d[3] = ccd_dot(n, d), e[3] = ccd_dot(n, e);
    for (int k = 0; k < 4; k++)
        m->dc[k] = c[k] - m->c[k], m->dd[k] = d[k] - m->d[k], m->de[k] = e[k] - m->e[k];
    m->speed[0] = m->speed[1] = m->speed[2] = 0;
    for (int k = 0; k < 3; k++) {
        m->error[k] = 0x1p-46 * size[k];
        largest = ccd_most(largest, size[k]);
        whole += ccd_size(n[k]);
        m->speed[0] = ccd_most(m->speed[0], ccd_size(m->dc[k]) + ccd_size(m->dd[k]) + ccd_size(m->de[k]));
        m->speed[1] = ccd_most(m->speed[1], ccd_most(ccd_size(m->d[k]), ccd_size(d[k])));
        m->speed[2] = ccd_most(m->speed[2], ccd_most(ccd_size(m->e[k]), ccd_size(e[k])));
    }
    m->error[3] = 0x1p-45 * largest * whole;
}

CCD_INLINE void ccd_set_motion(struct ccd_motion *m, const struct ccd_query *q) {
    double size[3];
    ccd_sizes(q, size);
    ccd_set_motion_of(m, q, size);
}

/* A box: its corner, in units of 2^-52, and which powers of 1/2 its sides are. So corners are exact, and going up again
 * is clearing bits. */
enum { CCD_UNIT = 52 };
struct ccd_cell {
    uint64_t low[3];
    int halved[3];
};

/* Both are exact: a number in [0, 1) as the fraction of one in [1, 2). */
CCD_INLINE double ccd_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
CCD_INLINE double ccd_number(uint64_t units) { return ccd_of_bits(UINT64_C(1023) << CCD_UNIT | units) - 1.0; }
CCD_INLINE double ccd_low(const struct ccd_cell *cell, int k) { return ccd_number(cell->low[k]); }
CCD_INLINE double ccd_side(const struct ccd_cell *cell, int k) {
    return ccd_of_bits((uint64_t)(1023 - cell->halved[k]) << CCD_UNIT);
}

/* At one time F lies between m - r and m + r. Whether it may be 0 between two times (bounds at both hold for all
 * between them, because F is linear in t); small: it extends by `tolerance` along x, y and z at most. */
CCD_INLINE bool ccd_spans(const struct ccd_motion *m, const double m0[4], const double r0[4], const double m1[4],
                          const double r1[4], double tolerance, bool *small) {
    bool apart = false, large = false;
#if defined(__NVPTX__) || defined(__AMDGCN__) /* where there is no minimum of doubles, and signs are words */
    for (int k = 0; k < 4; k++) {
        const bool apart0 = ccd_above(ccd_size(m0[k]) - r0[k], m->error[k]),
                   apart1 = ccd_above(ccd_size(m1[k]) - r1[k], m->error[k]),
                   alike = !__builtin_signbit(m0[k]) == !__builtin_signbit(m1[k]);
        apart |= apart0 & apart1 & alike;
    }
    for (int k = 0; k < 3; k++) {
        const double sum = r0[k] + r1[k];
        const bool by_move = ccd_above(sum + ccd_size(m1[k] - m0[k]), tolerance),
                   by_size = ccd_above(sum + ccd_size(r1[k] - r0[k]), tolerance);
        large |= by_move | by_size;
    }
#else
    double low[4], high[4], size[4];
    for (int k = 0; k < 4; k++) {
        low[k] = ccd_least(m0[k] - r0[k], m1[k] - r1[k]);
        high[k] = ccd_most(m0[k] + r0[k], m1[k] + r1[k]);
        size[k] = r0[k] + r1[k] + ccd_most(ccd_size(m1[k] - m0[k]), ccd_size(r1[k] - r0[k]));
    }
    for (int k = 0; k < 4; k++)
        apart |= (low[k] > m->error[k]) | (high[k] < -m->error[k]);
    large = ccd_most(size[0], ccd_most(size[1], size[2])) > tolerance;
#endif
    *small = !large;
    return !apart;
}

/* Whether F may be 0 where t is in [t0, t1], u in u0 + [-u, u] and v in v0 + [-v, v]: m in the middle, r = u |d| + v
 * |e|. */
CCD_INLINE bool ccd_near(const struct ccd_motion *m, double t0, double t1, double u0, double v0, double u, double v,
                         double tolerance, bool *small) {
    double m0[4], m1[4], r0[4], r1[4];
    for (int k = 0; k < 4; k++) {
        const double c0 = m->c[k] + t0 * m->dc[k], d0 = m->d[k] + t0 * m->dd[k], e0 = m->e[k] + t0 * m->de[k],
                     c1 = m->c[k] + t1 * m->dc[k], d1 = m->d[k] + t1 * m->dd[k], e1 = m->e[k] + t1 * m->de[k];
        m0[k] = c0 + u0 * d0 + v0 * e0, r0[k] = u * ccd_size(d0) + v * ccd_size(e0);
        m1[k] = c1 + u0 * d1 + v0 * e1, r1[k] = u * ccd_size(d1) + v * ccd_size(e1);
    }
    return ccd_spans(m, m0, r0, m1, r1, tolerance, small);
}

CCD_INLINE bool ccd_may_meet(const struct ccd_motion *m, const struct ccd_cell *cell, double tolerance, bool *small) {
    const double t = ccd_low(cell, 0), u = ccd_side(cell, 1) * 0.5, v = ccd_side(cell, 2) * 0.5;
    return ccd_near(m, t, t + ccd_side(cell, 0), ccd_low(cell, 1) + u, ccd_low(cell, 2) + v, u, v, tolerance, small);
}

/* Where one is in the tree of cells: of each level, which dimension was halved, and whether nothing is left to look at
 * in the upper half: one is in it, or it is closed. */
struct ccd_path {
    uint64_t dimension[2], upper;
    int depth;
};

CCD_INLINE int ccd_widest(const struct ccd_motion *m, const struct ccd_cell *cell) {
    const double t = ccd_side(cell, 0) * m->speed[0], u = ccd_side(cell, 1) * m->speed[1],
                 v = ccd_side(cell, 2) * m->speed[2];
    return t >= u ? (t >= v ? 0 : 2) : (u >= v ? 1 : 2);
}

/* By constant indices: a GPU keeps the cell in registers. */
CCD_INLINE int ccd_halved(const struct ccd_cell *cell, int dimension) {
    return dimension == 0 ? cell->halved[0] : dimension == 1 ? cell->halved[1] : cell->halved[2];
}

/* To the next open cell that was not looked at; false: there is none. All halves that end here are left at once. */
CCD_INLINE bool ccd_advance(struct ccd_path *path, struct ccd_cell *cell) {
    const uint64_t lower = path->depth ? ~(path->upper << (64 - path->depth)) : 0;
    const int left = lower ? __builtin_clzll(lower) : 64, level = path->depth - 1 - left;
    if (level < 0)
        return false;
    const uint64_t bit = UINT64_C(1) << level, levels = ((UINT64_C(1) << left) - 1) << level << 1;
    const int of1 = __builtin_popcountll(levels & path->dimension[0]),
              of2 = __builtin_popcountll(levels & path->dimension[1]);
    const bool in1 = path->dimension[0] & bit, in2 = path->dimension[1] & bit;
    const int up[3] = {left - of1 - of2, of1, of2};
    const bool in[3] = {!in1 && !in2, in1, in2};
    for (int k = 0; k < 3; k++) {
        cell->halved[k] -= up[k];
        const uint64_t side = UINT64_C(1) << (CCD_UNIT - cell->halved[k]);
        cell->low[k] = (cell->low[k] & (0 - side)) + (in[k] ? side : 0);
    }
    path->upper |= bit;
    path->depth = level + 1;
    return true;
}

/* A walk through the cells below one of them, at `depth` of the tree. */
struct ccd_search {
    struct ccd_cell cell; /* the one to look at now */
    struct ccd_path path; /* from where the walk began */
    int depth;
    double first; /* of the contacts so far */
};

#define CCD_SEARCH_ALL ((struct ccd_search){.first = CCD_MISS})

CCD_INLINE bool ccd_is_open(const struct ccd_motion *m, const struct ccd_search *s) {
    return ccd_low(&s->cell, 0) < s->first && (m->edges || s->cell.low[1] + s->cell.low[2] <= UINT64_C(1) << CCD_UNIT);
}

/* Into the lower half, which is as open as the whole. */
CCD_INLINE void ccd_descend(const struct ccd_motion *m, struct ccd_search *s, int dimension) {
    struct ccd_path *path = &s->path;
    struct ccd_cell *cell = &s->cell;
    const uint64_t bit = UINT64_C(1) << path->depth;
    path->dimension[0] = (path->dimension[0] & ~bit) | (dimension & 1 ? bit : 0);
    path->dimension[1] = (path->dimension[1] & ~bit) | (dimension & 2 ? bit : 0);
    path->depth++;
    for (int k = 0; k < 3; k++)
        cell->halved[k] += dimension == k;
    const uint64_t side = UINT64_C(1) << (CCD_UNIT - ccd_halved(cell, dimension));
    const bool late = ccd_number(cell->low[0] + (dimension == 0 ? side : 0)) >= s->first,
               outside = !m->edges && cell->low[1] + cell->low[2] + (dimension == 0 ? 0 : side) > UINT64_C(1)
                                                                                                      << CCD_UNIT;
    path->upper = (path->upper & ~bit) | (late || outside ? bit : 0);
}

/* All that does not begin earlier is closed from now on: upper halves in which time was halved, and below the last of
 * these that one is in, all others. Its side is the last digit of the cell's time. */
CCD_INLINE void ccd_meet(struct ccd_search *s) {
    const uint64_t low = s->cell.low[0], inside = s->path.depth ? ~UINT64_C(0) >> (64 - s->path.depth) : 0;
    uint64_t times = ~(s->path.dimension[0] | s->path.dimension[1]) & inside;
    int below = low ? s->cell.halved[0] - (CCD_UNIT - __builtin_ctzll(low)) : 64;
    s->first = ccd_low(&s->cell, 0);
    s->path.upper |= times;
    for (; times && below; below--)
        times &= ~(UINT64_C(1) << (63 - __builtin_clzll(times)));
    s->path.upper |= times ? ~(~UINT64_C(0) >> __builtin_clzll(times)) : ~UINT64_C(0);
}

/* Looks at `boxes` cells at most. False: there are others, of which s->cell is the next. The first contact of all does
 * not depend on the order: whether a cell is a contact is told by the cell alone. One look a turn: the lanes of a GPU
 * look together. */
CCD_INLINE bool ccd_search(const struct ccd_motion *m, double tolerance, uint32_t boxes, struct ccd_search *s,
                           uint32_t *spent) {
    uint32_t looked = 0;
    bool more = s->path.depth || ccd_is_open(m, s);
    while (more && looked < boxes) {
        bool small, open = ccd_may_meet(m, &s->cell, tolerance, &small);
        const int widest = ccd_widest(m, &s->cell);
        looked++;
        if (open &&
            (small || s->depth + s->path.depth == CCD_DEPTH_MOST || ccd_halved(&s->cell, widest) >= CCD_HALVED_MOST)) {
            ccd_meet(s);
            open = false;
        }
        if (open)
            ccd_descend(m, s, widest);
        else
            more = ccd_advance(&s->path, &s->cell);
    }
    *spent = looked;
    return !more;
}

/* The cells that are left. */
CCD_INLINE uint32_t ccd_left(const struct ccd_search *s) {
    const uint64_t lower = s->path.depth ? ~s->path.upper << (64 - s->path.depth) : 0;
    return 1 + (uint32_t)__builtin_popcountll(lower);
}

/* What was not looked at counts as a contact. */
CCD_INLINE double ccd_give_up(struct ccd_search *s) {
    do
        ccd_meet(s);
    while (ccd_advance(&s->path, &s->cell));
    return s->first;
}

/* A time in [0, 1] at or before the first contact, or CCD_MISS. spent: cells that were looked at. */
CCD_INLINE double ccd_first_contact(const struct ccd_query *query, const struct ccd_limits *limits, uint32_t *spent) {
    struct ccd_motion m;
    struct ccd_search s = CCD_SEARCH_ALL;
    ccd_set_motion(&m, query);
    return ccd_search(&m, limits->tolerance, limits->boxes, &s, spent) ? s.first : ccd_give_up(&s);
}

#endif
