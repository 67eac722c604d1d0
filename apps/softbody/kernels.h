/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of one body over plain arrays, a group of sixteen rows or elements at a time: rotations of elements,
 * forces, the matrix, its product. M. Mueller, M. Gross: Interactive Virtual Materials (2004) for the corotational
 * elements; rotations by Newton steps (T. Kugelstadt, D. Koschier, J. Bender: Fast Corotated FEM, 2018). */
#ifndef SOFTBODY_KERNELS_H
#define SOFTBODY_KERNELS_H

#include "lanes.h"
#include "softbody.h"

struct turned {
    lanes m[3][3];
};

LANES_INLINE void rotation(const lanes q[4], struct turned *r) {
    const lanes x = q[0], y = q[1], z = q[2], w = q[3], two = LANES_ALL(2.0f);
    r->m[0][0] = 1.0f - two * (y * y + z * z), r->m[0][1] = two * (x * y - w * z), r->m[0][2] = two * (x * z + w * y);
    r->m[1][0] = two * (x * y + w * z), r->m[1][1] = 1.0f - two * (x * x + z * z), r->m[1][2] = two * (y * z - w * x);
    r->m[2][0] = two * (x * z - w * y), r->m[2][1] = two * (y * z + w * x), r->m[2][2] = 1.0f - two * (x * x + y * y);
}

/* c = transposed a times b */
LANES_INLINE void back_times(const struct turned *a, const struct turned *b, struct turned *c) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c->m[i][j] = LANES_FMA(a->m[2][i], b->m[2][j], LANES_FMA(a->m[1][i], b->m[1][j], a->m[0][i] * b->m[0][j]));
}

LANES_INLINE lanes dot3(const lanes a[3], const lanes b[3]) {
    return LANES_FMA(a[2], b[2], LANES_FMA(a[1], b[1], a[0] * b[0]));
}

/* One step towards the rotation that maximises trace(R^T F), whose Hessian is H = S - trace(S) with S the symmetric
 * part of R^T F. Where H might not be definite (elements that are squashed, inverted or far from their last rotation)
 * it is shifted until it is: a step upwards. The only maximum is the rotation of the signed singular values, so an
 * inverted element turns right side out. */
