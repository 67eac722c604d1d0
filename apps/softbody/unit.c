/* SPDX-License-Identifier: Apache-2.0 */
/* What a step needs on a device, in one block: which parts there are, who solves what, contacts by row. */
#include "units.h"

#include "app.h"

#include "target.h"
#include <stdlib.h>
#include <string.h>

/* libomptarget's own: memory that a device copies from and to without a detour; where it is not there, any. */
extern void *llvm_omp_target_alloc_host(size_t size, int device) __attribute__((weak));
extern void llvm_omp_target_free_host(void *memory, int device) __attribute__((weak));

static void *pinned(const struct unit *u, size_t bytes) {
    void *memory = llvm_omp_target_alloc_host ? llvm_omp_target_alloc_host(bytes, u->device) : NULL;
    return memory || llvm_omp_target_alloc_host ? memory : malloc(bytes);
}
static void unpin(const struct unit *u, void *memory) {
    if (llvm_omp_target_free_host && memory)
        llvm_omp_target_free_host(memory, u->device);
    else if (!llvm_omp_target_free_host)
        free(memory);
}

static void drop(const struct unit *u, void *memory) {
    if (memory)
        omp_target_free(memory, u->device);
}

bool unit_open(struct unit *u, const struct scene *scene) {
    u->shapes = scene->shapes;
    u->bodies = scene->bodies;
    u->shape_memory = app_alloc(u->shapes + 1, sizeof *u->shape_memory);
    u->body_memory = app_alloc(u->bodies + 1, sizeof *u->body_memory);
    memset(u->shape_memory, 0, (u->shapes + 1) * sizeof *u->shape_memory);
    memset(u->body_memory, 0, (u->bodies + 1) * sizeof *u->body_memory);
    u->body = app_alloc(u->bodies + 1, sizeof *u->body);
    memset(u->body, 0, (u->bodies + 1) * sizeof *u->body);
    u->place = app_alloc(u->bodies + 1, sizeof *u->place);
    u->list = app_alloc(u->bodies + 1, sizeof *u->list);
    u->shape = omp_target_alloc((u->shapes + 1) * sizeof *u->shape, u->device);
    u->work = omp_target_alloc(sizeof *u->work, u->device);
    return u->shape && u->work;
}

void unit_close(struct unit *u) {
    for (uint32_t k = 0; k < u->shapes; k++)
        drop(u, u->shape_memory[k]);
    for (uint32_t k = 0; k < u->bodies; k++)
        drop(u, u->body_memory[k]);
    void *all[] = {u->shape, u->block, u->moved, u->work, u->scratch};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        drop(u, all[k]);
    unpin(u, u->block_here);
    unpin(u, u->moved_here);
    free(u->shape_memory);
    free(u->body_memory);
    free(u->body);
    free(u->place);
    free(u->list);
}

/* Room on the device, and beside it on the host where `here` is given. */
static bool make_room(const struct unit *u, void **there, void **here, size_t *room, size_t bytes) {
    if (bytes <= *room)
        return true;
    drop(u, *there);
    *room = bytes + bytes / 2;
    *there = omp_target_alloc(*room, u->device);
    if (here) {
        unpin(u, *here);
        *here = pinned(u, *room);
    }
    if (!*there || (here && !*here))
        *room = 0;
    return *room > 0;
}

/* Where the arrays of a step are in its block. */
struct places {
    size_t sums, set, failed, bad, body, member, order, pair_list, meeting, pair, row, element, set_rows, body_rows,
        body_others, team, place, hold, touch_first, touch, size;
};

struct counts {
    size_t rows, elements, sets, pairs, holds, touch_rows, touches, teams;
};

static bool is_here(const struct scene *scene, const struct pair *pair, int32_t number) {
    return pair->count && scene->body[pair->body[0]].place == number;
}

static struct counts count(struct unit *u, int32_t number, const struct scene *scene) {
    struct counts c = {0};
    u->list_count = 0;
    u->moved_count = 0;
    for (uint32_t b = 0; b < scene->bodies; b++) {
        const struct body *body = &scene->body[b];
        if (body->place != number)
            continue;
        u->list[u->list_count++] = b;
        u->place[b] = u->moved_count;
        u->moved_count += 3 * (size_t)body->shape->rows;
        c.rows += parts_of(body->shape->rows);
        c.elements += body->material.springs ? 0 : parts_of(body->shape->elements);
        c.touch_rows += body->meets_count ? body->shape->rows + 1 : 0;
    }
    for (uint32_t s = 0; s < scene->sets; s++)
        c.sets += scene->body[scene->member[scene->set[s].first]].place == number;
    for (uint32_t k = 0; k < scene->pairs; k++)
        if (is_here(scene, &scene->pair[k], number)) {
            c.pairs++;
            c.holds += scene->pair[k].count;
        }
    c.touches = 4 * c.holds;
    c.teams = u->facts.teams + 1;
    return c;
}

