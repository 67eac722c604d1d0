/* SPDX-License-Identifier: Apache-2.0 */
/* A shape from nodes and tetrahedra: rows, slots and their entries. Where sixteen rows have neighbours, or elements,
 * at one distance, which is so everywhere in a grid, they are read in one piece instead of one by one. */
#include "builder.h"
#include "layout.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY_RUN_LEAST = 4 };

static uint32_t add_gather(struct builder *b, const uint32_t row[GROUP]) {
    struct shape *s = b->shape;
    if (s->gathers == b->gathers_room) {
        b->gathers_room = b->gathers_room ? 2 * b->gathers_room : 64;
        s->gather = app_resize(s->gather, b->gathers_room, GROUP * sizeof *s->gather);
    }
    memcpy(s->gather + (size_t)s->gathers * GROUP, row, GROUP * sizeof *row);
    return s->gathers++ | LANES_GATHERED;
}

static void add_entry(struct builder *b, uint32_t a, uint32_t other) {
    struct shape *s = b->shape;
    if (s->entries == b->entries_room) {
        b->entries_room = b->entries_room ? 2 * b->entries_room : 256;
        s->entry = app_resize(s->entry, b->entries_room, 2 * sizeof *s->entry);
    }
    s->entry[2 * (size_t)s->entries] = a;
    s->entry[2 * (size_t)s->entries++ + 1] = other;
}

static void list_corners(struct builder *b) {
    const struct shape *s = b->shape;
    b->first = app_alloc(s->rows + 2, sizeof *b->first);
    b->corners = app_alloc(4 * (size_t)s->elements, sizeof *b->corners);
    memset(b->first, 0, (s->rows + 2) * sizeof *b->first);
    for (uint32_t e = 0; e < s->elements; e++)
        for (int c = 0; !b->gap[e] && c < 4; c++)
            b->first[b->corner[e][c] + 2]++;
    for (uint32_t k = 2; k < s->rows + 2; k++)
        b->first[k] += b->first[k - 1];
    for (uint32_t e = 0; e < s->elements; e++)
        for (uint32_t c = 0; !b->gap[e] && c < 4; c++)
            b->corners[b->first[b->corner[e][c] + 1]++] = c * s->elements + e;
}

struct item {
    uint32_t lane, a, b;
};
static int compare_items(const void *x, const void *y) {
    const struct item *p = x, *q = y;
    const int64_t a = (int64_t)p->a - p->lane, b = (int64_t)q->a - q->lane, c = (int64_t)p->b - p->lane,
                  d = (int64_t)q->b - q->lane;
    return a != b ? (a < b ? -1 : 1) : c != d ? (c < d ? -1 : 1) : p->lane < q->lane ? -1 : p->lane > q->lane;
}

/* Whether items [0, count), which lie at one distance, may be read for all lanes: what the other lanes get there are
 * gaps. */
static bool may_run(const struct builder *b, const struct item *item, size_t count, uint32_t group) {
    const struct shape *s = b->shape;
    const uint32_t e = item->a % s->elements;
    if (count < ENTRY_RUN_LEAST || e < item->lane || e - item->lane + GROUP > s->elements)
        return false;
    for (uint32_t l = 0, k = 0; l < GROUP; l++) {
        if (k < count && item[k].lane == l)
            k++;
        else if (group * GROUP + l < s->nodes && !b->gap[e - item->lane + l])
            return false;
    }
    return true;
}

/* The pairs of corners whose elements both nodes of a slot's lanes share. */
static void add_entries(struct builder *b, uint32_t group) {
    struct shape *s = b->shape;
    size_t count = 0, room = 0, left = 0;
    for (uint32_t l = 0; l < GROUP; l++)
        if (b->neighbour[l] != UINT32_MAX)
            room += b->first[group * GROUP + l + 1] - b->first[group * GROUP + l];
    struct item *item = app_alloc(room + 1, sizeof *item);
    for (uint32_t l = 0; l < GROUP; l++) {
        const uint32_t row = group * GROUP + l;
        for (uint32_t k = b->first[row]; b->neighbour[l] != UINT32_MAX && k < b->first[row + 1]; k++)
            for (uint32_t c = 0, e = b->corners[k] % s->elements; c < 4; c++)
                if (b->corner[e][c] == b->neighbour[l])
                    item[count++] = (struct item){l, b->corners[k], c * s->elements + e};
    }
    qsort(item, count, sizeof *item, compare_items);
    for (size_t k = 0, end; k < count; k = end) {
        for (end = k + 1; end < count && item[end].a - item[end].lane == item[k].a - item[k].lane &&
                          item[end].b - item[end].lane == item[k].b - item[k].lane;)
            end++;
        if (may_run(b, item + k, end - k, group))
            add_entry(b, item[k].a - item[k].lane, item[k].b - item[k].lane);
        else
            for (size_t i = k; i < end; i++)
                item[left++] = item[i];
    }
    while (left) {
        uint32_t from[2][GROUP];
        bool taken[GROUP] = {false};
        size_t rest = 0;
        for (int l = 0; l < GROUP; l++)
            from[0][l] = from[1][l] = s->elements - 1;
        for (size_t k = 0; k < left; k++) {
            const struct item i = item[k];
            if (taken[i.lane]) {
                item[rest++] = i;
                continue;
            }
            taken[i.lane] = true;
            from[0][i.lane] = i.a, from[1][i.lane] = i.b;
        }
        const uint32_t a = add_gather(b, from[0]);
        add_entry(b, a, add_gather(b, from[1]));
        left = rest;
    }
    free(item);
}

