/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of a step: what one body, one pair or one set does. Each says what it reads and writes beside what is the
 * body's own. The equation of implicit Euler for the velocities at the step's end, with K the stiffness, M the masses,
 * S what holds contacts:
 *     ((1 + h a) M + h (h + b) K + S) v' = M v + h (f(x) + M g) + push
 * and the conjugate gradients of A. Chronopoulos and C. Gear (1989), whose two sums are one meeting of a set. */
#ifndef SOFTBODY_TASKS_H
#define SOFTBODY_TASKS_H

#include "kernels.h"

LANES_INLINE void plane_contacts(const struct settings *o, const struct body *body, uint32_t group, uint32_t lane,
                                 lanes diagonal[9], lanes push[3], lanes *energy) {
    const uint32_t rows = body->shape->rows;
    const float stiff = o->contact_stiffness * body->material.young * body->shape->edge, h = o->step;
    const lanes skin = lanes_load(body->shape->skin + (size_t)group * GROUP, lane);
    for (uint32_t k = 0; k < o->planes; k++) {
        lanes x[3], v[3];
        const float *n = o->plane[k];
        for (uint32_t a = 0; a < 3; a++) {
            x[a] = lanes_load(body->x + (size_t)a * rows + (size_t)group * GROUP, lane);
            v[a] = lanes_load(body->v + (size_t)a * rows + (size_t)group * GROUP, lane);
        }
        const lanes gap = x[0] * n[0] + x[1] * n[1] + x[2] * n[2] - (n[3] + o->thickness),
                    speed = v[0] * n[0] + v[1] * n[1] + v[2] * n[2], depth = LANES_MOST(-gap, LANES_ALL(0.0f)) * skin;
        const lanes s0 = v[0] - speed * n[0], s1 = v[1] - speed * n[1], s2 = v[2] - speed * n[2],
                    slide = LANES_ROOT(s0 * s0 + s1 * s1 + s2 * s2 + 1e-6f);
        const lanes drag = depth * (stiff * h * o->plane_friction) / slide,
                    along = LANES_CHOOSE(LANES_LESS(LANES_ALL(0.0f), depth),
                                         LANES_ALL(stiff * h * (h + body->material.stretch_damping)), LANES_ALL(0.0f)) -
                            drag;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                diagonal[3 * i + j] = diagonal[3 * i + j] + along * (n[i] * n[j]) + (i == j ? drag : drag * 0.0f);
            push[i] = push[i] + depth * (stiff * h * n[i]);
        }
        *energy = *energy + depth * depth * (0.5f * stiff);
    }
}

/* Sums of a body's state at the step's beginning. */
enum { SUM_ELASTIC, SUM_KINETIC, SUM_HEIGHT, SUM_CONTACT, SUM_MOMENTUM, SUMS = SUM_MOMENTUM + 3 };

/* Rotations, gradients and forces of a part of the elements; adds the energy to total[SUM_ELASTIC]. */
LANES_INLINE void elements_part(const struct settings *o, struct body *body, uint32_t part, float *total) {
    const struct shape *shape = body->shape;
    const struct material *m = &body->material;
    const float shear = m->young / (2 * (1 + m->poisson)), ratio = 2 * m->poisson / (1 - 2 * m->poisson);
    struct lanes_sum elastic, *const all[1] = {&elastic};
    lanes_clear(&elastic);
    LANES_PART(part, shape->elements / GROUP)
    lanes_add(&elastic, g,
              element_group(g, lane, shape->elements, shape->rows, shape->corner, shape->gather, shape->rest, body->x,
                            square_root(shear), ratio, o->turns, body->turn, body->grad, body->force));
    lanes_total(all, 1, total + SUM_ELASTIC);
}