static size_t take(size_t *at, size_t bytes) {
    const size_t begin = *at;
    *at += (bytes + 127) / 128 * 128;
    return begin;
}

/* First what comes back. */
static struct places place_all(struct unit *u, const struct scene *scene, const struct counts *c) {
    struct places p = {0};
    p.sums = take(&p.size, scene->bodies * sizeof(struct body_sums));
    p.set = take(&p.size, scene->sets * sizeof(struct body_set));
    p.failed = take(&p.size, sizeof(uint32_t));
    p.bad = take(&p.size, c->rows * sizeof(uint32_t));
    u->back_size = p.size;
    p.body = take(&p.size, scene->bodies * sizeof(struct body));
    p.member = take(&p.size, scene->bodies * sizeof(uint32_t));
    p.order = take(&p.size, c->sets * sizeof(uint32_t));
    p.pair_list = take(&p.size, c->pairs * sizeof(uint32_t));
    p.meeting = take(&p.size, c->teams * 128);
    p.pair = take(&p.size, scene->pairs * sizeof(struct pair));
    p.row = take(&p.size, c->rows * sizeof(struct part));
    p.element = take(&p.size, c->elements * sizeof(struct part));
    p.set_rows = take(&p.size, scene->sets * 2 * sizeof(uint32_t));
    p.body_rows = take(&p.size, scene->bodies * sizeof(uint32_t));
    p.body_others = take(&p.size, scene->bodies * sizeof(uint32_t));
    p.team = take(&p.size, c->teams * sizeof(struct team));
    p.place = take(&p.size, scene->bodies * sizeof(size_t));
    p.hold = take(&p.size, c->holds * sizeof(struct hold));
    p.touch_first = take(&p.size, c->touch_rows * sizeof(uint32_t));
    p.touch = take(&p.size, c->touches * sizeof(struct touch));
    return p;
}

/* Parts in the order of sets, so that a set's are side by side. */
static void list_parts(const struct unit *u, int32_t number, const struct scene *scene, const struct places *p,
                       const struct counts *c) {
    struct part *row = (struct part *)(u->block_here + p->row), *element = (struct part *)(u->block_here + p->element);
    uint32_t *set_rows = (uint32_t *)(u->block_here + p->set_rows),
             *body_rows = (uint32_t *)(u->block_here + p->body_rows),
             *body_others = (uint32_t *)(u->block_here + p->body_others), rows = 0, elements = 0;
    for (uint32_t s = 0; s < scene->sets; s++) {
        const struct body_set *set = &scene->set[s];
        if (scene->body[scene->member[set->first]].place != number)
            continue;
        set_rows[2 * (size_t)s] = rows;
        for (uint32_t k = 0; k < set->count; k++) {
            const uint32_t b = scene->member[set->first + k];
            const struct body *body = &scene->body[b];
            body_rows[b] = rows;
            body_others[b] = elements;
            for (uint32_t i = 0; i < parts_of(body->shape->rows); i++)
                row[rows++] = (struct part){b, i};
            for (uint32_t i = 0; !body->material.springs && i < parts_of(body->shape->elements); i++)
                element[elements++] = (struct part){b, i};
        }
        set_rows[2 * (size_t)s + 1] = rows - set_rows[2 * (size_t)s];
    }
    memset(u->block_here + p->bad, 0, c->rows * sizeof(uint32_t));
}

static const uint32_t *sorted_parts; /* [sets][2] */
#pragma omp threadprivate(sorted_parts)
static int compare_parts(const void *x, const void *y) {
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    const uint32_t p = sorted_parts[2 * (size_t)a + 1], q = sorted_parts[2 * (size_t)b + 1];
    return p > q ? -1 : p < q ? 1 : a < b ? -1 : a > b;
}

/* Large sets have teams of their own, in proportion to their parts; the others are dealt to the teams that are left, to
 * and fro. Those that wait for each other come first, so that they run at once. */
