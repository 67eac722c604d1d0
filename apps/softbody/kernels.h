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
            c->m[i][j] = a->m[0][i] * b->m[0][j] + a->m[1][i] * b->m[1][j] + a->m[2][i] * b->m[2][j];
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
    const lanes c00 = h1 * h2 - s12 * s12, c01 = s02 * s12 - s01 * h2, c02 = s01 * s12 - s02 * h1,
                c11 = h0 * h2 - s02 * s02, c12 = s01 * s02 - h0 * s12, c22 = h0 * h1 - s01 * s01;
    const lanes half = 0.5f / (h0 * c00 + s01 * c01 + s02 * c02);
    lanes x = (c00 * a0 + c01 * a1 + c02 * a2) * half, y = (c01 * a0 + c11 * a1 + c12 * a2) * half,
          z = (c02 * a0 + c12 * a1 + c22 * a2) * half;
    const lanes square = x * x + y * y + z * z, limit = 1.0f / LANES_ROOT(LANES_MOST(square, LANES_ALL(1.0f)));
    x = x * limit, y = y * limit, z = z * limit;
    const lanes n0 = q[0] + q[3] * x + q[1] * z - q[2] * y, n1 = q[1] + q[3] * y + q[2] * x - q[0] * z,
                n2 = q[2] + q[3] * z + q[0] * y - q[1] * x, n3 = q[3] - q[0] * x - q[1] * y - q[2] * z;
    const lanes unit = 1.0f / LANES_ROOT(n0 * n0 + n1 * n1 + n2 * n2 + n3 * n3);
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
            f.m[k][l] = (place[1][k] - place[0][k]) * g.m[0][l] + (place[2][k] - place[0][k]) * g.m[1][l] +
                        (place[3][k] - place[0][k]) * g.m[2][l];
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
        const lanes t0 = -root * (s0 * g0 + s01 * g1 + s02 * g2), t1 = -root * (s01 * g0 + s1 * g1 + s12 * g2),
                    t2 = -root * (s02 * g0 + s12 * g1 + s2 * g2);
        for (int k = 0; k < 3; k++) {
            const lanes turned = r.m[k][0] * g0 + r.m[k][1] * g1 + r.m[k][2] * g2,
                        pull = r.m[k][0] * t0 + r.m[k][1] * t1 + r.m[k][2] * t2;
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
    for (uint32_t e = entry_first[slot]; e < entry_first[slot + 1]; e++) {
        lanes a[3], b[3];
        for (uint32_t k = 0; k < 3; k++) {
            a[k] = lanes_take(grad + k * plane, entry[2 * e], gather, lane);
            b[k] = lanes_take(grad + k * plane, entry[2 * e + 1], gather, lane);
        }
        for (int k = 0; k < 9; k++)
            sum[k] = sum[k] + a[k / 3] * b[k % 3];
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
    for (uint32_t e = entry_first[slot]; e < entry_first[slot + 1]; e++)
        for (uint32_t k = 0; k < 3; k++)
            sum[k] = sum[k] + lanes_take(force + (size_t)k * 4 * elements, entry[2 * e], gather, lane);
}

/* Springs from a group of rows to the columns of a slot: blocks off the diagonal and the pull on the rows. Along a
 * spring its stiffness, across it what tension adds; what pressure takes away is left out, so that the matrix stays
 * definite. */
LANES_INLINE lanes spring_blocks(uint32_t slot, uint32_t group, uint32_t lane, uint32_t rows, const uint32_t *column,
                                 const uint32_t *gather, const float *spring, const float *x, float young, float scale,
                                 lanes block[9], lanes pull[3]) {
    lanes d[3];
    for (uint32_t k = 0; k < 3; k++)
        d[k] = lanes_take(x + (size_t)k * rows, column[slot], gather, lane) -
               lanes_load(x + (size_t)k * rows + (size_t)group * GROUP, lane);
    const lanes rest = lanes_load(spring + (size_t)slot * 2 * GROUP, lane),
                stiff = lanes_load(spring + ((size_t)slot * 2 + 1) * GROUP, lane) * young;
    const lanes length = LANES_ROOT(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-24f), inverse = 1.0f / length;
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

/* A group's rows of the matrix times u. */
LANES_INLINE void product_group(uint32_t group, uint32_t lane, uint32_t rows, const uint32_t *slot_first,
                                const uint32_t *column, const uint32_t *gather, const float *matrix, const float *u,
                                lanes sum[3]) {
    lanes s0 = LANES_ALL(0.0f), s1 = s0, s2 = s0;
    for (uint32_t slot = slot_first[group]; slot < slot_first[group + 1]; slot++) {
        const float *m = matrix + (size_t)slot * 9 * GROUP;
        const lanes x = lanes_take(u, column[slot], gather, lane), y = lanes_take(u + rows, column[slot], gather, lane),
                    z = lanes_take(u + 2 * (size_t)rows, column[slot], gather, lane);
        s0 = s0 + lanes_load(m, lane) * x + lanes_load(m + GROUP, lane) * y + lanes_load(m + 2 * GROUP, lane) * z;
        s1 = s1 + lanes_load(m + 3 * GROUP, lane) * x + lanes_load(m + 4 * GROUP, lane) * y +
             lanes_load(m + 5 * GROUP, lane) * z;
        s2 = s2 + lanes_load(m + 6 * GROUP, lane) * x + lanes_load(m + 7 * GROUP, lane) * y +
             lanes_load(m + 8 * GROUP, lane) * z;
    }
    sum[0] = s0, sum[1] = s1, sum[2] = s2;
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
