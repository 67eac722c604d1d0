/* SPDX-License-Identifier: Apache-2.0 */
/* A device's memory; what a step brings there in one block and takes from there in another. */
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

bool unit_open(struct unit *u, const struct scene *scene, const struct devices *all) {
    uint32_t parts = 0;
    u->all = all;
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
    u->home = app_alloc(u->bodies + 1, sizeof *u->home);
    u->shape = omp_target_alloc((u->shapes + 1) * sizeof *u->shape, u->device);
    u->work = omp_target_alloc(sizeof *u->work, u->device);
    u->part_first = app_alloc(u->bodies + 1, sizeof *u->part_first);
    for (uint32_t b = 0; b < u->bodies; b++) {
        u->part_first[b] = parts;
        parts += parts_of(scene->body[b].shape->rows);
    }
    u->dots = omp_target_alloc((parts + 1) * sizeof *u->dots, u->device);
    return u->shape && u->work && u->dots;
}

void unit_close(struct unit *u) {
    for (uint32_t k = 0; k < u->shapes; k++)
        drop(u, u->shape_memory[k]);
    for (uint32_t k = 0; k < u->bodies; k++)
        drop(u, u->body_memory[k]);
    void *all[] = {u->shape, u->block, u->result, u->work, u->scratch, u->dots, u->inbox};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        drop(u, all[k]);
    unpin(u, u->block_here);
    unpin(u, u->result_here);
    free(u->shape_memory);
    free(u->body_memory);
    free(u->body);
    free(u->place);
    free(u->list);
    free(u->home);
    free(u->part_first);
}

