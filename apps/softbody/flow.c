/* SPDX-License-Identifier: Apache-2.0 */
/* Puts a scene's bodies into arrays that tasks map by sections, and its contacts beside them in each step. */
#include "flow.h"

#include "app.h"
#include "layout.h"
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

static void *take(struct flow_scene *f, size_t count, size_t size) {
    return soft_block((count + 1) * size, &f->block[f->blocks++]);
}

/* ---- what never changes ------------------------------------------------------------------------------------------ */
static void place_shapes(struct flow_scene *f) {
    const struct scene *scene = f->scene;
    struct flow_shape *to = take(f, scene->shapes, sizeof *to);
    for (uint32_t k = 0; k < scene->shapes; k++) {
        struct shape s = scene->shape[k];
        to[k] = (struct flow_shape){s.nodes, s.rows,   s.elements, s.slots,    s.entries, s.gathers,
                                    s.backs, s.volume, s.edge,     f->numbers, f->values};
        f->numbers += layout_shape_numbers(&s, NULL);
        f->values += layout_shape_values(&s, NULL);
    }
    uint32_t *number = take(f, f->numbers, sizeof *number);
    float *value = take(f, f->values, sizeof *value);
    for (uint32_t k = 0; k < scene->shapes; k++) {
        struct shape s = scene->shape[k];
        memcpy(number + to[k].numbers, s.slot_first, layout_shape_numbers(&s, NULL) * sizeof *number);
        memcpy(value + to[k].values, s.rest, layout_shape_values(&s, NULL) * sizeof *value);
    }
    f->all.shape = to, f->all.number = number, f->all.value = value;
}

static void place_bodies(struct flow_scene *f) {
    const struct scene *scene = f->scene;
    struct flow_body *to = take(f, scene->bodies, sizeof *to);
    for (uint32_t b = 0; b < scene->bodies; b++) {
        const struct body *body = &scene->body[b];
        const struct shape *s = body->shape;
        const uint32_t elements = body->material.springs ? 0 : s->elements;
        to[b] = (struct flow_body){.material = body->material,
                                   .shape = (uint32_t)(s - scene->shape),
                                   .rows = f->rows,
                                   .elements = f->elements,
                                   .slots = f->slots,
                                   .row_part = f->row_parts,
                                   .row_parts = parts_of(s->rows),
                                   .element_part = f->element_parts,
                                   .element_parts = parts_of(elements)};
        f->rows += s->rows;
        f->elements += elements ? elements : GROUP; /* no section is empty */
        f->slots += s->slots;
        f->row_parts += to[b].row_parts;
        f->element_parts += to[b].element_parts;
    }
    f->all.body = to;
}

static void list_parts(struct flow_scene *f) {
    struct flow_part *row = take(f, f->row_parts, sizeof *row), *element = take(f, f->element_parts, sizeof *element);
    for (uint32_t b = 0; b < f->scene->bodies; b++) {
        const struct flow_body *body = &f->all.body[b];
        for (uint32_t k = 0; k < body->row_parts; k++)
            row[body->row_part + k] = (struct flow_part){b, k};
        for (uint32_t k = 0; k < body->element_parts; k++)
            element[body->element_part + k] = (struct flow_part){b, k};
    }
    f->all.row_part = row, f->all.element_part = element;
}

static float *moved(float *to, const float *from, size_t count) {
    memcpy(to, from, count * sizeof *to);
    return to;
}

/* From its own block into the arrays. */
static void move_body(struct flow_scene *f, struct body *body, float *held) {
    const struct flow_body *at = &f->all.body[body->number];
    const size_t rows = body->shape->rows, elements = body->material.springs ? 0 : body->shape->elements,
                 vector = 3 * at->rows;
    body->x = moved(f->all.x + vector, body->x, 3 * rows);
    body->v = moved(f->all.v + vector, body->v, 3 * rows);
    body->turn = moved(f->all.turn + 4 * at->elements, body->turn, 4 * elements);
    body->free = moved(held + at->rows, body->free, rows);
    free(body->block);
    body->block = NULL;
}

