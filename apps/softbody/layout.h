/* SPDX-License-Identifier: Apache-2.0 */
/* All that a body's tasks touch lies in three blocks: numbers and values of its shape, which nobody writes, and values
 * of its own. So a task maps blocks, and whoever has a copy of them places the pointers of a struct shape and a struct
 * body of its own. Every array begins at a whole group. */
#ifndef SOFTBODY_LAYOUT_H
#define SOFTBODY_LAYOUT_H

#include "lanes.h"
#include "softbody.h"

LANES_INLINE size_t layout_take(size_t *at, size_t count) {
    const size_t begin = *at;
    *at += (count + GROUP - 1) / GROUP * GROUP;
    return begin;
}

/* Returns how many there are; numbers NULL: only that. */
LANES_INLINE size_t layout_shape_numbers(struct shape *s, uint32_t *numbers) {
    const size_t groups = s->rows / GROUP;
    const size_t counts[9] = {groups + 1,
                              groups,
                              groups + 1,
                              (size_t)s->backs * 4,
                              s->slots,
                              (size_t)s->slots + 1,
                              2 * (size_t)s->entries,
                              s->elements / GROUP * (size_t)4,
                              (size_t)s->gathers * GROUP};
    uint32_t **arrays[9] = {&s->slot_first,  &s->whole_first, &s->back_first, &s->back,  &s->column,
                            &s->entry_first, &s->entry,       &s->corner,     &s->gather};
    size_t size = 0;
    for (int k = 0; k < 9; k++) {
        const size_t at = layout_take(&size, counts[k]);
        if (numbers)
            *arrays[k] = numbers + at;
    }
    return size;
}

LANES_INLINE size_t layout_shape_values(struct shape *s, float *values) {
    const size_t counts[4] = {(size_t)s->elements * 10, ((size_t)s->slots + 1) * 2 * GROUP, s->rows, s->rows};
    float **arrays[4] = {&s->rest, &s->spring, &s->mass, &s->skin};
    size_t size = 0;
    for (int k = 0; k < 4; k++) {
        const size_t at = layout_take(&size, counts[k]);
        if (values)
            *arrays[k] = values + at;
    }
    return size;
}

/* What others read comes first: x, v, u. */
LANES_INLINE size_t layout_body(struct body *b, const struct shape *s, float *values) {
    const size_t vector = 3 * (size_t)s->rows, elements = b->material.springs ? 0 : s->elements;
    const size_t counts[13] = {vector,
                               vector,
                               vector,
                               s->rows,
                               4 * elements,
                               12 * elements,
                               12 * elements,
                               2 * vector,
                               vector,
                               vector,
                               vector,
                               vector,
                               (size_t)s->slots * 9 * GROUP};
    float **arrays[13] = {&b->x,       &b->v, &b->u, &b->free, &b->turn, &b->grad,  &b->force,
                          &b->inverse, &b->r, &b->p, &b->s,    &b->w,    &b->matrix};
    size_t size = 0;
    for (int k = 0; k < 13; k++) {
        const size_t at = layout_take(&size, counts[k]);
        if (values)
            *arrays[k] = values + at;
    }
    return size;
}

#endif