/* A group's blocks but for what masses add to the diagonal, and the forces of its springs. Returns their energy. */
LANES_INLINE lanes spring_rows(const struct body *body, uint32_t g, uint32_t lane, float scale, lanes diagonal[9],
                               lanes force[3]) {
    const struct shape *shape = body->shape;
    const float young = body->material.young;
    const uint32_t first = shape->slot_first[g];
    lanes block[9], pull[3], energy = LANES_ALL(0.0f);
    for (uint32_t b = shape->back_first[g]; b < shape->back_first[g + 1]; b++) {
        energy = energy + spring_back(shape->back + 4 * (size_t)b, shape->slots, g, lane, shape->rows, shape->spring,
                                      body->x, young, scale, block, pull);
        for (int k = 0; k < 9; k++)
            diagonal[k] = diagonal[k] - block[k];
        for (int k = 0; k < 3; k++)
            force[k] = force[k] + pull[k];
    }
    for (uint32_t slot = first + 1; slot < shape->slot_first[g + 1]; slot++) {
        energy = energy + spring_slot(slot, g, lane, shape->rows, shape->column, shape->gather, shape->spring, body->x,
                                      young, scale, block, pull);
        for (int k = 0; k < 9; k++) {
            block_store(body->matrix + (size_t)slot * 9 * GROUP, (uint32_t)k, block[k], lane);
            diagonal[k] = diagonal[k] - block[k];
        }
        for (int k = 0; k < 3; k++)
            force[k] = force[k] + pull[k];
    }
    return energy;
}

LANES_INLINE void element_rows(const struct body *body, uint32_t g, uint32_t lane, float scale, lanes diagonal[9],
                               lanes force[3]) {
    const struct shape *shape = body->shape;
    const struct material *m = &body->material;
    const float ratio = 2 * m->poisson / (1 - 2 * m->poisson);
    const uint32_t first = shape->slot_first[g];
    lanes block[9];
    for (uint32_t slot = first; slot < shape->slot_first[g + 1]; slot++) {
        element_blocks(slot, lane, shape->entry_first, shape->entry, shape->gather, body->grad, shape->elements, ratio,
                       scale, slot == first ? diagonal : block);
        for (int k = 0; slot > first && k < 9; k++)
            block_store(body->matrix + (size_t)slot * 9 * GROUP, (uint32_t)k, block[k], lane);
    }
    element_forces(g, lane, shape->slot_first, shape->entry_first, shape->entry, shape->gather, body->force,
                   shape->elements, force);
}

/* The matrix and the right side of a part of the rows, without pairs; adds to total[SUMS]. */
LANES_INLINE void rows_part(const struct settings *o, struct body *body, uint32_t part, float *total) {
    const struct shape *shape = body->shape;
    const struct material *m = &body->material;
    const uint32_t rows = shape->rows;
    const float h = o->step, scale = h * (h + m->stretch_damping);
    struct lanes_sum sum[SUMS], *all[SUMS];
    for (int k = 0; k < SUMS; k++) {
        all[k] = &sum[k];
        lanes_clear(all[k]);
    }
    LANES_PART(part, rows / GROUP) {
        lanes diagonal[9], force[3], pull[3];
        for (int k = 0; k < 9; k++)
            diagonal[k] = LANES_ALL(0.0f);
        for (int k = 0; k < 3; k++)
            force[k] = LANES_ALL(0.0f);
        if (m->springs)
            lanes_add(&sum[SUM_ELASTIC], g, spring_rows(body, g, lane, scale, diagonal, force));
        else
            element_rows(body, g, lane, scale, diagonal, force);
        const lanes mass = lanes_load(shape->mass + (size_t)g * GROUP, lane) * m->density;
        for (uint32_t k = 0; k < 3; k++) {
            const size_t at = (size_t)k * rows + (size_t)g * GROUP;
            const lanes v = lanes_load(body->v + at, lane);
            diagonal[4 * k] = diagonal[4 * k] + mass * (1 + h * m->mass_damping);
            pull[k] = mass * v + h * (force[k] + mass * o->gravity[k]);
            lanes_add(&sum[SUM_KINETIC], g, 0.5f * mass * v * v);
            lanes_add(&sum[SUM_HEIGHT], g, -mass * o->gravity[k] * lanes_load(body->x + at, lane));
            lanes_add(&sum[SUM_MOMENTUM + k], g, mass * v);
        }
        lanes touched = LANES_ALL(0.0f);
        plane_contacts(o, body, g, lane, diagonal, pull, &touched);
        lanes_add(&sum[SUM_CONTACT], g, touched);
        for (int k = 0; k < 9; k++)
            block_store(body->matrix + (size_t)shape->slot_first[g] * 9 * GROUP, (uint32_t)k, diagonal[k], lane);
        for (uint32_t k = 0; k < 3; k++)
            lanes_store(body->r + (size_t)k * rows + (size_t)g * GROUP, pull[k], lane);
    }
    lanes_total(all, SUMS, total);
}