static void place_arrays(struct flow_scene *f) {
    struct flow *a = &f->all;
    float *held = take(f, f->rows, sizeof *held);
    a->x = take(f, 3 * f->rows, sizeof(float)), a->v = take(f, 3 * f->rows, sizeof(float));
    a->u = take(f, 3 * f->rows, sizeof(float)), a->w = take(f, 3 * f->rows, sizeof(float));
    a->turn = take(f, 4 * f->elements, sizeof(float)), a->pull = take(f, 24 * f->elements, sizeof(float));
    a->matrix = take(f, f->slots * 9 * GROUP, sizeof(float));
    a->inverse = take(f, 6 * f->rows, sizeof(float)), a->cg = take(f, 9 * f->rows, sizeof(float));
    a->elastic = take(f, f->element_parts, sizeof(float)), a->total = take(f, f->row_parts, sizeof *a->total);
    a->dots = take(f, f->row_parts, sizeof *a->dots);
    a->bad = take(f, f->row_parts, sizeof *a->bad), a->go = take(f, 1, sizeof *a->go);
    a->set_of = take(f, f->scene->bodies, sizeof *a->set_of), a->member = take(f, f->scene->bodies, sizeof *a->member);
    a->set = take(f, f->scene->bodies, sizeof *a->set);
    f->next = (struct flow){
        .set_of = take(f, f->scene->bodies, sizeof *a->set_of), .member = f->scene->member, .set = f->scene->set};
    a->free = held;
    for (uint32_t b = 0; b < f->scene->bodies; b++)
        move_body(f, &f->scene->body[b], held);
}

/* Groups of about as many rows. */
static void make_groups(struct flow_scene *f, uint32_t groups) {
    const uint32_t bodies = f->scene->bodies;
    uint32_t b = 0;
    f->group = app_alloc(bodies + 1, sizeof *f->group);
    while (b < bodies) {
        struct flow_group *g = &f->group[f->groups++];
        const struct flow_body *first = &f->all.body[b], *end = first;
        const uint32_t from = b;
        do
            end = &f->all.body[++b];
        while (b < bodies && end->rows < f->rows * f->groups / groups);
        const bool last = b == bodies;
        *g = (struct flow_group){
            {from, b - from},
            {first->row_part, (last ? f->row_parts : end->row_part) - first->row_part},
            {first->element_part, (last ? f->element_parts : end->element_part) - first->element_part},
            {first->rows, (last ? f->rows : end->rows) - first->rows},
            {first->elements, (last ? f->elements : end->elements) - first->elements},
            {first->slots, (last ? f->slots : end->slots) - first->slots},
            false};
    }
}

void flow_open(struct flow_scene *f, struct scene *scene, uint32_t groups) {
    *f = (struct flow_scene){.scene = scene};
    place_shapes(f);
    place_bodies(f);
    list_parts(f);
    place_arrays(f);
    make_groups(f, groups);
    f->cluster = app_alloc(f->groups + 1, sizeof *f->cluster);
}

void flow_close(struct flow_scene *f) {
    for (uint32_t k = 0; k < f->blocks; k++)
        free(f->block[k]);
    for (int k = 0; k < 2; k++) {
        struct flow *a = k ? &f->next : &f->all;
        free(a->hold);
        free((void *)a->row);
        free((void *)a->touch);
    }
    free(f->group);
    free(f->link);
    free(f->cluster);
    free(f->first);
}

/* ---- contacts of a step ------------------------------------------------------------------------------------------ */
static uint32_t group_of(const struct flow_scene *f, uint32_t body) {
    uint32_t low = 0, high = f->groups - 1;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (f->group[middle].body[0] <= body)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static int compare_links(const void *x, const void *y) {
    const struct flow_link *a = x, *b = y;
    const int first = (a->group[0] > b->group[0]) - (a->group[0] < b->group[0]);
    return first ? first : (a->group[1] > b->group[1]) - (a->group[1] < b->group[1]);
}

/* A link for each pair of bodies; those of the same groups become one. */
static void list_links(struct flow_scene *f) {
    const struct scene *scene = f->scene;
    if (scene->pairs > f->links_room) {
        f->links_room = 2 * scene->pairs;
        f->link = app_resize(f->link, f->links_room, sizeof *f->link);
    }
    uint32_t count = 0;
    for (uint32_t k = 0; k < scene->pairs; k++) {
        const struct pair *pair = &scene->pair[k];
        const uint32_t a = group_of(f, pair->body[0]), b = group_of(f, pair->body[1]);
        if (pair->count)
            f->link[count++] = (struct flow_link){.group = {a < b ? a : b, a < b ? b : a}, .holds = pair->count};
    }
    qsort(f->link, count, sizeof *f->link, compare_links);
    f->links = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (f->links && !compare_links(&f->link[f->links - 1], &f->link[k]))
            f->link[f->links - 1].holds += f->link[k].holds;
        else
            f->link[f->links++] = f->link[k];
    }
}