LANES_INLINE void turn_once(const struct turned *f, lanes q[4]) {
    struct turned r, m;
    rotation(q, &r);
    back_times(&r, f, &m);
    const lanes norm = LANES_ABS(m.m[0][0]) + LANES_ABS(m.m[1][1]) + LANES_ABS(m.m[2][2]) +
                       LANES_ABS(m.m[0][1] + m.m[1][0]) + LANES_ABS(m.m[0][2] + m.m[2][0]) +
                       LANES_ABS(m.m[1][2] + m.m[2][1]) + 1e-20f,
                scale = 1.0f / norm;
    const lanes a0 = (m.m[2][1] - m.m[1][2]) * scale, a1 = (m.m[0][2] - m.m[2][0]) * scale,
                a2 = (m.m[1][0] - m.m[0][1]) * scale;
    const lanes s01 = (m.m[0][1] + m.m[1][0]) * (-0.5f * scale), s02 = (m.m[0][2] + m.m[2][0]) * (-0.5f * scale),
                s12 = (m.m[1][2] + m.m[2][1]) * (-0.5f * scale);
    lanes h0 = (m.m[1][1] + m.m[2][2]) * scale, h1 = (m.m[0][0] + m.m[2][2]) * scale,
          h2 = (m.m[0][0] + m.m[1][1]) * scale;
    const lanes b01 = LANES_ABS(s01), b02 = LANES_ABS(s02), b12 = LANES_ABS(s12);
    const lanes low = LANES_LEAST(LANES_LEAST(h0 - b01 - b02, h1 - b01 - b12), h2 - b02 - b12);
    const lanes shift = LANES_MOST(0.02f - low, LANES_ALL(0.0f));
    h0 = h0 + shift, h1 = h1 + shift, h2 = h2 + shift;
    const lanes c00 = LANES_FMA(h1, h2, -s12 * s12), c01 = LANES_FMA(s02, s12, -s01 * h2),
                c02 = LANES_FMA(s01, s12, -s02 * h1), c11 = LANES_FMA(h0, h2, -s02 * s02),
                c12 = LANES_FMA(s01, s02, -h0 * s12), c22 = LANES_FMA(h0, h1, -s01 * s01);
    const lanes a[3] = {a0, a1, a2}, c0[3] = {c00, c01, c02}, c1[3] = {c01, c11, c12}, c2[3] = {c02, c12, c22},
                h[3] = {h0, s01, s02};
    const lanes half = 0.5f / dot3(h, c0);
    lanes x = dot3(c0, a) * half, y = dot3(c1, a) * half, z = dot3(c2, a) * half;
    const lanes square = LANES_FMA(z, z, LANES_FMA(y, y, x * x)),
                limit = 1.0f / LANES_ROOT(LANES_MOST(square, LANES_ALL(1.0f)));
    x = x * limit, y = y * limit, z = z * limit;
    const lanes n0 = LANES_FMA(-q[2], y, LANES_FMA(q[1], z, LANES_FMA(q[3], x, q[0]))),
                n1 = LANES_FMA(-q[0], z, LANES_FMA(q[2], x, LANES_FMA(q[3], y, q[1]))),
                n2 = LANES_FMA(-q[1], x, LANES_FMA(q[0], y, LANES_FMA(q[3], z, q[2]))),
                n3 = LANES_FMA(-q[2], z, LANES_FMA(-q[1], y, LANES_FMA(-q[0], x, q[3])));
    const lanes unit = 1.0f / LANES_ROOT(LANES_FMA(n3, n3, LANES_FMA(n2, n2, LANES_FMA(n1, n1, n0 * n0))));
    q[0] = n0 * unit, q[1] = n1 * unit, q[2] = n2 * unit, q[3] = n3 * unit;
}

/* Rotations, turned gradients times the root of shear modulus and volume, forces of a group of elements. Returns the
 * elastic energy. */