RAY_INLINE void set_sums(struct body_sums *sums, const float total[SUMS]) {
    sums->elastic = total[SUM_ELASTIC], sums->kinetic = total[SUM_KINETIC], sums->height = total[SUM_HEIGHT];
    sums->contact = total[SUM_CONTACT];
    for (int k = 0; k < 3; k++)
        sums->momentum[k] = total[SUM_MOMENTUM + k];
}

LANES_INLINE void assemble_any(const struct settings *o, struct body *body) {
    float total[SUMS] = {0};
    for (uint32_t part = 0; !body->material.springs && part < parts_of(body->shape->elements); part++)
        elements_part(o, body, part, total);
    for (uint32_t part = 0; part < parts_of(body->shape->rows); part++)
        rows_part(o, body, part, total);
    set_sums(body->sums, total);
}

RAY_INLINE struct vec3 row_of(const float *a, uint32_t rows, uint32_t row) {
    return vec(a[row], a[rows + row], a[2 * (size_t)rows + row]);
}
RAY_INLINE void add_to_row(float *a, uint32_t rows, uint32_t row, struct vec3 b) {
    a[row] += b.x, a[rows + row] += b.y, a[2 * (size_t)rows + row] += b.z;
}
/* The vertex less what holds it. */
RAY_INLINE struct vec3 hold_difference(const struct hold *hold, const float *a, uint32_t a_rows, const float *b,
                                       uint32_t b_rows) {
    struct vec3 d = row_of(a, a_rows, hold->vertex);
    for (int c = 0; c < 3; c++)
        d = minus(d, times(row_of(b, b_rows, hold->corner[c]), hold->weight[c]));
    return d;
}
RAY_INLINE struct vec3 symmetric_times(const float m[6], struct vec3 d) {
    return vec(m[0] * d.x + m[1] * d.y + m[2] * d.z, m[1] * d.x + m[3] * d.y + m[4] * d.z,
               m[2] * d.x + m[4] * d.y + m[5] * d.z);
}

/* What both bodies' materials make of a contact. */
struct contact_terms {
    float stiff, along, friction;
};
RAY_INLINE struct contact_terms contact_terms(const struct settings *o, const struct body *a, const struct body *b,
                                              bool attached) {
    const float damping = most(a->material.stretch_damping, b->material.stretch_damping),
                stiff = (attached ? 2 : o->contact_stiffness) * least(a->material.young, b->material.young) *
                        least(a->shape->edge, b->shape->edge);
    return (struct contact_terms){.stiff = stiff,
                                  .along = stiff * o->step * (o->step + damping),
                                  .friction = square_root(a->material.friction * b->material.friction)};
}

/* Reads places and velocities of both bodies, the vertex' one first; writes what the hold does in this step. */
RAY_INLINE void contact_hold(const struct settings *o, const struct contact_terms *terms, bool attached,
                             const struct body *a, const struct body *b, struct hold *hold) {
    const float stiff = terms->stiff, along = terms->along, h = o->step;
    float across = along;
    if (attached) {
        const struct vec3 d = hold_difference(hold, a->x, a->shape->rows, b->x, b->shape->rows),
                          push = times(d, -h * stiff);
        hold->push[0] = push.x, hold->push[1] = push.y, hold->push[2] = push.z;
        hold->energy = 0.5f * stiff * dot(d, d);
    } else {
        const struct vec3 n = vec(hold->normal[0], hold->normal[1], hold->normal[2]),
                          v = hold_difference(hold, a->v, a->shape->rows, b->v, b->shape->rows),
                          s = minus(v, times(n, dot(v, n)));
        across = -hold->gap * stiff * h * terms->friction / square_root(dot(s, s) + 1e-6f);
        for (int i = 0; i < 3; i++)
            hold->push[i] = -hold->gap * stiff * h * hold->normal[i];
        hold->energy = 0.5f * stiff * hold->gap * hold->gap;
    }
    const float *n = hold->normal, more = along - across;
    hold->matrix[0] = across + more * n[0] * n[0], hold->matrix[1] = more * n[0] * n[1];
    hold->matrix[2] = more * n[0] * n[2], hold->matrix[3] = across + more * n[1] * n[1];
    hold->matrix[4] = more * n[1] * n[2], hold->matrix[5] = across + more * n[2] * n[2];
}