/* Sections have room for twice as many, so that most steps have the same ones as those before. */
static void place_links(struct flow_scene *f) {
    size_t room = 0;
    for (uint32_t k = 0; k < f->links; k++) {
        struct flow_link *link = &f->link[k];
        link->room = 64;
        while (link->room < link->holds)
            link->room *= 2;
        link->hold = (uint32_t)room;
        link->row = link->touch = (uint32_t)(4 * room);
        link->holds = link->rows = link->touches = 0;
        room += link->room;
    }
    f->holds = room;
    if (room <= f->hold_room)
        return;
    f->hold_room = 2 * room;
    for (int k = 0; k < 2; k++) {
        struct flow *a = k ? &f->next : &f->all;
        a->hold = app_resize(a->hold, f->hold_room, sizeof *a->hold);
        a->row = app_resize((void *)a->row, 4 * f->hold_room, sizeof *a->row);
        a->touch = app_resize((void *)a->touch, 4 * f->hold_room, sizeof *a->touch);
        memset(a->hold, 0, f->hold_room * sizeof *a->hold);
        memset((void *)a->row, 0, 4 * f->hold_room * sizeof *a->row);
        memset((void *)a->touch, 0, 4 * f->hold_room * sizeof *a->touch);
    }
}

static struct flow_link *link_of(const struct flow_scene *f, uint32_t a, uint32_t b) {
    const struct flow_link key = {.group = {a < b ? a : b, a < b ? b : a}};
    return bsearch(&key, f->link, f->links, sizeof *f->link, compare_links);
}

static void list_holds(struct flow_scene *f, uint32_t *first) {
    const struct scene *scene = f->scene;
    for (uint32_t k = 0; k < scene->pairs; k++) {
        const struct pair *pair = &scene->pair[k];
        if (!pair->count)
            continue;
        struct flow_link *link = link_of(f, group_of(f, pair->body[0]), group_of(f, pair->body[1]));
        first[k] = link->hold + link->holds;
        for (uint32_t i = 0; i < pair->count; i++) {
            const struct hold *hold = &pair->hold[i];
            f->next.hold[first[k] + i] =
                (struct flow_hold){*hold, pair->body[hold->side], pair->body[1 - hold->side], pair->attached};
        }
        link->holds += pair->count;
    }
}

struct entry {
    uint32_t row;
    struct flow_touch touch;
};

/* What a body's pairs with bodies of a group do to its rows, in the order of its pairs. */
static uint32_t list_entries(const struct flow_scene *f, const struct body *body, uint32_t group, const uint32_t *first,
                             struct entry *entry) {
    uint32_t count = 0;
    for (uint32_t m = 0; m < body->meets_count; m++) {
        const struct pair *pair = &f->scene->pair[body->meets[m]];
        if (group_of(f, pair->body[pair->body[0] == body->number]) != group)
            continue;
        for (uint32_t k = 0; k < pair->count; k++)
            for (uint32_t role = 0; role < 4; role++) {
                const struct hold *hold = &pair->hold[k];
                if (pair->body[role ? 1 - hold->side : hold->side] == body->number)
                    entry[count++] =
                        (struct entry){role ? hold->corner[role - 1] : hold->vertex, {first[body->meets[m]] + k, role}};
            }
    }
    return count;
}

/* The same by rows; `at` is zeros, before and after. */
static void list_rows(struct flow_scene *f, struct flow_link *link, const struct body *body, const struct entry *entry,
                      uint32_t count, uint32_t *at) {
    struct flow_row *row = (struct flow_row *)f->next.row + link->row;
    struct flow_touch *touch = (struct flow_touch *)f->next.touch;
    const uint32_t begin = link->rows;
    for (uint32_t k = 0; k < count; k++) {
        if (!at[entry[k].row]) {
            row[link->rows] = (struct flow_row){body->number, entry[k].row, 0, 0};
            at[entry[k].row] = ++link->rows;
        }
        row[at[entry[k].row] - 1].count++;
    }
    for (uint32_t r = begin; r < link->rows; r++) {
        row[r].first = link->touch + link->touches;
        link->touches += row[r].count;
        row[r].count = 0;
    }
    for (uint32_t k = 0; k < count; k++) {
        struct flow_row *own = &row[at[entry[k].row] - 1];
        touch[own->first + own->count++] = entry[k].touch;
    }
    for (uint32_t r = begin; r < link->rows; r++)
        at[row[r].row] = 0;
}