static uint32_t plan_teams(const struct unit *u, int32_t number, const struct scene *scene, const struct places *p,
                           const struct counts *c) {
    const uint32_t most = u->facts.teams;
    uint32_t *order = (uint32_t *)(u->block_here + p->order), sets = 0, large = 0, teams = 0;
    struct team *team = (struct team *)(u->block_here + p->team);
    sorted_parts = (const uint32_t *)(u->block_here + p->set_rows);
    for (uint32_t s = 0; s < scene->sets; s++)
        if (scene->body[scene->member[scene->set[s].first]].place == number)
            order[sets++] = s;
    qsort(order, sets, sizeof *order, compare_parts);
    for (; large < sets; large++) {
        const uint32_t parts = sorted_parts[2 * (size_t)order[large] + 1];
        const uint64_t share = (uint64_t)parts * most / c->rows;
        const uint32_t size = share < parts ? (uint32_t)share : parts;
        if (!size)
            break;
        for (uint32_t k = 0; k < size; k++)
            team[teams + k] = (struct team){large, 1, k, size, 32 * teams};
        teams += size;
    }
    const uint32_t left = sets - large, room = most > teams ? most - teams : 1, others = left < room ? left : room;
    uint32_t *dealt = app_alloc(left + 1, sizeof *dealt), at = 0;
    for (uint32_t t = 0; t < others; t++) {
        const uint32_t first = at;
        for (uint32_t k = 0; k * others < left; k++) {
            const uint32_t i = k * others + (k % 2 ? others - 1 - t : t);
            if (i < left)
                dealt[at++] = order[large + i];
        }
        team[teams + t] = (struct team){large + first, at - first, 0, 1, 0};
    }
    memcpy(order + large, dealt, left * sizeof *dealt);
    free(dealt);
    memset(u->block_here + p->meeting, 0, c->teams * 128);
    return teams + others;
}

/* What the holds of a body's pairs do to each of its rows, in the order of pairs and holds. */
static uint32_t list_touches(const struct scene *scene, const struct body *body, uint32_t *first, struct touch *touch,
                             uint32_t count) {
    const uint32_t rows = body->shape->rows;
    uint32_t *at = app_alloc(rows + 1, sizeof *at);
    memset(at, 0, (rows + 1) * sizeof *at);
    for (int write = 0; write < 2; write++) {
        for (uint32_t m = 0; m < body->meets_count; m++) {
            const struct pair *pair = &scene->pair[body->meets[m]];
            for (uint32_t k = 0; k < pair->count; k++) {
                const struct hold *hold = &pair->hold[k];
                for (uint32_t role = 0; role < 4; role++) {
                    if (pair->body[role ? 1 - hold->side : hold->side] != body->number)
                        continue;
                    const uint32_t row = role ? hold->corner[role - 1] : hold->vertex;
                    if (write)
                        touch[at[row]] = (struct touch){body->meets[m], k, role};
                    at[row]++;
                }
            }
        }
        for (uint32_t r = 0; !write && r <= rows; r++) {
            const uint32_t own = r < rows ? at[r] : 0;
            first[r] = at[r] = count;
            count += own;
        }
    }
    free(at);
    return count;
}

static void list_contacts(const struct unit *u, int32_t number, const struct scene *scene, const struct places *p) {
    struct pair *pair = (struct pair *)(u->block_here + p->pair);
    struct hold *hold = (struct hold *)(u->block_here + p->hold);
    uint32_t *pair_list = (uint32_t *)(u->block_here + p->pair_list), pairs = 0, touches = 0;
    size_t holds = 0, rows = 0;
    for (uint32_t k = 0; k < scene->pairs; k++) {
        pair[k] = scene->pair[k];
        pair[k].hold = (struct hold *)(u->block + p->hold) + holds;
        if (!is_here(scene, &scene->pair[k], number))
            continue;
        pair_list[pairs++] = k;
        memcpy(hold + holds, scene->pair[k].hold, scene->pair[k].count * sizeof *hold);
        holds += scene->pair[k].count;
    }
    struct body *body = (struct body *)(u->block_here + p->body);
    for (uint32_t k = 0; k < u->list_count; k++) {
        const uint32_t b = u->list[k];
        body[b] = u->body[b];
        body[b].sums = (struct body_sums *)(u->block + p->sums) + b;
        body[b].meets = scene->body[b].meets; /* a processor as a device reads the host's */
        body[b].meets_count = scene->body[b].meets_count;
        body[b].touch_first = (const uint32_t *)(u->block + p->touch_first) + rows;
        if (!body[b].meets_count)
            continue;
        touches = list_touches(scene, &scene->body[b], (uint32_t *)(u->block_here + p->touch_first) + rows,
                               (struct touch *)(u->block_here + p->touch), touches);
        rows += scene->body[b].shape->rows + 1;
    }
}