RAY_INLINE void contact_any(const struct settings *o, const struct body *bodies, struct pair *pair) {
    const struct body *both[2] = {&bodies[pair->body[0]], &bodies[pair->body[1]]};
    const struct contact_terms terms = contact_terms(o, both[0], both[1], pair->attached);
    for (uint32_t k = LANES_THREAD; k < pair->count; k += LANES_THREADS) {
        struct hold *hold = &pair->hold[k];
        contact_hold(o, &terms, pair->attached, both[hold->side], both[1 - hold->side], hold);
    }
    LANES_MEET
    if (LANES_THREAD == 0) {
        pair->contact = 0;
        for (uint32_t k = 0; k < pair->count; k++)
            pair->contact += pair->hold[k].energy;
    }
}

/* What a hold does to rows of both bodies, the vertex' sign. */
RAY_INLINE struct vec3 hold_product(const struct hold *hold, const struct body *a, const struct body *b, bool first) {
    const struct vec3 t = symmetric_times(
        hold->matrix, hold_difference(hold, first ? a->v : a->u, a->shape->rows, first ? b->v : b->u, b->shape->rows));
    return first ? minus(t, vec(hold->push[0], hold->push[1], hold->push[2])) : t;
}

/* Adds what the body's contacts make of `u` of both (of velocities where `first`) to w. */
RAY_INLINE void hold_products(const struct body *bodies, const struct pair *pairs, const struct body *body,
                              bool first) {
    for (uint32_t m = 0; m < body->meets_count; m++) {
        const struct pair *pair = &pairs[body->meets[m]];
        for (uint32_t k = 0; k < pair->count; k++) {
            const struct hold *hold = &pair->hold[k];
            const struct body *a = &bodies[pair->body[hold->side]], *b = &bodies[pair->body[1 - hold->side]];
            const struct vec3 t = hold_product(hold, a, b, first);
            if (a == body)
                add_to_row(body->w, a->shape->rows, hold->vertex, t);
            for (int c = 0; b == body && c < 3; c++)
                add_to_row(body->w, b->shape->rows, hold->corner[c], times(t, -hold->weight[c]));
        }
    }
}

RAY_INLINE void add_diagonal(struct body *body, uint32_t row, const float m[6], float scale) {
    float *at = body->inverse + (size_t)(row / GROUP) * 6 * GROUP + row % GROUP;
    for (int k = 0; k < 6; k++)
        at[k * GROUP] += m[k] * scale;
}

/* u = the inverted block of the diagonal times r. */
LANES_INLINE void precondition_row(const lanes d[6], const lanes r[3], lanes u[3]) {
    const lanes row0[3] = {d[0], d[1], d[2]}, row1[3] = {d[1], d[3], d[4]}, row2[3] = {d[2], d[4], d[5]};
    u[0] = dot3(row0, r), u[1] = dot3(row1, r), u[2] = dot3(row2, r);
}
LANES_INLINE void store3(float *to, uint32_t rows, uint32_t g, uint32_t lane, const lanes v[3]) {
    for (uint32_t k = 0; k < 3; k++)
        lanes_store(to + (size_t)k * rows + (size_t)g * GROUP, v[k], lane);
}
LANES_INLINE void load_inverse(const struct body *body, uint32_t group, uint32_t lane, lanes d[6]) {
    for (uint32_t k = 0; k < 6; k++)
        d[k] = lanes_load(body->inverse + ((size_t)group * 6 + k) * GROUP, lane);
}
LANES_INLINE void precondition(const struct body *body, uint32_t group, uint32_t lane, const lanes r[3]) {
    lanes d[6], u[3];
    load_inverse(body, group, lane, d);
    precondition_row(d, r, u);
    store3(body->u, body->shape->rows, group, lane, u);
}

/* What holds the body, on the diagonal. */
RAY_INLINE void add_diagonals(const struct pair *pairs, struct body *body) {
    for (uint32_t m = 0; m < body->meets_count; m++) {
        const struct pair *pair = &pairs[body->meets[m]];
        for (uint32_t k = 0; k < pair->count; k++) {
            const struct hold *hold = &pair->hold[k];
            if (pair->body[hold->side] == body->number)
                add_diagonal(body, hold->vertex, hold->matrix, 1);
            for (int c = 0; pair->body[1 - hold->side] == body->number && c < 3; c++)
                add_diagonal(body, hold->corner[c], hold->matrix, hold->weight[c] * hold->weight[c]);
        }
    }
}

