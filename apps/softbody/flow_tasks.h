/* SPDX-License-Identifier: Apache-2.0 */
/* What a task does with parts, holds or sets. On a device all teams of a launch share them. */
#ifndef SOFTBODY_FLOW_TASKS_H
#define SOFTBODY_FLOW_TASKS_H

#include "flow.h"
#include "forms.h"
#include "layout.h"
#include "tasks.h"

#include "target.h"

#define EACH_TEAM(k, first, count)                                                                                     \
    for (uint32_t k = (first) + (uint32_t)omp_get_team_num(); k < (first) + (count); k += (uint32_t)omp_get_num_teams())

LANES_INLINE struct shape flow_shape_of(const struct flow *f, uint32_t number) {
    const struct flow_shape *at = &f->shape[number];
    struct shape s = {.nodes = at->nodes,
                      .rows = at->rows,
                      .elements = at->elements,
                      .slots = at->slots,
                      .entries = at->entries,
                      .gathers = at->gathers,
                      .backs = at->backs,
                      .volume = at->volume,
                      .edge = at->edge};
    layout_shape_numbers(&s, (uint32_t *)f->number + at->numbers);
    layout_shape_values(&s, (float *)f->value + at->values);
    return s;
}

/* Only those arrays of a body are there that the task has. */
LANES_INLINE struct body flow_body_of(const struct flow *f, const struct shape *shape, uint32_t number) {
    const struct flow_body *at = &f->body[number];
    const uint64_t vector = 3 * at->rows;
    const uint32_t rows = shape->rows;
    return (struct body){.shape = shape,
                         .material = at->material,
                         .number = number,
                         .x = f->x + vector,
                         .v = f->v + vector,
                         .u = f->u + vector,
                         .w = f->w + vector,
                         .free = (float *)f->free + at->rows,
                         .turn = f->turn + 4 * at->elements,
                         .grad = f->pull + 24 * at->elements,
                         .force = f->pull + 24 * at->elements + 12 * (size_t)shape->elements,
                         .matrix = f->matrix + at->slots * 9 * GROUP,
                         .inverse = f->inverse + 6 * at->rows,
                         .r = f->cg + 3 * vector,
                         .p = f->cg + 3 * vector + 3 * (size_t)rows,
                         .s = f->cg + 3 * vector + 6 * (size_t)rows};
}