static void add_slot(struct builder *b, uint32_t group, uint32_t column) {
    struct shape *s = b->shape;
    if (s->slots == b->slots_room) {
        b->slots_room = b->slots_room ? 2 * b->slots_room : 256;
        s->column = app_resize(s->column, b->slots_room, sizeof *s->column);
        s->entry_first = app_resize(s->entry_first, b->slots_room + 1, sizeof *s->entry_first);
        s->spring = app_resize(s->spring, b->slots_room + 1, 2 * GROUP * sizeof *s->spring);
    }
    float *spring = s->spring + (size_t)s->slots * 2 * GROUP;
    for (uint32_t l = 0; l < GROUP; l++) {
        const uint32_t row = group * GROUP + l, other = b->neighbour[l];
        double square = 0, volume = 0;
        spring[l] = 1, spring[GROUP + l] = 0;
        if (other == UINT32_MAX || other == row)
            continue;
        for (int k = 0; k < 3; k++)
            square += pow(b->tets->point[s->order[row]][k] - b->tets->point[s->order[other]][k], 2);
        for (uint32_t k = b->first[row]; k < b->first[row + 1]; k++)
            for (uint32_t c = 0, e = b->corners[k] % s->elements; c < 4; c++)
                volume += b->corner[e][c] == other ? b->volume[e] : 0;
        spring[l] = (float)sqrt(square);
        spring[GROUP + l] = (float)(volume * (5.0 / 6) / square); /* as stiff on average as the solid */
    }
    s->column[s->slots] = column;
    s->entry_first[s->slots++] = s->entries;
    add_entries(b, group);
    s->entry_first[s->slots] = s->entries;
}

static int compare_numbers(const void *x, const void *y) {
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return a < b ? -1 : a > b;
}

uint32_t builder_usual(const struct builder *b, int64_t (*list)[2], size_t left, int64_t *usual) {
    int64_t *distance = app_alloc(left + 1, sizeof *distance);
    size_t count = 0;
    uint32_t most = 0;
    for (size_t k = 0; k < left; k++) {
        const int64_t base = list[k][1] - list[k][0];
        if (base >= 0 && base + GROUP <= b->shape->rows)
            distance[count++] = base;
    }
    qsort(distance, count, sizeof *distance, compare_numbers);
    for (size_t k = 0, end; k < count; k = end) {
        for (end = k + 1; end < count && distance[end] == distance[k];)
            end++;
        if (end - k > most) {
            most = (uint32_t)(end - k);
            *usual = distance[k];
        }
    }
    free(distance);
    return most;
}

size_t builder_neighbours(const struct builder *b, uint32_t group, int64_t (**list)[2]) {
    const struct shape *s = b->shape;
    size_t room = 0, count = 0;
    for (uint32_t l = 0; l < GROUP; l++)
        room += 3 * (size_t)(b->first[group * GROUP + l + 1] - b->first[group * GROUP + l]);
    *list = app_alloc(room + 1, sizeof **list);
    int64_t *row = app_alloc(room + 1, sizeof *row);
    for (uint32_t l = 0; l < GROUP; l++) {
        const uint32_t own = group * GROUP + l;
        size_t rows = 0;
        for (uint32_t k = b->first[own]; k < b->first[own + 1]; k++)
            for (uint32_t c = 0, e = b->corners[k] % s->elements; c < 4; c++)
                if (b->corner[e][c] != own)
                    row[rows++] = b->corner[e][c];
        qsort(row, rows, sizeof *row, compare_numbers);
        for (size_t k = 0; k < rows; k++)
            if (!k || row[k] != row[k - 1]) {
                (*list)[count][0] = l;
                (*list)[count++][1] = row[k];
            }
    }
    free(row);
    return count;
}