/* The first residual, r less w, and the preconditioner, from the diagonal's blocks. */
LANES_INLINE void begin_row(struct body *body, uint32_t g, uint32_t lane, const lanes w[3], const lanes d[6],
                            lanes inverse[6], lanes r[3]) {
    const lanes_mask held = LANES_LESS(lanes_load(body->free + (size_t)g * GROUP, lane), 0.5f);
    invert(d, inverse);
    for (uint32_t k = 0; k < 6; k++) {
        inverse[k] = LANES_CHOOSE(held, LANES_ALL(0.0f), inverse[k]);
        lanes_store(body->inverse + ((size_t)g * 6 + k) * GROUP, inverse[k], lane);
    }
    for (uint32_t k = 0; k < 3; k++)
        r[k] = LANES_CHOOSE(held, LANES_ALL(0.0f),
                            lanes_load(body->r + (size_t)k * body->shape->rows + (size_t)g * GROUP, lane) - w[k]);
}
LANES_INLINE void begin_group(struct body *body, uint32_t g, uint32_t lane, const lanes w[3], const lanes d[6]) {
    const uint32_t rows = body->shape->rows;
    const lanes none[3] = {LANES_ALL(0.0f), LANES_ALL(0.0f), LANES_ALL(0.0f)};
    lanes inverse[6], r[3], u[3];
    begin_row(body, g, lane, w, d, inverse, r);
    store3(body->r, rows, g, lane, r);
    store3(body->p, rows, g, lane, none);
    store3(body->s, rows, g, lane, none);
    precondition_row(inverse, r, u);
    store3(body->u, rows, g, lane, u);
}

LANES_INLINE void diagonal_of(const struct body *body, uint32_t g, uint32_t lane, lanes d[6]) {
    static const uint32_t place[6] = {0, 1, 2, 4, 5, 8};
    for (uint32_t k = 0; k < 6; k++)
        d[k] = block_number(body->matrix + (size_t)body->shape->slot_first[g] * 9 * GROUP, place[k], lane);
}

/* A row's part of both sums. */
LANES_INLINE void add_dots(const struct body *body, uint32_t g, uint32_t lane, const lanes w[3],
                           struct lanes_sum *gamma, struct lanes_sum *delta) {
    lanes r[3], u[3];
    take3(body->r, body->shape->rows, g * GROUP, NULL, lane, r);
    take3(body->u, body->shape->rows, g * GROUP, NULL, lane, u);
    lanes_add(gamma, g, dot3(r, u));
    lanes_add(delta, g, dot3(w, u));
}

/* The next ones take a whole body, its groups in order, as only the host does.
 * Reads the contacts of its pairs and the velocities of its neighbours. */
LANES_INLINE void begin_any(const struct body *bodies, const struct pair *pairs, struct body *body) {
    const uint32_t rows = body->shape->rows, groups = rows / GROUP;
    memset(body->w, 0, 3 * (size_t)rows * sizeof *body->w);
    for (uint32_t g = 0; g < groups; g++) {
        lanes w[3], d[6];
        product_group(body->shape, g, 0, body->matrix, body->v, body->w, w);
        store3(body->w, rows, g, 0, w);
        diagonal_of(body, g, 0, d);
        for (uint32_t k = 0; k < 6; k++)
            lanes_store(body->inverse + ((size_t)g * 6 + k) * GROUP, d[k], 0);
    }
    hold_products(bodies, pairs, body, true);
    add_diagonals(pairs, body);
    for (uint32_t g = 0; g < groups; g++) {
        lanes w[3], d[6];
        take3(body->w, rows, g * GROUP, NULL, 0, w);
        for (uint32_t k = 0; k < 6; k++)
            d[k] = lanes_load(body->inverse + ((size_t)g * 6 + k) * GROUP, 0);
        begin_group(body, g, 0, w, d);
    }
}