static void list_touches(struct flow_scene *f, const uint32_t *first) {
    uint32_t most = 1;
    for (uint32_t s = 0; s < f->scene->shapes; s++)
        most = f->scene->shape[s].rows > most ? f->scene->shape[s].rows : most;
    uint32_t *at = app_alloc(most, sizeof *at);
    memset(at, 0, most * sizeof *at);
    for (uint32_t k = 0; k < f->links; k++) {
        struct flow_link *link = &f->link[k];
        struct entry *entry = app_alloc(4 * (size_t)link->holds + 1, sizeof *entry);
        for (uint32_t side = 0; side < (link->group[0] == link->group[1] ? 1u : 2u); side++) {
            const struct flow_group *own = &f->group[link->group[side]];
            for (uint32_t b = own->body[0]; b < own->body[0] + own->body[1]; b++) {
                const struct body *body = &f->scene->body[b];
                list_rows(f, link, body, entry, list_entries(f, body, link->group[1 - side], first, entry), at);
            }
        }
        free(entry);
    }
    free(at);
}

/* Groups that links join, with those between them. */
static void list_clusters(struct flow_scene *f) {
    const struct scene *scene = f->scene;
    uint32_t link = 0, set = 0;
    f->clusters = 0;
    for (uint32_t g = 0, end; g < f->groups; g = end) {
        struct flow_cluster *c = &f->cluster[f->clusters++];
        *c = (struct flow_cluster){.group = g, .link = link, .set = set};
        end = g + 1;
        for (uint32_t k = g; k < end; k++)
            for (; link < f->links && f->link[link].group[0] == k; link++)
                end = f->link[link].group[1] + 1 > end ? f->link[link].group[1] + 1 : end;
        const uint32_t bodies = f->group[end - 1].body[0] + f->group[end - 1].body[1];
        while (set < scene->sets && scene->member[scene->set[set].first] < bodies)
            set++;
        f->group[g].alone = link == c->link && f->groups > 1;
        for (uint32_t k = g + 1; k < end; k++)
            f->group[k].alone = false;
        c->groups = end - g, c->links = link - c->link, c->sets = set - c->set;
    }
}

void flow_prepare(struct flow_scene *f) {
    const struct scene *scene = f->scene;
    uint32_t *first = f->first = app_resize(f->first, scene->pairs + 1, sizeof *first),
             *set_of = (uint32_t *)f->next.set_of;
    list_links(f);
    place_links(f);
    list_holds(f, first);
    list_touches(f, first);
    list_clusters(f);
    for (uint32_t s = 0; s < scene->sets; s++)
        for (uint32_t k = 0; k < scene->set[s].count; k++)
            set_of[scene->member[scene->set[s].first + k]] = s;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */
static void sum_body(const struct flow_scene *f, uint32_t number) {
    const struct flow_body *at = &f->all.body[number];
    float total[SUMS] = {0};
    for (uint32_t k = 0; k < at->element_parts; k++)
        total[SUM_ELASTIC] += f->all.elastic[at->element_part + k];
    for (uint32_t k = 0; k < at->row_parts; k++)
        for (int i = 0; i < SUMS; i++)
            total[i] += f->all.total[at->row_part + k][i];
    set_sums(&f->scene->sums[number], total);
}

uint32_t flow_results(struct flow_scene *f) {
    struct scene *scene = f->scene;
    uint32_t bad = scene->bodies;
    memcpy(scene->set, f->all.set, scene->sets * sizeof *scene->set);
    for (uint32_t b = scene->bodies; b--;) {
        const struct flow_body *at = &f->all.body[b];
        sum_body(f, b);
        for (uint32_t k = 0; k < at->row_parts; k++)
            bad = f->all.bad[at->row_part + k] ? b : bad;
    }
    for (uint32_t k = 0; k < scene->pairs; k++) {
        struct pair *pair = &scene->pair[k];
        pair->contact = 0;
        for (uint32_t i = 0; i < pair->count; i++)
            pair->contact += f->all.hold[f->first[k] + i].hold.energy;
    }
    return bad;
}
