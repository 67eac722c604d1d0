/* SPDX-License-Identifier: Apache-2.0 */
/* A block of the matrix and the one across the diagonal are each other's transposes. Where neighbours behind a group
 * lie at one distance, a slot holds both. */
#include "builder.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

static int compare_falling(const void *x, const void *y) {
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a > b ? -1 : a < b;
}

static size_t mirrors_of(struct builder *b, uint32_t group, size_t count, size_t *room) {
    int64_t(*list)[2], usual = 0;
    const size_t first = count, all = builder_neighbours(b, group, &list);
    size_t left = 0;
    for (size_t k = 0; k < all; k++)
        if (list[k][1] > (int64_t)group * GROUP + list[k][0])
            memmove(list[left++], list[k], sizeof *list);
    while (builder_usual(b, list, left, &usual) >= RUN_LEAST) {
        size_t rest = 0;
        for (size_t k = 0; k < left; k++)
            if (list[k][1] - list[k][0] != usual)
                memmove(list[rest++], list[k], sizeof *list);
        left = rest;
        if (count == *room) {
            *room = *room ? 2 * *room : 256;
            b->mirror = app_resize(b->mirror, *room, sizeof *b->mirror);
        }
        b->mirror[count++] = (uint32_t)usual;
    }
    free(list);
    if (count > first)
        qsort(b->mirror + first, count - first, sizeof *b->mirror, compare_falling);
    return count;
}

void builder_mirrors(struct builder *b) {
    const uint32_t groups = b->shape->rows / GROUP;
    size_t count = 0, room = 0;
    b->mirror_first = app_alloc(groups + 1, sizeof *b->mirror_first);
    for (uint32_t g = 0; g < groups; g++) {
        b->mirror_first[g] = (uint32_t)count;
        count = mirrors_of(b, g, count, &room);
    }
    b->mirror_first[groups] = (uint32_t)count;
}

/* Whether the block of `row` and `behind`, which comes before it, is the transpose of a stored one. */
bool builder_mirrored(const struct builder *b, uint32_t row, uint32_t behind) {
    const uint32_t group = behind / GROUP;
    for (uint32_t k = b->mirror_first[group]; behind < row && k < b->mirror_first[group + 1]; k++)
        if (b->mirror[k] + behind % GROUP == row)
            return true;
    return false;
}

/* The slot of a group whose neighbours lie at this distance. */
static uint32_t slot_at(const struct builder *b, int64_t group, int64_t distance) {
    if (group < 0 || group >= b->shape->rows / GROUP)
        return b->shape->slots;
    for (uint32_t k = b->mirror_first[group]; k < b->mirror_first[group + 1]; k++)
        if ((int64_t)b->mirror[k] - group * GROUP == distance)
            return b->shape->slot_first[group] + 1 + k - b->mirror_first[group];
    return b->shape->slots;
}

static int compare_keys(const void *x, const void *y) {
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

/* Group and distance of all that come back, by group, the farthest first; not each once. */
static size_t list_backs(const struct builder *b, uint64_t **keys) {
    const uint32_t groups = b->shape->rows / GROUP;
    size_t count = 0;
    *keys = app_alloc(2 * (size_t)b->mirror_first[groups] + 1, sizeof **keys);
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t k = b->mirror_first[g]; k < b->mirror_first[g + 1]; k++) {
            const uint32_t distance = b->mirror[k] - g * GROUP, to = b->mirror[k] / GROUP;
            for (uint32_t i = 0; i <= (b->mirror[k] % GROUP ? 1u : 0u); i++)
                (*keys)[count++] = (uint64_t)(to + i) << 32 | (UINT32_MAX - distance);
        }
    qsort(*keys, count, sizeof **keys, compare_keys);
    return count;
}

/* The farthest first: the order in which the rows of lower groups add to a row. */
void builder_backs(struct builder *b) {
    struct shape *s = b->shape;
    const uint32_t groups = s->rows / GROUP;
    uint64_t *keys;
    const size_t count = list_backs(b, &keys);
    s->back_first = app_alloc(groups + 1, sizeof *s->back_first);
    s->back = app_alloc(count + 1, 4 * sizeof *s->back);
    for (size_t k = 0, g = 0; g <= groups; g++) {
        s->back_first[g] = s->backs;
        for (; k < count && keys[k] >> 32 == g; k++) {
            if (k && keys[k] == keys[k - 1])
                continue;
            const int64_t distance = UINT32_MAX - (keys[k] & UINT32_MAX), from = (int64_t)g * GROUP - distance,
                          group = from >= 0 ? from / GROUP : -((-from + GROUP - 1) / GROUP),
                          shift = from - group * GROUP;
            const uint32_t row[4] = {(uint32_t)group, (uint32_t)shift, slot_at(b, group, distance),
                                     shift ? slot_at(b, group + 1, distance) : s->slots};
            memcpy(s->back + 4 * (size_t)s->backs++, row, sizeof row);
        }
    }
    free(keys);
}