static void clear_neighbours(struct builder *b) {
    for (int l = 0; l < GROUP; l++)
        b->neighbour[l] = UINT32_MAX;
}

/* Takes the neighbours whose first of sixteen is `base` from the list; how many are left. */
static size_t take_run(struct builder *b, int64_t (*list)[2], size_t left, int64_t base) {
    size_t rest = 0;
    clear_neighbours(b);
    for (size_t k = 0; k < left; k++)
        if (list[k][1] - list[k][0] == base)
            b->neighbour[list[k][0]] = (uint32_t)list[k][1];
        else
            memmove(list[rest++], list[k], sizeof *list);
    return rest;
}

/* Without those whose blocks are the transposes of others'. */
static size_t drop_mirrored(const struct builder *b, uint32_t group, int64_t (*list)[2], size_t left) {
    size_t rest = 0;
    for (size_t k = 0; k < left; k++)
        if (!builder_mirrored(b, group * GROUP + (uint32_t)list[k][0], (uint32_t)list[k][1]))
            memmove(list[rest++], list[k], sizeof *list);
    return rest;
}

static void add_group(struct builder *b, uint32_t group) {
    const struct shape *s = b->shape;
    int64_t(*list)[2], usual = 0;
    size_t left = builder_neighbours(b, group, &list), rest;
    for (uint32_t l = 0; l < GROUP; l++)
        b->neighbour[l] = group * GROUP + l;
    add_slot(b, group, group * GROUP);
    for (uint32_t k = b->mirror_first[group]; k < b->mirror_first[group + 1]; k++) {
        left = take_run(b, list, left, b->mirror[k]);
        add_slot(b, group, b->mirror[k]);
    }
    s->whole_first[group] = s->slots;
    left = drop_mirrored(b, group, list, left);
    while (builder_usual(b, list, left, &usual) >= RUN_LEAST) {
        left = take_run(b, list, left, usual);
        add_slot(b, group, (uint32_t)usual);
    }
    while (left) {
        uint32_t from[GROUP];
        clear_neighbours(b);
        for (uint32_t l = 0; l < GROUP; l++)
            from[l] = group * GROUP + l;
        rest = 0;
        for (size_t k = 0; k < left; k++)
            if (b->neighbour[list[k][0]] == UINT32_MAX)
                b->neighbour[list[k][0]] = from[list[k][0]] = (uint32_t)list[k][1];
            else
                memmove(list[rest++], list[k], sizeof *list);
        left = rest;
        add_slot(b, group, add_gather(b, from));
    }
    free(list);
}

static void add_element_group(struct builder *b, uint32_t group) {
    struct shape *s = b->shape;
    for (int c = 0; c < 4; c++) {
        uint32_t from[GROUP], base = 0;
        bool run = true, any = false;
        for (uint32_t l = 0; l < GROUP; l++) {
            const uint32_t e = group * GROUP + l;
            from[l] = b->corner[e][c];
            if (b->gap[e])
                continue;
            base = any ? base : from[l] - l; /* wraps to more than there are rows */
            any = true;
            run = run && from[l] - l == base && base <= s->rows - GROUP;
        }
        s->corner[4 * (size_t)group + (size_t)c] = run ? base : add_gather(b, from);
    }
    float *rest = s->rest + (size_t)group * 10 * GROUP;
    for (uint32_t l = 0; l < GROUP; l++) {
        const uint32_t e = group * GROUP + l;
        double d[3][3], inverse[3][3], volume = 6 * b->volume[e];
        for (int k = 0; k < 10; k++)
            rest[(uint32_t)k * GROUP + l] = 0;
        if (b->gap[e])
            continue;
        for (int a = 0; a < 3; a++)
            for (int k = 0; k < 3; k++)
                d[a][k] =
                    b->tets->point[s->order[b->corner[e][a + 1]]][k] - b->tets->point[s->order[b->corner[e][0]]][k];
        for (int a = 0; a < 3; a++)
            for (int k = 0; k < 3; k++) {
                const int i = (a + 1) % 3, j = (a + 2) % 3, m = (k + 1) % 3, n = (k + 2) % 3;
                inverse[a][k] = (d[i][m] * d[j][n] - d[i][n] * d[j][m]) / volume;
                rest[(uint32_t)(3 * a + k) * GROUP + l] = (float)inverse[a][k];
            }
        rest[9 * GROUP + l] = (float)sqrt(b->volume[e]);
    }
}

static float *zeros(size_t count) {
    float *a = app_alloc(count + 1, sizeof *a);
    memset(a, 0, (count + 1) * sizeof *a);
    return a;
}