static bool bring_work(struct unit *u, const struct scene *scene, const struct places *p, const struct counts *c,
                       uint32_t pairs) {
    char *block = u->block;
    struct work work = {.settings = scene->settings,
                        .bodies = u->list_count,
                        .pairs = pairs,
                        .teams = u->teams,
                        .rows = (uint32_t)c->rows,
                        .elements = (uint32_t)c->elements,
                        .body = (struct body *)(block + p->body),
                        .sums = (struct body_sums *)(block + p->sums),
                        .set = (struct body_set *)(block + p->set),
                        .member = (uint32_t *)(block + p->member),
                        .order = (uint32_t *)(block + p->order),
                        .pair_list = (uint32_t *)(block + p->pair_list),
                        .meeting = (uint32_t *)(block + p->meeting),
                        .pair = (struct pair *)(block + p->pair),
                        .row = (struct part *)(block + p->row),
                        .element = (struct part *)(block + p->element),
                        .set_rows = (uint32_t *)(block + p->set_rows),
                        .body_rows = (uint32_t *)(block + p->body_rows),
                        .body_others = (uint32_t *)(block + p->body_others),
                        .team = (struct team *)(block + p->team),
                        .bad = (uint32_t *)(block + p->bad),
                        .place = (size_t *)(block + p->place),
                        .moved = u->moved,
                        .touch = (struct touch *)(block + p->touch),
                        .failed = (uint32_t *)(block + p->failed)};
    size_t at = 0;
    const size_t element_total = take(&at, c->elements * sizeof(float)),
                 row_total = take(&at, c->rows * sizeof *work.row_total), dots = take(&at, c->rows * sizeof *work.dots);
    if (!make_room(u, (void **)&u->scratch, NULL, &u->scratch_room, at + 128))
        return false;
    work.element_total = (float *)(u->scratch + element_total);
    work.row_total = (float(*)[SUMS])(u->scratch + row_total);
    work.dots = (float(*)[2])(u->scratch + dots);
    return unit_copy_in(u, u->work, &work, sizeof work) && unit_copy_in(u, block, u->block_here, p->size);
}

bool unit_prepare(struct unit *u, int32_t number, const struct scene *scene) {
    const struct counts c = count(u, number, scene);
    const struct places p = place_all(u, scene, &c);
    size_t moved_room = u->moved_room * sizeof *u->moved;
    if (!make_room(u, (void **)&u->block, (void **)&u->block_here, &u->block_room, p.size) ||
        !make_room(u, (void **)&u->moved, (void **)&u->moved_here, &moved_room, u->moved_count * sizeof *u->moved))
        return false;
    u->moved_room = moved_room / sizeof *u->moved;
    char *here = u->block_here;
    memcpy(here + p.sums, scene->sums, scene->bodies * sizeof *scene->sums);
    memcpy(here + p.set, scene->set, scene->sets * sizeof *scene->set);
    memset(here + p.failed, 0, sizeof(uint32_t));
    memcpy(here + p.member, scene->member, scene->bodies * sizeof *scene->member);
    memcpy(here + p.place, u->place, scene->bodies * sizeof *u->place);
    list_parts(u, number, scene, &p, &c);
    list_contacts(u, number, scene, &p);
    u->teams = plan_teams(u, number, scene, &p, &c);
    u->parts = (uint32_t)(c.rows > c.elements ? c.rows : c.elements);
    u->results = p.bad;
    u->results_set = p.set;
    u->results_failed = p.failed;
    u->rows = p.row;
    u->row_count = (uint32_t)c.rows;
    return bring_work(u, scene, &p, &c, (uint32_t)c.pairs);
}

bool unit_results(struct unit *u, struct scene *scene) {
    if (!unit_copy_out(u, u->block_here, u->block, u->back_size))
        return false;
    const struct body_sums *sums = (const struct body_sums *)u->block_here;
    const struct body_set *set = (const struct body_set *)(u->block_here + u->results_set);
    const struct part *row = (const struct part *)(u->block_here + u->rows);
    const uint32_t *bad = (const uint32_t *)(u->block_here + u->results);
    memcpy(&u->failed, u->block_here + u->results_failed, sizeof u->failed);
    for (uint32_t k = 0; k < u->list_count; k++) {
        const uint32_t b = u->list[k];
        scene->sums[b] = sums[b];
        scene->sums[b].bad = 0;
    }
    for (uint32_t s = 0; s < scene->sets; s++)
        if (scene->body[scene->member[scene->set[s].first]].place == scene->body[u->list[0]].place)
            scene->set[s] = set[s];
    for (uint32_t k = 0; k < u->row_count; k++)
        if (bad[k])
            scene->sums[row[k].body].bad = 1;
    return true;
}