/* w = A u and this body's part of both sums. Reads u of its neighbours and the contacts. */
LANES_INLINE void product_any(const struct body *bodies, const struct pair *pairs, struct body *body) {
    const uint32_t rows = body->shape->rows;
    float total[2] = {0, 0};
    memset(body->w, 0, 3 * (size_t)rows * sizeof *body->w);
    for (uint32_t again = 0; again <= (body->meets_count ? 1u : 0u); again++) {
        if (again)
            hold_products(bodies, pairs, body, false);
        for (uint32_t part = 0; part < parts_of(rows); part++) {
            struct lanes_sum gamma, delta, *const all[2] = {&gamma, &delta};
            lanes_clear(&gamma), lanes_clear(&delta);
            LANES_PART(part, rows / GROUP) {
                lanes w[3];
                if (again)
                    take3(body->w, rows, g * GROUP, NULL, lane, w);
                else {
                    product_group(body->shape, g, lane, body->matrix, body->u, body->w, w);
                    store3(body->w, rows, g, lane, w);
                }
                if (again || !body->meets_count)
                    add_dots(body, g, lane, w, &gamma, &delta);
            }
            if (again || !body->meets_count)
                lanes_total(all, 2, total);
        }
    }
    body->sums->gamma = total[0], body->sums->delta = total[1];
}

/* The set's step from both sums of its members. */
RAY_INLINE void next_step(const struct settings *o, float gamma, float delta, struct body_set *set) {
    if (!set->iterations)
        set->start = gamma;
    const float beta = set->iterations ? gamma / set->gamma : 0,
                below = set->iterations ? delta - beta * gamma / set->alpha : delta;
    /* not "below > 0": a NaN goes on, to be found and named */
    if (gamma <= o->tolerance * o->tolerance * set->start || gamma < 1e-30f || below <= 0) {
        set->done = 1;
        return;
    }
    set->alpha = gamma / below;
    set->beta = beta;
    set->gamma = gamma;
    set->iterations++;
}

/* Reads both sums of all members; writes the set's step. */
RAY_INLINE void scalars_any(const struct settings *o, const struct body_sums *sums, const uint32_t *member,
                            struct body_set *set) {
    float gamma = 0, delta = 0;
    if (set->done)
        return;
    for (uint32_t k = 0; k < set->count; k++) {
        gamma += sums[member[set->first + k]].gamma;
        delta += sums[member[set->first + k]].delta;
    }
    next_step(o, gamma, delta, set);
}

LANES_INLINE void advance_group(const struct body_set *set, struct body *body, uint32_t g, uint32_t lane) {
    const lanes alpha = LANES_ALL(set->alpha), beta = LANES_ALL(set->beta);
    lanes r[3];
    for (uint32_t k = 0; k < 3; k++) {
        const size_t at = (size_t)k * body->shape->rows + (size_t)g * GROUP;
        const lanes p = LANES_FMA(lanes_load(body->p + at, lane), beta, lanes_load(body->u + at, lane)),
                    s = LANES_FMA(lanes_load(body->s + at, lane), beta, lanes_load(body->w + at, lane));
        r[k] = LANES_FMA(-s, alpha, lanes_load(body->r + at, lane));
        lanes_store(body->p + at, p, lane);
        lanes_store(body->s + at, s, lane);
        lanes_store(body->v + at, LANES_FMA(p, alpha, lanes_load(body->v + at, lane)), lane);
        lanes_store(body->r + at, r[k], lane);
    }
    precondition(body, g, lane, r);
}

/* Reads the set's step. */
LANES_INLINE void advance_any(const struct body_set *set, struct body *body) {
    for (uint32_t g = 0; !set->done && g < body->shape->rows / GROUP; g++)
        advance_group(set, body, g, 0);
}

/* A body that nobody holds needs no meeting of others. */
LANES_INLINE void alone_any(const struct settings *o, const struct body *bodies, const struct pair *pairs,
                            const uint32_t *member, const struct body_sums *sums, struct body_set *set,
                            struct body *body) {
    begin_any(bodies, pairs, body);
    for (uint32_t k = 0; k < o->iterations && !set->done; k++) {
        product_any(bodies, pairs, body);
        scalars_any(o, sums, member, set);
        advance_any(set, body);
    }
}

/* Whether all velocities, and the places that they lead to, are numbers. */
LANES_INLINE void inspect_any(const struct settings *o, struct body *body) {
    const uint32_t count = 3 * body->shape->rows;
    uint32_t bad = 0;
    for (uint32_t k = 0; k < count; k++)
        bad |= !(magnitude(body->x[k] + o->step * body->v[k]) < 0x1p100f);
    body->sums->bad = bad;
}

LANES_INLINE void move_any(const struct settings *o, struct body *body) {
    const uint32_t count = 3 * body->shape->rows;
    for (uint32_t k = 0; k < count; k++)
        body->x[k] += o->step * body->v[k];
}

#endif