LANES_INLINE lanes element_group(uint32_t group, uint32_t lane, uint32_t elements, uint32_t rows,
                                 const uint32_t *corner, const uint32_t *gather, const float *rest, const float *x,
                                 float root_shear, float ratio, uint32_t turns, float *turn, float *grad,
                                 float *force) {
    struct turned f, r, m, g;
    lanes place[4][3], q[4];
    for (int c = 0; c < 4; c++)
        for (uint32_t k = 0; k < 3; k++)
            place[c][k] = lanes_take(x + (size_t)k * rows, corner[4 * group + (uint32_t)c], gather, lane);
    const float *own = rest + (size_t)group * 10 * GROUP;
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++)
            g.m[a][k] = lanes_load(own + (3 * a + k) * GROUP, lane);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            f.m[k][l] =
                LANES_FMA(place[3][k] - place[0][k], g.m[2][l],
                          LANES_FMA(place[2][k] - place[0][k], g.m[1][l], (place[1][k] - place[0][k]) * g.m[0][l]));
    for (int k = 0; k < 4; k++)
        q[k] = lanes_load(turn + ((size_t)group * 4 + (size_t)k) * GROUP, lane);
    for (uint32_t k = 0; k < turns; k++)
        turn_once(&f, q);
    for (int k = 0; k < 4; k++)
        lanes_store(turn + ((size_t)group * 4 + (size_t)k) * GROUP, q[k], lane);
    rotation(q, &r);
    back_times(&r, &f, &m);
    /* strain, stress over the shear modulus */
    const lanes root = lanes_load(own + 9 * GROUP, lane) * root_shear;
    const lanes e0 = m.m[0][0] - 1.0f, e1 = m.m[1][1] - 1.0f, e2 = m.m[2][2] - 1.0f,
                e01 = 0.5f * (m.m[0][1] + m.m[1][0]), e02 = 0.5f * (m.m[0][2] + m.m[2][0]),
                e12 = 0.5f * (m.m[1][2] + m.m[2][1]), trace = e0 + e1 + e2, spread = trace * ratio;
    const lanes s0 = 2.0f * e0 + spread, s1 = 2.0f * e1 + spread, s2 = 2.0f * e2 + spread, s01 = 2.0f * e01,
                s02 = 2.0f * e02, s12 = 2.0f * e12;
    lanes sum_g[3] = {LANES_ALL(0.0f), LANES_ALL(0.0f), LANES_ALL(0.0f)},
          sum_f[3] = {LANES_ALL(0.0f), LANES_ALL(0.0f), LANES_ALL(0.0f)};
    const size_t plane = (size_t)elements * 4, first = (size_t)group * GROUP;
    for (int a = 0; a < 3; a++) {
        const lanes g0 = g.m[a][0] * root, g1 = g.m[a][1] * root, g2 = g.m[a][2] * root;
        const lanes own_g[3] = {g0, g1, g2}, row0[3] = {s0, s01, s02}, row1[3] = {s01, s1, s12},
                    row2[3] = {s02, s12, s2};
        const lanes t[3] = {-root * dot3(row0, own_g), -root * dot3(row1, own_g), -root * dot3(row2, own_g)};
        for (int k = 0; k < 3; k++) {
            const lanes turned = dot3(r.m[k], own_g), pull = dot3(r.m[k], t);
            const size_t at = (size_t)k * plane + (size_t)(a + 1) * elements + first;
            lanes_store(grad + at, turned, lane);
            lanes_store(force + at, pull, lane);
            sum_g[k] = sum_g[k] + turned;
            sum_f[k] = sum_f[k] + pull;
        }
    }
    for (int k = 0; k < 3; k++) {
        lanes_store(grad + (size_t)k * plane + first, -sum_g[k], lane);
        lanes_store(force + (size_t)k * plane + first, -sum_f[k], lane);
    }
    return root * root *
           (e0 * e0 + e1 * e1 + e2 * e2 + 2.0f * (e01 * e01 + e02 * e02 + e12 * e12) + 0.5f * ratio * trace * trace);
}

/* A slot's blocks of the stiffness matrix, times `scale`, from the gradients of the elements that both nodes share. */
LANES_INLINE void element_blocks(uint32_t slot, uint32_t lane, const uint32_t *entry_first, const uint32_t *entry,
                                 const uint32_t *gather, const float *grad, uint32_t elements, float ratio, float scale,
                                 lanes block[9]) {
    lanes sum[9];
    const size_t plane = (size_t)elements * 4;
    for (int k = 0; k < 9; k++)
        sum[k] = LANES_ALL(0.0f);
    LANES_AHEAD
    for (uint32_t e = entry_first[slot]; e < entry_first[slot + 1]; e++) {
        lanes a[3], b[3];
        for (uint32_t k = 0; k < 3; k++) {
            a[k] = lanes_take(grad + k * plane, entry[2 * e], gather, lane);
            b[k] = lanes_take(grad + k * plane, entry[2 * e + 1], gather, lane);
        }
        for (int k = 0; k < 9; k++)
            sum[k] = LANES_FMA(a[k / 3], b[k % 3], sum[k]);
    }
    const lanes trace = sum[0] + sum[4] + sum[8];
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            const lanes mixed = sum[3 * k + l] * ratio + sum[3 * l + k];
            block[3 * k + l] = (k == l ? mixed + trace : mixed) * scale;
        }
}

LANES_INLINE void element_forces(uint32_t group, uint32_t lane, const uint32_t *slot_first, const uint32_t *entry_first,
                                 const uint32_t *entry, const uint32_t *gather, const float *force, uint32_t elements,
                                 lanes sum[3]) {
    const uint32_t slot = slot_first[group];
    sum[0] = sum[1] = sum[2] = LANES_ALL(0.0f);
    LANES_AHEAD
    for (uint32_t e = entry_first[slot]; e < entry_first[slot + 1]; e++)
        for (uint32_t k = 0; k < 3; k++)
            sum[k] = sum[k] + lanes_take(force + (size_t)k * 4 * elements, entry[2 * e], gather, lane);
}