/* Room on the device, and beside it on the host where `here` is given. */
static bool make_room(const struct unit *u, char **there, char **here, size_t *room, size_t bytes) {
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

/* The bodies that are here. True: the same ones as at the last step, which had no pairs, nor has this one. */
static bool list_bodies(struct unit *u, int32_t number, const struct scene *scene) {
    bool same = u->settled;
    uint32_t count = 0;
    for (uint32_t k = 0; k < scene->pairs && same; k++)
        same = !pair_is_here(scene, &scene->pair[k], number);
    for (uint32_t s = 0; s < scene->sets; s++)
        for (uint32_t k = 0; k < scene->set[s].count && set_is_here(scene, &scene->set[s], number); k++) {
            const uint32_t b = scene->member[scene->set[s].first + k];
            if (scene->body[b].place != number)
                continue;
            same = same && count < u->list_count && u->list[count] == b && u->home[count] == s;
            u->list[count] = b;
            u->home[count++] = s;
        }
    same = same && count == u->list_count;
    u->list_count = count;
    return same;
}

static struct step_counts count(struct unit *u, int32_t number, const struct scene *scene) {
    struct step_counts c = {0};
    for (uint32_t k = 0; k < u->list_count; k++) {
        const struct body *body = &scene->body[u->list[k]];
        c.rows += parts_of(body->shape->rows);
        c.elements += body->material.springs ? 0 : parts_of(body->shape->elements);
        c.touch_rows += body->meets_count ? body->shape->rows + 1 : 0;
        c.sets += !k || u->home[k] != u->home[k - 1];
    }
    for (uint32_t k = 0; k < scene->pairs; k++)
        if (pair_is_here(scene, &scene->pair[k], number)) {
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

static struct step_places place_all(struct unit *u, const struct scene *scene, const struct step_counts *c) {
    struct step_places p = {0};
    p.body = take(&p.size, scene->bodies * sizeof(struct body));
    p.member = take(&p.size, scene->bodies * sizeof(uint32_t));
    p.begin = take(&p.size, scene->sets * sizeof(struct body_set));
    p.order = take(&p.size, c->sets * sizeof(uint32_t));
    p.pair_list = take(&p.size, c->pairs * sizeof(uint32_t));
    p.meeting = take(&p.size, c->teams * MEETING_WORDS * sizeof(uint32_t));
    p.pair = take(&p.size, scene->pairs * sizeof(struct pair));
    p.row = take(&p.size, c->rows * sizeof(struct part));
    p.element = take(&p.size, c->elements * sizeof(struct part));
    p.set_parts = take(&p.size, scene->sets * sizeof(struct set_parts));
    p.body_rows = take(&p.size, scene->bodies * sizeof(uint32_t));
    p.body_others = take(&p.size, scene->bodies * sizeof(uint32_t));
    p.team = take(&p.size, c->teams * sizeof(struct team));
    p.place = take(&p.size, scene->bodies * sizeof(size_t));
    p.dots = take(&p.size, u->all->count * sizeof(float(*)[2]));
    p.inbox = take(&p.size, u->all->count * sizeof(uint32_t *));
    p.part_first = take(&p.size, scene->bodies * sizeof(uint32_t));
    p.hold = take(&p.size, c->holds * sizeof(struct hold));
    p.touch_first = take(&p.size, c->touch_rows * sizeof(uint32_t));
    p.touch = take(&p.size, c->touches * sizeof(struct touch));
    p.sums = take(&p.returned, scene->bodies * sizeof(struct body_sums));
    p.set = take(&p.returned, scene->sets * sizeof(struct body_set));
    p.failed = take(&p.returned, sizeof(uint32_t));
    p.bad = take(&p.returned, c->rows * sizeof(uint32_t));
    p.moved = p.returned;
    for (uint32_t k = 0; k < u->list_count; k++) {
        const uint32_t b = u->list[k];
        u->place[b] = (p.returned - p.moved) / sizeof(float);
        take(&p.returned, 3 * (size_t)scene->body[b].shape->rows * sizeof(float));
    }
    return p;
}

static bool bring_work(struct unit *u, int32_t number, const struct scene *scene) {
    const struct step_places *p = &u->at;
    const struct step_counts *c = &u->counts;
    char *block = u->block, *result = u->result;
    struct work work = {.settings = scene->settings,
                        .teams = u->teams,
                        .number = (uint32_t)number,
                        .devices = u->all->count,
                        .body = (struct body *)(block + p->body),
                        .begin = (struct body_set *)(block + p->begin),
                        .set_parts = (struct set_parts *)(block + p->set_parts),
                        .member = (uint32_t *)(block + p->member),
                        .order = (uint32_t *)(block + p->order),
                        .pair_list = (uint32_t *)(block + p->pair_list),
                        .meeting = (uint32_t *)(block + p->meeting),
                        .pair = (struct pair *)(block + p->pair),
                        .row = (struct part *)(block + p->row),
                        .element = (struct part *)(block + p->element),
                        .body_rows = (uint32_t *)(block + p->body_rows),
                        .body_others = (uint32_t *)(block + p->body_others),
                        .team = (struct team *)(block + p->team),
                        .place = (size_t *)(block + p->place),
                        .dots = (float(**)[2])(block + p->dots),
                        .inbox = (uint32_t **)(block + p->inbox),
                        .part_first = (uint32_t *)(block + p->part_first),
                        .touch = (struct touch *)(block + p->touch),
                        .sums = (struct body_sums *)(result + p->sums),
                        .set = (struct body_set *)(result + p->set),
                        .failed = (uint32_t *)(result + p->failed),
                        .bad = (uint32_t *)(result + p->bad),
                        .moved = (float *)(result + p->moved)};
    size_t at = 0;
    const size_t element_total = take(&at, c->elements * sizeof(float)),
                 row_total = take(&at, c->rows * sizeof *work.row_total);
    if (!make_room(u, &u->scratch, NULL, &u->scratch_room, at + 128))
        return false;
    work.element_total = (float *)(u->scratch + element_total);
    work.row_total = (float(*)[SUMS])(u->scratch + row_total);
    const uint32_t none = 0;
    return unit_copy_in(u, u->work, &work, sizeof work) && unit_copy_in(u, block, u->block_here, p->size) &&
           unit_copy_in(u, work.failed, &none, sizeof none);
}

bool unit_prepare(struct unit *u, int32_t number, const struct scene *scene) {
    u->turn = 1 - u->turn;
    if (list_bodies(u, number, scene))
        return true; /* what the last step brought is still right */
    u->settled = false;
    u->counts = count(u, number, scene);
    u->at = place_all(u, scene, &u->counts);
    const struct step_places *p = &u->at;
    if (!make_room(u, &u->block, &u->block_here, &u->block_room, p->size) ||
        !make_room(u, &u->result, &u->result_here, &u->result_room, p->returned))
        return false;
    char *here = u->block_here;
    memcpy(here + p->begin, scene->set, scene->sets * sizeof *scene->set);
    memcpy(here + p->member, scene->member, scene->bodies * sizeof *scene->member);
    memcpy(here + p->place, u->place, scene->bodies * sizeof *u->place);
    memcpy(here + p->part_first, u->part_first, scene->bodies * sizeof *u->part_first);
    for (uint32_t k = 0; k < u->all->count; k++) {
        ((float(**)[2])(here + p->dots))[k] = u->all->unit[k].dots;
        ((uint32_t **)(here + p->inbox))[k] = u->all->unit[k].inbox;
    }
    memset(here + p->meeting, 0, u->counts.teams * MEETING_WORDS * sizeof(uint32_t));
    list_parts(u, number, scene);
    if (!list_contacts(u, number, scene))
        return false;
    u->teams = plan_teams(u, number, scene);
    u->settled = !u->counts.pairs;
    return bring_work(u, number, scene);
}

bool unit_results(struct unit *u, int32_t number, struct scene *scene) {
    if (!unit_copy_out(u, u->result_here, u->result, u->at.returned))
        return false;
    const struct body_sums *sums = (const struct body_sums *)(u->result_here + u->at.sums);
    const struct body_set *set = (const struct body_set *)(u->result_here + u->at.set);
    const struct part *row = (const struct part *)(u->block_here + u->at.row);
    const uint32_t *bad = (const uint32_t *)(u->result_here + u->at.bad);
    memcpy(&u->failed, u->result_here + u->at.failed, sizeof u->failed);
    for (uint32_t k = 0; k < u->list_count; k++) {
        const uint32_t b = u->list[k];
        scene->sums[b] = sums[b];
        scene->sums[b].bad = 0;
    }
    for (uint32_t s = 0; s < scene->sets; s++)
        if (scene->body[scene->member[scene->set[s].first]].place == number) /* of a split set one device */
            scene->set[s] = set[s];
    for (uint32_t k = 0; k < u->counts.rows; k++)
        if (bad[k])
            scene->sums[row[k].body].bad = 1;
    return true;
}