#define FLOW_BODY(f, name, at)                                                                                         \
    const struct shape name##_shape = flow_shape_of(f, (f)->body[at].shape);                                           \
    struct body name = flow_body_of(f, &name##_shape, at)

/* A processor's product adds to the rows that come later, part by part; a device's threads have a row each. */
LANES_INLINE void flow_clear(const struct body *body, uint32_t part) {
    if (!LANES_SPLIT && !part)
        memset(body->w, 0, 3 * (size_t)body->shape->rows * sizeof *body->w);
}

LANES_INLINE void flow_elements_any(const struct settings *o, const struct flow *f, uint32_t first, uint32_t count) {
    EACH_TEAM(k, first, count) {
        FLOW_BODY(f, body, f->element_part[k].body);
        float total[SUMS] = {0};
        elements_part(o, &body, f->element_part[k].part, total);
        if (LANES_THREAD == 0)
            f->elastic[k] = total[SUM_ELASTIC];
    }
}

LANES_INLINE void flow_rows_any(const struct settings *o, const struct flow *f, uint32_t first, uint32_t count) {
    EACH_TEAM(k, first, count) {
        FLOW_BODY(f, body, f->row_part[k].body);
        float total[SUMS] = {0};
        rows_part(o, &body, f->row_part[k].part, total);
        for (int i = 0; LANES_THREAD == 0 && i < SUMS; i++)
            f->total[k][i] = total[i];
    }
}

/* The product with the velocities, and the blocks of the diagonal, to which contacts add. */
LANES_INLINE void flow_start_part(struct body *body, uint32_t part) {
    flow_clear(body, part);
    LANES_PART(part, body->shape->rows / GROUP) {
        lanes sum[3], d[6];
        product_group(body->shape, g, lane, body->matrix, body->v, body->w, sum);
        store3(body->w, body->shape->rows, g, lane, sum);
        diagonal_of(body, g, lane, d);
        for (uint32_t i = 0; i < 6; i++)
            lanes_store(body->inverse + ((size_t)g * 6 + i) * GROUP, d[i], lane);
    }
}
LANES_INLINE void flow_begin_part(struct body *body, uint32_t part) {
    LANES_PART(part, body->shape->rows / GROUP) {
        lanes sum[3], d[6];
        take3(body->w, body->shape->rows, g * GROUP, NULL, lane, sum);
        for (uint32_t i = 0; i < 6; i++)
            d[i] = lanes_load(body->inverse + ((size_t)g * 6 + i) * GROUP, lane);
        begin_group(body, g, lane, sum, d);
    }
}

LANES_INLINE void flow_start_any(const struct settings *o, const struct flow *f, uint32_t first, uint32_t count) {
    (void)o;
    EACH_TEAM(k, first, count) {
        FLOW_BODY(f, body, f->row_part[k].body);
        flow_start_part(&body, f->row_part[k].part);
    }
}

LANES_INLINE void flow_begin_any(const struct settings *o, const struct flow *f, uint32_t first, uint32_t count) {
    (void)o;
    EACH_TEAM(k, first, count) {
        FLOW_BODY(f, body, f->row_part[k].body);
        flow_begin_part(&body, f->row_part[k].part);
    }
}

LANES_INLINE void flow_product_any(const struct settings *o, const struct flow *f, uint32_t first, uint32_t count) {
    (void)o;
    EACH_TEAM(k, first, count) {
        FLOW_BODY(f, body, f->row_part[k].body);
        flow_clear(&body, f->row_part[k].part);
        LANES_PART(f->row_part[k].part, body.shape->rows / GROUP) {
            lanes sum[3];
            product_group(body.shape, g, lane, body.matrix, body.u, body.w, sum);
            store3(body.w, body.shape->rows, g, lane, sum);
        }
    }
}

LANES_INLINE void flow_dots_any(const struct settings *o, const struct flow *f, uint32_t first, uint32_t count) {
    (void)o;
    EACH_TEAM(k, first, count) {
        FLOW_BODY(f, body, f->row_part[k].body);
        struct lanes_sum gamma, delta, *const all[2] = {&gamma, &delta};
        float total[2] = {0, 0};
        lanes_clear(&gamma), lanes_clear(&delta);
        LANES_PART(f->row_part[k].part, body.shape->rows / GROUP) {
            lanes w[3];
            take3(body.w, body.shape->rows, g * GROUP, NULL, lane, w);
            add_dots(&body, g, lane, w, &gamma, &delta);
        }
        lanes_total(all, 2, total);
        if (LANES_THREAD == 0)
            f->dots[k][0] = total[0], f->dots[k][1] = total[1];
    }
}

LANES_INLINE void flow_advance_any(const struct settings *o, const struct flow *f, uint32_t first, uint32_t count) {
    (void)o;
    EACH_TEAM(k, first, count) {
        FLOW_BODY(f, body, f->row_part[k].body);
        const struct body_set set = f->set[f->set_of[f->row_part[k].body]];
        if (!set.done) {
            LANES_PART(f->row_part[k].part, body.shape->rows / GROUP)
            advance_group(&set, &body, g, lane);
        }
    }
}

RAY_INLINE void flow_dots_of(const struct flow *f, uint32_t number, float sum[2]) {
    const struct flow_body *body = &f->body[number];
    sum[0] = sum[1] = 0;
    for (uint32_t k = 0; k < body->row_parts; k++)
        sum[0] += f->dots[body->row_part + k][0], sum[1] += f->dots[body->row_part + k][1];
}

/* A body that nobody touches: its whole solution, by one team. */
LANES_INLINE void flow_alone_any(const struct settings *o, const struct flow *f, uint32_t first, uint32_t count) {
    EACH_TEAM(b, first, count) {
        FLOW_BODY(f, body, b);
        const struct flow_body *at = &f->body[b];
        struct body_set set = f->set[f->set_of[b]];
        for (uint32_t part = 0; part < at->row_parts; part++)
            flow_start_part(&body, part);
        LANES_MEET
        for (uint32_t part = 0; part < at->row_parts; part++)
            flow_begin_part(&body, part);
        LANES_MEET
        for (uint32_t i = 0; i < o->iterations && !set.done; i++) {
            float total[2] = {0, 0}, *const dots = f->dots[at->row_part];
            for (uint32_t part = 0; part < at->row_parts; part++) {
                struct lanes_sum gamma, delta, *const all[2] = {&gamma, &delta};
                lanes_clear(&gamma), lanes_clear(&delta);
                flow_clear(&body, part);
                LANES_PART(part, body.shape->rows / GROUP) {
                    lanes w[3];
                    product_group(body.shape, g, lane, body.matrix, body.u, body.w, w);
                    store3(body.w, body.shape->rows, g, lane, w);
                    add_dots(&body, g, lane, w, &gamma, &delta);
                }
                lanes_total(all, 2, total);
            }
            if (LANES_THREAD == 0)
                dots[0] = total[0], dots[1] = total[1];
            LANES_MEET
            next_step(o, dots[0], dots[1], &set); /* each thread for itself */
            LANES_MEET
            for (uint32_t part = 0; !set.done && part < at->row_parts; part++)
                LANES_PART(part, body.shape->rows / GROUP)
            advance_group(&set, &body, g, lane);
            LANES_MEET
        }
        if (LANES_THREAD == 0)
            f->set[f->set_of[b]] = set;
    }
}

/* Whether all velocities, and the places that they lead to, are numbers. */
LANES_INLINE void flow_inspect_any(const struct settings *o, const struct flow *f, uint32_t first, uint32_t count) {
    EACH_TEAM(k, first, count) {
        FLOW_BODY(f, body, f->row_part[k].body);
        const uint32_t rows = body.shape->rows, begin = f->row_part[k].part * TEAM;
        uint32_t bad = 0;
        for (uint32_t at = begin + LANES_THREAD; at < begin + TEAM && at < rows; at += LANES_THREADS)
            for (size_t a = at; a < 3 * (size_t)rows; a += rows)
                bad |= !(magnitude(body.x[a] + o->step * body.v[a]) < 0x1p100f);
        if (bad)
            f->bad[k] = 1; /* all that find one say the same */
    }
}

LANES_INLINE void flow_move_any(const struct settings *o, const struct flow *f, uint32_t first, uint32_t count) {
    EACH_TEAM(k, first, count) {
        FLOW_BODY(f, body, f->row_part[k].body);
        const uint32_t rows = body.shape->rows, begin = f->row_part[k].part * TEAM;
        for (uint32_t at = begin + LANES_THREAD; at < begin + TEAM && at < rows; at += LANES_THREADS)
            for (size_t a = at; a < 3 * (size_t)rows; a += rows)
                body.x[a] += o->step * body.v[a];
    }
}

#define FLOW_FORMS(name)                                                                                               \
    FORMS(name, (const struct settings *o, const struct flow *f, uint32_t first, uint32_t count), (o, f, first, count))
FLOW_FORMS(flow_elements)
FLOW_FORMS(flow_rows)
FLOW_FORMS(flow_start)
FLOW_FORMS(flow_begin)
FLOW_FORMS(flow_product)
FLOW_FORMS(flow_dots)
FLOW_FORMS(flow_advance)
FLOW_FORMS(flow_alone)
FLOW_FORMS(flow_inspect)
FLOW_FORMS(flow_move)

/* A thread a hold. */
RAY_INLINE void flow_contacts(const struct settings *o, const struct flow *f, uint32_t first, uint32_t count) {
    EACH_TEAM(part, 0, (count + LANES_THREADS - 1) / LANES_THREADS) {
        const uint32_t k = part * LANES_THREADS + LANES_THREAD;
        if (k < count) {
            struct flow_hold *at = &f->hold[first + k];
            FLOW_BODY(f, a, at->a);
            FLOW_BODY(f, b, at->b);
            const struct contact_terms terms = contact_terms(o, &a, &b, at->attached != 0);
            contact_hold(o, &terms, at->attached != 0, &a, &b, &at->hold);
        }
    }
}

/* A thread a row: what contacts add to its product, and in the beginning to its block of the diagonal. */
RAY_INLINE void flow_touches(const struct flow *f, uint32_t first, uint32_t count, bool beginning) {
    EACH_TEAM(part, 0, (count + LANES_THREADS - 1) / LANES_THREADS) {
        const uint32_t k = part * LANES_THREADS + LANES_THREAD;
        if (k < count) {
            const struct flow_row *row = &f->row[first + k];
            FLOW_BODY(f, own, row->body);
            for (uint32_t i = row->first; i < row->first + row->count; i++) {
                const uint32_t role = f->touch[i].role;
                const struct flow_hold *at = &f->hold[f->touch[i].hold];
                FLOW_BODY(f, a, at->a);
                FLOW_BODY(f, b, at->b);
                const struct vec3 t = hold_product(&at->hold, &a, &b, beginning);
                const float weight = role ? at->hold.weight[role - 1] : 1;
                add_to_row(own.w, own.shape->rows, row->row, role ? times(t, -weight) : t);
                if (beginning)
                    add_diagonal(&own, row->row, at->hold.matrix, role ? weight * weight : 1);
            }
        }
    }
}

/* A team a set: the sums of its members, in order. */
RAY_INLINE void flow_scalars(const struct settings *o, const struct flow *f, uint32_t first, uint32_t count) {
#if LANES_SPLIT
    static float shared_dots[2][TEAM];
#pragma omp allocate(shared_dots) allocator(omp_pteam_mem_alloc)
#else
    float shared_dots[2][1];
#endif
    EACH_TEAM(s, first, count) {
        struct body_set set = f->set[s];
        float gamma = 0, delta = 0;
        for (uint32_t at = 0; !set.done && at < set.count; at += LANES_THREADS) {
            const uint32_t own = at + LANES_THREAD;
            if (own < set.count) {
                float sum[2];
                flow_dots_of(f, f->member[set.first + own], sum);
                shared_dots[0][LANES_THREAD] = sum[0], shared_dots[1][LANES_THREAD] = sum[1];
            }
            LANES_MEET
            for (uint32_t k = 0; LANES_THREAD == 0 && k < LANES_THREADS && at + k < set.count; k++)
                gamma += shared_dots[0][k], delta += shared_dots[1][k];
            LANES_MEET
        }
        if (!set.done && LANES_THREAD == 0) {
            next_step(o, gamma, delta, &set);
            f->set[s] = set;
        }
        LANES_MEET
    }
}

/* ---- as tasks call them: const says what is only read -------------------------------------------------------------
 */
struct flow_range {
    uint32_t first, count;
};
#define FLOW_FIXED                                                                                                     \
    const struct settings *o, const struct flow_shape *shape, const struct flow_body *body, const uint32_t *number,    \
        const float *value
#define FLOW_FIXED_FIELDS .shape = shape, .body = body, .number = number, .value = value

RAY_INLINE void task_elements(FLOW_FIXED, const struct flow_part *part, struct flow_range parts, const float *x,
                              float *turn, float *pull, float *elastic) {
    const struct flow f = {FLOW_FIXED_FIELDS, .element_part = part, .x = (float *)x,
                           .turn = turn,      .pull = pull,         .elastic = elastic};
    flow_elements(o, &f, parts.first, parts.count);
}

RAY_INLINE void task_rows(FLOW_FIXED, const struct flow_part *part, struct flow_range parts, const float *x,
                          const float *v, const float *pull, float *matrix, float *cg, float (*total)[8]) {
    const struct flow f = {FLOW_FIXED_FIELDS,     .row_part = part, .x = (float *)x, .v = (float *)v,
                           .pull = (float *)pull, .matrix = matrix, .cg = cg,        .total = total};
    flow_rows(o, &f, parts.first, parts.count);
}

RAY_INLINE void task_start(FLOW_FIXED, const struct flow_part *part, struct flow_range parts, const float *matrix,
                           const float *v, float *w, float *inverse) {
    const struct flow f = {FLOW_FIXED_FIELDS, .row_part = part, .matrix = (float *)matrix,
                           .v = (float *)v,   .w = w,           .inverse = inverse};
    flow_start(o, &f, parts.first, parts.count);
}

RAY_INLINE void task_contacts(FLOW_FIXED, struct flow_range holds, const float *x, const float *v,
                              struct flow_hold *hold) {
    const struct flow f = {FLOW_FIXED_FIELDS, .x = (float *)x, .v = (float *)v, .hold = hold};
    flow_contacts(o, &f, holds.first, holds.count);
}

/* `from`: velocities in the beginning, then u. */
RAY_INLINE void task_touches(FLOW_FIXED, struct flow_range rows, const struct flow_row *row,
                             const struct flow_touch *touch, const struct flow_hold *hold, const float *from, float *w,
                             float *inverse) {
    const struct flow f = {FLOW_FIXED_FIELDS,  .row = row,         .touch = touch, .hold = (struct flow_hold *)hold,
                           .v = (float *)from, .u = (float *)from, .w = w,         .inverse = inverse};
    (void)o;
    flow_touches(&f, rows.first, rows.count, inverse != NULL);
}

RAY_INLINE void task_begin(FLOW_FIXED, const struct flow_part *part, struct flow_range parts, const float *held,
                           const float *w, float *inverse, float *cg, float *u) {
    const struct flow f = {FLOW_FIXED_FIELDS,  .row_part = part, .free = held, .w = (float *)w,
                           .inverse = inverse, .cg = cg,         .u = u};
    flow_begin(o, &f, parts.first, parts.count);
}

RAY_INLINE void task_product(FLOW_FIXED, const struct flow_part *part, struct flow_range parts, const float *matrix,
                             const float *u, float *w) {
    const struct flow f = {FLOW_FIXED_FIELDS, .row_part = part, .matrix = (float *)matrix, .u = (float *)u, .w = w};
    flow_product(o, &f, parts.first, parts.count);
}

RAY_INLINE void task_dots(FLOW_FIXED, const struct flow_part *part, struct flow_range parts, const float *cg,
                          const float *u, const float *w, float (*dots)[2]) {
    const struct flow f = {FLOW_FIXED_FIELDS, .row_part = part, .cg = (float *)cg,
                           .u = (float *)u,   .w = (float *)w,  .dots = dots};
    flow_dots(o, &f, parts.first, parts.count);
}

RAY_INLINE void task_scalars(const struct settings *o, const struct flow_body *body, struct flow_range sets,
                             const uint32_t *member, const float (*dots)[2], struct body_set *set) {
    const struct flow f = {.body = body, .member = member, .dots = (float(*)[2])dots, .set = set};
    flow_scalars(o, &f, sets.first, sets.count);
}

RAY_INLINE void task_advance(FLOW_FIXED, const struct flow_part *part, struct flow_range parts,
                             const struct body_set *set, const uint32_t *set_of, const float *inverse, const float *w,
                             float *cg, float *u, float *v) {
    const struct flow f = {FLOW_FIXED_FIELDS,
                           .row_part = part,
                           .set = (struct body_set *)set,
                           .set_of = set_of,
                           .inverse = (float *)inverse,
                           .w = (float *)w,
                           .cg = cg,
                           .u = u,
                           .v = v};
    flow_advance(o, &f, parts.first, parts.count);
}

RAY_INLINE void task_alone(FLOW_FIXED, struct flow_range bodies, const uint32_t *set_of, struct body_set *set,
                           const float *matrix, const float *held, float *inverse, float *w, float *cg, float *u,
                           float *v, float (*dots)[2]) {
    const struct flow f = {FLOW_FIXED_FIELDS,
                           .set = set,
                           .set_of = set_of,
                           .matrix = (float *)matrix,
                           .inverse = inverse,
                           .free = held,
                           .w = w,
                           .cg = cg,
                           .u = u,
                           .v = v,
                           .dots = dots};
    flow_alone(o, &f, bodies.first, bodies.count);
}

RAY_INLINE void task_inspect(FLOW_FIXED, const struct flow_part *part, struct flow_range parts, const float *x,
                             const float *v, uint32_t *bad) {
    const struct flow f = {FLOW_FIXED_FIELDS, .row_part = part, .x = (float *)x, .v = (float *)v, .bad = bad};
    flow_inspect(o, &f, parts.first, parts.count);
}

RAY_INLINE void task_move(FLOW_FIXED, const struct flow_part *part, struct flow_range parts, const uint32_t *go,
                          const float *v, float *x) {
    const struct flow f = {FLOW_FIXED_FIELDS, .row_part = part, .x = x, .v = (float *)v};
    if (*go)
        flow_move(o, &f, parts.first, parts.count);
}

#endif