/* Springs of a group of rows, whose other ends are `d` away: blocks off the diagonal and the pull on the rows. Along a
 * spring its stiffness, across it what tension adds; what pressure takes away is left out, so that the matrix stays
 * definite. */
LANES_INLINE lanes spring_blocks(lanes d[3], lanes rest, lanes stiff, float scale, lanes block[9], lanes pull[3]) {
    const lanes length = LANES_ROOT(dot3(d, d) + 1e-24f), inverse = 1.0f / length;
    const lanes across = LANES_MOST(1.0f - rest * inverse, LANES_ALL(0.0f)), force = stiff * (length - rest);
    for (int k = 0; k < 3; k++)
        d[k] = d[k] * inverse;
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
            const lanes along = d[k] * d[l] * (1.0f - across);
            block[3 * k + l] = -scale * stiff * (k == l ? along + across : along);
        }
        pull[k] = force * d[k];
    }
    return 0.25f * force * (length - rest); /* a spring is there twice */
}

/* The springs of a slot. */
LANES_INLINE lanes spring_slot(uint32_t slot, uint32_t group, uint32_t lane, uint32_t rows, const uint32_t *column,
                               const uint32_t *gather, const float *spring, const float *x, float young, float scale,
                               lanes block[9], lanes pull[3]) {
    lanes d[3];
    for (uint32_t k = 0; k < 3; k++)
        d[k] = lanes_take(x + (size_t)k * rows, column[slot], gather, lane) -
               lanes_load(x + (size_t)k * rows + (size_t)group * GROUP, lane);
    const float *own = spring + (size_t)slot * 2 * GROUP;
    return spring_blocks(d, lanes_load(own, lane), lanes_load(own + GROUP, lane) * young, scale, block, pull);
}

/* Where a lane finds what comes back to it: row and lane of a slot. False: there is none. */
LANES_INLINE bool back_lane(const uint32_t *back, uint32_t slots, uint32_t lane, uint32_t *row, uint32_t *slot,
                            uint32_t *from) {
    const uint32_t at = lane + back[1];
    *row = back[0] * GROUP + at; /* may wrap where there is none */
    *slot = at < GROUP ? back[2] : back[3];
    *from = at % GROUP;
    return *slot != slots;
}

/* The springs of others' slots that end here. */
LANES_INLINE lanes spring_back(const uint32_t *back, uint32_t slots, uint32_t group, uint32_t lane, uint32_t rows,
                               const float *spring, const float *x, float young, float scale, lanes block[9],
                               lanes pull[3]) {
    lanes d[3], rest, stiff;
#if LANES_SPLIT
    uint32_t row, slot, from;
    if (!back_lane(back, slots, lane, &row, &slot, &from))
        row = group * GROUP + lane;
    for (uint32_t k = 0; k < 3; k++)
        d[k] = x[(size_t)k * rows + row] - x[(size_t)k * rows + (size_t)group * GROUP + lane];
    rest = spring[(size_t)slot * 2 * GROUP + from];
    stiff = spring[((size_t)slot * 2 + 1) * GROUP + from] * young;
#else
    for (uint32_t l = 0; l < GROUP; l++) {
        uint32_t row, slot, from;
        if (!back_lane(back, slots, l, &row, &slot, &from))
            row = group * GROUP + l;
        for (uint32_t k = 0; k < 3; k++)
            d[k][l] = x[(size_t)k * rows + row] - x[(size_t)k * rows + (size_t)group * GROUP + l];
        rest[l] = spring[(size_t)slot * 2 * GROUP + from];
        stiff[l] = spring[((size_t)slot * 2 + 1) * GROUP + from] * young;
    }
    (void)lane;
#endif
    return spring_blocks(d, rest, stiff, scale, block, pull);
}