static void fill_rows(struct builder *b) {
    struct shape *s = b->shape;
    s->mass = zeros(s->rows);
    s->skin = zeros(s->rows);
    s->at_rest = zeros(3 * (size_t)s->rows);
    double volume = 0;
    for (uint32_t e = 0; e < s->elements; e++) {
        volume += b->volume[e];
        for (int k = 0; !b->gap[e] && k < 4; k++)
            s->mass[b->corner[e][k]] += (float)(b->volume[e] / 4);
    }
    s->volume = (float)volume;
    for (uint32_t r = 0; r < s->nodes; r++)
        for (uint32_t k = 0; k < 3; k++)
            s->at_rest[(size_t)k * s->rows + r] = (float)b->tets->point[s->order[r]][k];
}

/* Into the blocks of layout.h, from arrays of their own. */
static void pack(struct shape *s) {
    const struct shape old = *s;
    const size_t groups = s->rows / GROUP, slots = s->slots;
    const size_t numbers = layout_shape_numbers(s, NULL), values = layout_shape_values(s, NULL);
    uint32_t *number = soft_block(numbers * sizeof *number, &s->block[0]);
    float *value = soft_block(values * sizeof *value, &s->block[1]);
    layout_shape_numbers(s, number);
    layout_shape_values(s, value);
    const struct {
        void *to, *from;
        size_t count;
    } all[] = {{s->slot_first, old.slot_first, groups + 1},
               {s->whole_first, old.whole_first, groups},
               {s->back_first, old.back_first, groups + 1},
               {s->back, old.back, 4 * (size_t)s->backs},
               {s->column, old.column, slots},
               {s->entry_first, old.entry_first, slots + 1},
               {s->entry, old.entry, 2 * (size_t)s->entries},
               {s->corner, old.corner, s->elements / GROUP * (size_t)4},
               {s->gather, old.gather, (size_t)s->gathers * GROUP},
               {s->rest, old.rest, (size_t)s->elements * 10},
               {s->spring, old.spring, slots * 2 * GROUP},
               {s->mass, old.mass, s->rows},
               {s->skin, old.skin, s->rows}};
    for (uint32_t l = 0; l < GROUP; l++)
        s->spring[slots * 2 * GROUP + l] = 1; /* of no slot */
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k].count)
            memcpy(all[k].to, all[k].from, 4 * all[k].count);
        free(all[k].from);
    }
}

bool shape_build(struct shape *shape, const struct tets *tets, const char *name, struct complaint *c) {
    *shape = (struct shape){.nodes = 0};
    struct builder b = {.shape = shape, .tets = tets};
    b.row = app_alloc(tets->points + 1, sizeof *b.row);
    shape->order = app_alloc(tets->points + 1, sizeof *shape->order);
    bool good = builder_elements(&b, name, c);
    if (good) {
        list_corners(&b);
        fill_rows(&b);
        good = builder_skin(&b, name, c);
    }
    if (good) {
        shape->slot_first = app_alloc(shape->rows / GROUP + 1, sizeof *shape->slot_first);
        shape->whole_first = app_alloc(shape->rows / GROUP, sizeof *shape->whole_first);
        builder_mirrors(&b);
        for (uint32_t g = 0; g < shape->rows / GROUP; g++) {
            shape->slot_first[g] = shape->slots;
            add_group(&b, g);
        }
        shape->slot_first[shape->rows / GROUP] = shape->slots;
        builder_backs(&b);
        shape->corner = app_alloc(shape->elements / GROUP, 4 * sizeof *shape->corner);
        shape->rest = zeros((size_t)shape->elements * 10);
        for (uint32_t g = 0; g < shape->elements / GROUP; g++)
            add_element_group(&b, g);
        builder_tree(&b);
        pack(shape);
    }
    free(b.row);
    free(b.corner);
    free(b.gap);
    free(b.volume);
    free(b.first);
    free(b.corners);
    free(b.mirror_first);
    free(b.mirror);
    if (!good)
        shape_drop(shape);
    return good;
}

void shape_drop(struct shape *s) {
    void *own[] = {s->slot_first, s->whole_first, s->back_first, s->back,   s->column, s->entry_first, s->entry,
                   s->corner,     s->gather,      s->rest,       s->spring, s->mass,   s->skin};
    for (size_t k = 0; !s->block[0] && k < sizeof own / sizeof *own; k++)
        free(own[k]); /* of a shape that could not be built */
    void *all[] = {s->at_rest, s->order, s->face, s->vertex, s->block[0], s->block[1]};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    if (s->tree.nodes)
        bvh_tree_free(&s->tree);
    *s = (struct shape){.nodes = 0};
}