/* A block is nine numbers of each of sixteen lanes. Where each lane is a thread, and nobody else reads the matrix, a
 * lane's first four lie together, and the next four, so that they are one load. */
#if LANES_PACKED
typedef float block_four __attribute__((vector_size(16)));
LANES_INLINE uint32_t block_place(uint32_t k, uint32_t lane) {
    return k < 8 ? k / 4 * 4 * GROUP + 4 * lane + k % 4 : 8 * GROUP + lane;
}
LANES_INLINE void block_store(float *m, uint32_t k, lanes v, uint32_t lane) { m[block_place(k, lane)] = v; }
LANES_INLINE lanes block_number(const float *m, uint32_t k, uint32_t lane) { return m[block_place(k, lane)]; }
LANES_INLINE void block_load(const float *m, uint32_t lane, lanes b[9]) {
    for (uint32_t half = 0; half < 2; half++) {
        const block_four four = *(const block_four *)(m + block_place(4 * half, lane));
        for (uint32_t k = 0; k < 4; k++)
            b[4 * half + k] = four[k];
    }
    b[8] = m[block_place(8, lane)];
}
#else
LANES_INLINE void block_store(float *m, uint32_t k, lanes v, uint32_t lane) { lanes_store(m + k * GROUP, v, lane); }
LANES_INLINE lanes block_number(const float *m, uint32_t k, uint32_t lane) { return lanes_load(m + k * GROUP, lane); }
LANES_INLINE void block_load(const float *m, uint32_t lane, lanes b[9]) {
    for (uint32_t k = 0; k < 9; k++)
        b[k] = block_number(m, k, lane);
}
#endif

/* Adds a block times x to sum, or its transpose. */
LANES_INLINE void block_times(const float *m, uint32_t lane, const lanes x[3], lanes sum[3]) {
#if LANES_SPLIT
    lanes b[9];
    block_load(m, lane, b);
    for (int k = 0; k < 9; k++)
        sum[k / 3] = LANES_FMA(b[k], x[k % 3], sum[k / 3]);
#else
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            sum[k] = LANES_FMA(lanes_load(m + (3 * k + l) * GROUP, lane), x[l], sum[k]);
#endif
}
LANES_INLINE void block_times_both(const float *m, uint32_t lane, const lanes x[3], lanes sum[3], const lanes own[3],
                                   lanes back[3]) {
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            const lanes v = lanes_load(m + (3 * k + l) * GROUP, lane);
            sum[k] = LANES_FMA(v, x[l], sum[k]);
            back[l] = LANES_FMA(v, own[k], back[l]);
        }
}
LANES_INLINE void take3(const float *u, uint32_t rows, uint32_t from, const uint32_t *gather, uint32_t lane,
                        lanes x[3]) {
    for (uint32_t k = 0; k < 3; k++)
        x[k] = lanes_take(u + (size_t)k * rows, from, gather, lane);
}

#if LANES_SPLIT
/* What comes back to a row from the one that a row of shape.back names, and what a slot that stands for its transpose,
 * too, does, whose column is given; `any`: there is one for this group. No branch within, so that loads of several
 * rounds are on their way. */
LANES_INLINE void mirror_times(const uint32_t *back, bool any, uint32_t slots, uint32_t rows, uint32_t own,
                               uint32_t lane, const float *matrix, const float *u, lanes others[3]) {
    uint32_t row, slot, from;
    const bool there = back_lane(back, slots, lane, &row, &slot, &from) && any;
    float next[3] = {others[0], others[1], others[2]};
    lanes b[9];
    block_load(matrix + (there ? (size_t)slot * 9 * GROUP : 0), there ? from : lane, b);
    row = there ? row : own;
    for (uint32_t i = 0; i < 3; i++) {
        const lanes v = u[(size_t)i * rows + row];
        for (uint32_t l = 0; l < 3; l++)
            next[l] = LANES_FMA(b[3 * i + l], v, next[l]);
    }
    for (int l = 0; l < 3; l++)
        others[l] = there ? next[l] : others[l];
}
LANES_INLINE void slot_times(uint32_t column, bool any, uint32_t slot, uint32_t rows, uint32_t own, uint32_t lane,
                             const float *matrix, const float *u, lanes sum[3]) {
    const uint32_t row = any ? column + lane : own;
    lanes x[3], next[3] = {sum[0], sum[1], sum[2]};
    for (uint32_t k = 0; k < 3; k++)
        x[k] = u[(size_t)k * rows + row];
    block_times(matrix + (any ? (size_t)slot * 9 * GROUP : 0), lane, x, next);
    for (int k = 0; k < 3; k++)
        sum[k] = any ? next[k] : sum[k];
}
#endif

/* A group's rows of the matrix times u: what the transposes of others' blocks bring, the farthest first, then its own
 * slots. On the host, whose groups come in order, each group adds to w of those behind what its blocks bring them.
 * Where groups are split among threads, each reads others' blocks. */
LANES_INLINE void product_group(const struct shape *s, uint32_t group, uint32_t lane, const float *matrix,
                                const float *u, float *w, lanes sum[3]) {
    const uint32_t rows = s->rows, first = s->slot_first[group];
    lanes own[3], x[3], others[3];
    take3(u, rows, group * GROUP, s->gather, lane, own);
    sum[0] = sum[1] = sum[2] = LANES_ALL(0.0f);
    block_times(matrix + (size_t)first * 9 * GROUP, lane, own, sum);
#if LANES_SPLIT
    (void)w;
    others[0] = others[1] = others[2] = 0;
    (void)x;
#pragma clang loop unroll_count(2)
    for (uint32_t k = s->back_first[group]; k < s->back_first[group + 1]; k++)
        mirror_times(s->back + 4 * (size_t)k, true, s->slots, rows, group * GROUP + lane, lane, matrix, u, others);
#pragma clang loop unroll_count(2)
    for (uint32_t slot = first + 1; slot < s->whole_first[group]; slot++)
        slot_times(s->column[slot], true, slot, rows, group * GROUP + lane, lane, matrix, u, sum);
#else
    for (uint32_t slot = first + 1; slot < s->whole_first[group]; slot++) {
        lanes back[3];
        take3(u, rows, s->column[slot], s->gather, lane, x);
        take3(w, rows, s->column[slot], s->gather, lane, back);
        block_times_both(matrix + (size_t)slot * 9 * GROUP, lane, x, sum, own, back);
        for (uint32_t k = 0; k < 3; k++)
            lanes_store(w + (size_t)k * rows + s->column[slot], back[k], lane);
    }
    take3(w, rows, group * GROUP, s->gather, lane, others);
#endif
    for (uint32_t slot = s->whole_first[group]; slot < s->slot_first[group + 1]; slot++) {
        take3(u, rows, s->column[slot], s->gather, lane, x);
        block_times(matrix + (size_t)slot * 9 * GROUP, lane, x, sum);
    }
    for (int k = 0; k < 3; k++)
        sum[k] = others[k] + sum[k];
}

/* Of a symmetric positive matrix: xx, xy, xz, yy, yz, zz. Over its trace, so that no product is out of range. */
LANES_INLINE void invert(const lanes given[6], lanes b[6]) {
    const lanes unit = 1.0f / (given[0] + given[3] + given[5]);
    lanes a[6];
    for (int k = 0; k < 6; k++)
        a[k] = given[k] * unit;
    const lanes c0 = a[3] * a[5] - a[4] * a[4], c1 = a[2] * a[4] - a[1] * a[5], c2 = a[1] * a[4] - a[2] * a[3];
    const lanes scale = unit / (a[0] * c0 + a[1] * c1 + a[2] * c2);
    b[0] = c0 * scale, b[1] = c1 * scale, b[2] = c2 * scale;
    b[3] = (a[0] * a[5] - a[2] * a[2]) * scale, b[4] = (a[1] * a[2] - a[0] * a[4]) * scale;
    b[5] = (a[0] * a[3] - a[1] * a[1]) * scale;
}

#endif
