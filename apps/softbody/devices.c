/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of devices, what a step brings there, and which bodies go where. */
#include "devices.h"

#include "app.h"
#include "device.h"
#include "launcher.h"
#include "layout.h"
#include "units.h"

#include "target.h"
#include <stdlib.h>
#include <string.h>

const char *devices_problem(const struct devices *d) { return d->problem; }
uint32_t devices_count(const struct devices *d) { return d->count; }

uint32_t devices_splits(const struct devices *d) { return d ? d->splits : 0; }

double devices_seconds(const struct devices *d, int phase) {
    double sum = 0;
    for (uint32_t k = 0; d && k < d->count; k++)
        sum += d->unit[k].phase[phase] / d->count;
    return sum;
}

static bool complain_about(struct devices *d, const struct unit *u, const char *what) {
#pragma omp critical(softbody_devices)
    snprintf(d->problem, sizeof d->problem, "device %d: %s", u->device, what);
    return false;
}

bool unit_copy_in(struct unit *u, void *to, const void *from, size_t bytes) {
    return !bytes || !omp_target_memcpy(to, from, bytes, 0, 0, u->device, omp_get_initial_device());
}
bool unit_copy_out(struct unit *u, void *to, const void *from, size_t bytes) {
    return !bytes || !omp_target_memcpy(to, from, bytes, 0, 0, omp_get_initial_device(), u->device);
}

/* The shape's blocks; its pointers are the device's. */
static bool bring_shape(struct unit *u, const struct scene *scene, uint32_t number) {
    struct shape shape = scene->shape[number];
    const uint32_t *from = shape.slot_first;
    const float *values_from = shape.rest;
    const size_t numbers = layout_shape_numbers(&shape, NULL), values = layout_shape_values(&shape, NULL);
    uint32_t *at = omp_target_alloc(numbers * sizeof *at + values * sizeof(float), u->device);
    if (!at)
        return false;
    float *value = (float *)(at + numbers);
    u->shape_memory[number] = at;
    layout_shape_numbers(&shape, at);
    layout_shape_values(&shape, value);
    return unit_copy_in(u, at, from, numbers * sizeof *at) &&
           unit_copy_in(u, value, values_from, values * sizeof *value) &&
           unit_copy_in(u, &u->shape[number], &shape, sizeof shape);
}

bool unit_shape(struct unit *u, const struct scene *scene, const struct shape *shape) {
    const uint32_t number = (uint32_t)(shape - scene->shape);
    return u->shape_memory[number] || bring_shape(u, scene, number);
}

/* x, v, u, which nodes are free, rotations: what a body is between steps. */
static size_t state_of(const struct body *b) { return (size_t)(b->grad - b->x) * sizeof *b->x; }

static bool bring_body(struct unit *u, const struct scene *scene, uint32_t number) {
    const struct body *body = &scene->body[number];
    const struct shape *shape = body->shape;
    const uint32_t shape_number = (uint32_t)(shape - scene->shape);
    struct body *own = &u->body[number];
    if (!u->body_memory[number]) {
        if (!unit_shape(u, scene, shape))
            return false;
        *own = *body;
        float *values = omp_target_alloc(layout_body(own, shape, NULL) * sizeof *values, u->device);
        if (!values)
            return false;
        u->body_memory[number] = values;
        layout_body(own, shape, values);
        own->shape = &u->shape[shape_number];
        own->sums = NULL;
    }
    return unit_copy_in(u, own->x, body->x, state_of(body));
}

static bool fetch_body(struct unit *u, struct body *body) {
    return unit_copy_out(u, body->x, u->body[body->number].x, state_of(body));
}

bool devices_fetch(struct devices *d, struct scene *scene) {
    for (uint32_t b = 0; b < scene->bodies; b++) {
        struct body *body = &scene->body[b];
        if (body->place >= 0 && !fetch_body(&d->unit[body->place], body))
            return complain_about(d, &d->unit[body->place], "its bodies could not be copied");
    }
    return true;
}

/* When a unit would be done with this set, too. A body of the host takes one of its threads all the time. */
static double time_with(const struct unit *u, double load, double weight, double body) {
    const double all = (load + weight) / u->speed, alone = body * u->threads / u->speed;
    return all > alone ? all : alone;
}

/* Each set to the unit that has most of it, unless that one has enough for its speed; else to the one that would be
 * done first. `body`: the weight of its largest one. */
static int32_t choose(const struct devices *d, const double *load, double total, double weight, double body,
                      int32_t home) {
    const double enough = 1.05 * total / d->speed_of_all;
    int32_t best = 0;
    double best_time = 0;
    if (home >= 0 && time_with(&d->unit[home], load[home], weight, body) <= enough)
        return home;
    for (uint32_t k = 0; k < d->units; k++) {
        const double time = time_with(&d->unit[k], load[k], weight, body);
        if (!k || time < best_time)
            best = (int32_t)k, best_time = time;
    }
    return best;
}

static double weight_of(const struct scene *scene, const struct body_set *set) {
    double sum = 0;
    for (uint32_t k = 0; k < set->count; k++)
        sum += scene->body[scene->member[set->first + k]].shape->rows;
    return sum;
}
static double largest_of(const struct scene *scene, const struct body_set *set) {
    uint32_t most = 0;
    for (uint32_t k = 0; k < set->count; k++) {
        const uint32_t rows = scene->body[scene->member[set->first + k]].shape->rows;
        most = rows > most ? rows : most;
    }
    return most;
}

struct weighed { /* a set */
    double weight;
    uint32_t number;
};
static int compare_weights(const void *x, const void *y) {
    const struct weighed *a = x, *b = y;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The heaviest first; their number is the scene's. */
static struct weighed *weigh_sets(const struct scene *scene, double *total) {
    struct weighed *all = app_alloc(scene->sets + 1, sizeof *all);
    *total = 0;
    for (uint32_t s = 0; s < scene->sets; s++) {
        all[s] = (struct weighed){weight_of(scene, &scene->set[s]), s};
        *total += all[s].weight;
    }
    qsort(all, scene->sets, sizeof *all, compare_weights);
    return all;
}

static int32_t home_of(const struct devices *d, const struct scene *scene, const struct body_set *set, double *room) {
    int32_t home = -1;
    memset(room, 0, d->units * sizeof *room);
    for (uint32_t k = 0; d->dealt && k < set->count; k++) {
        const struct body *body = &scene->body[scene->member[set->first + k]];
        const uint32_t unit = body->place >= 0 ? (uint32_t)body->place : d->units - 1;
        room[unit] += body->shape->rows;
        if (home < 0 || room[unit] > room[home])
            home = (int32_t)unit;
    }
    return home;
}

static bool move_to(struct devices *d, struct scene *scene, struct body *body, int32_t place) {
    if (body->place == place && d->dealt)
        return true;
    if (body->place >= 0 && !fetch_body(&d->unit[body->place], body))
        return complain_about(d, &d->unit[body->place], "a body could not be copied");
    body->place = place;
    if (place >= 0 && !bring_body(&d->unit[place], scene, body->number))
        return complain_about(d, &d->unit[place], "no memory for another body (fewer --bodies, a smaller --size)");
    return true;
}

/* What is left of each device's share of all, over the set's weight; they add up to 1. False: one device can have it.
 */
static bool shares_of(const struct devices *d, const double *load, double total, double weight, double *share) {
    double speed = 0, sum = 0, most = 0;
    for (uint32_t k = 0; k < d->count; k++)
        speed += d->unit[k].speed;
    for (uint32_t k = 0; k < d->count; k++) {
        const double fair = total * d->unit[k].speed / speed;
        most = fair > most ? fair : most;
        share[k] = fair > load[k] ? fair - load[k] : 0;
        sum += share[k];
    }
    for (uint32_t k = 0; k < d->count; k++)
        share[k] /= sum > 0 ? sum : 1;
    return sum > 0 && weight > 1.1 * most;
}

/* Whether the devices have their shares of the set nearly as they should. */
static bool is_split(const struct devices *d, const struct scene *scene, const struct body_set *set, double weight,
                     const double *share) {
    double room[UNITS_MOST] = {0};
    bool good = d->dealt;
    for (uint32_t k = 0; k < set->count && good; k++) {
        const struct body *body = &scene->body[scene->member[set->first + k]];
        good = body->place >= 0;
        if (good)
            room[body->place] += body->shape->rows;
    }
    for (uint32_t k = 0; k < d->count && good; k++)
        good = room[k] < (share[k] + 0.06) * weight && room[k] > (share[k] - 0.06) * weight;
    return good;
}

/* A set that several devices have. */
static bool deal_split(struct devices *d, struct scene *scene, struct body_set *set, double weight, const double *share,
                       double *load) {
    int32_t *place = app_alloc(set->count, sizeof *place);
    bool good = true;
    if (is_split(d, scene, set, weight, share))
        for (uint32_t k = 0; k < set->count; k++)
            place[k] = scene->body[scene->member[set->first + k]].place;
    else
        split_set(d, scene, set, share, place);
    for (uint32_t k = 0; k < set->count && good; k++) {
        struct body *body = &scene->body[scene->member[set->first + k]];
        good = move_to(d, scene, body, place[k]);
        load[place[k]] += body->shape->rows;
        d->unit[place[k]].shares = true;
    }
    free(place);
    return good;
}

/* The set stays together. */
static bool deal_whole(struct devices *d, struct scene *scene, const struct body_set *set, double total, double weight,
                       double *load, double *room) {
    const int32_t unit =
        d->units == 1 ? 0 : choose(d, load, total, weight, largest_of(scene, set), home_of(d, scene, set, room));
    const int32_t place = (uint32_t)unit == d->count ? -1 : unit;
    bool good = true;
    load[unit] += weight;
    for (uint32_t k = 0; k < set->count && good; k++)
        good = move_to(d, scene, &scene->body[scene->member[set->first + k]], place);
    return good;
}

bool devices_deal(struct devices *d, struct scene *scene) {
    double *load = app_alloc(2 * (size_t)d->units, sizeof *load), *room = load + d->units, total;
    struct weighed *order = weigh_sets(scene, &total);
    bool good = true;
    memset(load, 0, d->units * sizeof *load);
    d->speed_of_all = 0;
    d->splits = 0;
    d->meets += 2 * scene->settings.iterations + 2;
    for (uint32_t k = 0; k < d->units; k++) {
        d->speed_of_all += d->unit[k].speed;
        d->unit[k].shares = false;
    }
    for (uint32_t s = 0; s < scene->sets && good; s++) {
        struct body_set *set = &scene->set[order[s].number];
        const double weight = order[s].weight;
        const bool splits =
            d->linked && set->count > 1 && d->splits < d->count && shares_of(d, load, total, weight, room);
        set->split = splits ? ++d->splits : set->split;
        good = splits ? deal_split(d, scene, set, weight, room, load)
                      : deal_whole(d, scene, set, total, weight, load, room);
    }
    d->dealt = true;
    for (uint32_t k = 0; k < d->units; k++)
        d->unit[k].load = load[k];
    free(load);
    free(order);
    return good;
}

/* A unit's speed follows what was measured, but for its first step, in which a device gets its program. */
static void took(struct unit *u, double seconds) {
    if (!u->warm) {
        u->warm = true;
        return;
    }
    if (u->load > 0 && seconds > 0 && !u->shares) { /* else it waited for others */
        const double speed = u->load / seconds;
        u->speed = u->measured ? 0.7 * u->speed + 0.3 * speed : speed;
        u->measured = true;
    }
}

void devices_host_took(struct devices *d, double seconds) {
    if (d->units > d->count)
        took(&d->unit[d->count], seconds);
}

bool devices_start(struct devices *d, uint32_t number, struct scene *scene) {
    struct unit *u = &d->unit[number];
    const double start = app_seconds();
    if (u->load <= 0)
        return true;
    if (!unit_prepare(u, (int32_t)number, scene))
        return complain_about(d, u, "what a step needs could not be copied there");
    u->started = app_seconds();
    u->phase[DEVICE_PREPARE] += u->started - start;
    u->took = u->started - start;
    if (d->splits)
        launcher_start(u->launcher, d->meets);
    return true;
}

bool devices_finish(struct devices *d, uint32_t number, struct scene *scene) {
    struct unit *u = &d->unit[number];
    if (u->load <= 0)
        return true;
    if (d->splits)
        launcher_wait(u->launcher);
    else
        device_step(u->device, &u->facts, u->work, u->teams, u->turn, d->meets);
    const double done = app_seconds();
    if (!unit_results(u, (int32_t)number, scene))
        return complain_about(d, u, "a step's sums could not be copied");
    if (u->failed)
        return complain_about(d, u, "its teams do not run at the same time, or one is lost");
    u->phase[DEVICE_RUN] += done - u->started;
    u->phase[DEVICE_RETURN] += app_seconds() - done;
    u->took += app_seconds() - u->started;
    return true;
}

bool devices_move(struct devices *d, uint32_t number, struct scene *scene) {
    struct unit *u = &d->unit[number];
    const double start = app_seconds();
    const float *moved = (const float *)(u->result_here + u->at.moved);
    if (u->load <= 0)
        return true;
#pragma omp taskloop firstprivate(u, scene, moved) grainsize(4)
    for (uint32_t k = 0; k < u->list_count; k++) {
        struct body *body = &scene->body[u->list[k]];
        memcpy(body->x, moved + u->place[body->number], 3 * (size_t)body->shape->rows * sizeof *body->x);
    }
    u->phase[DEVICE_MOVE] += app_seconds() - start;
    took(u, u->took + app_seconds() - start);
    return true;
}

static bool add_unit(struct devices *d, const struct scene *scene, int device, char *message, size_t room) {
    struct unit *u = &d->unit[d->count];
    *u = (struct unit){.device = device, .speed = 16, .threads = 1};
    if (!device_probe(device, &u->facts) || !unit_open(u, scene, d)) {
        snprintf(message, room, "device %d: it does not run, or has no memory", device);
        return false;
    }
    d->count++;
    return true;
}

/* Words by which devices tell each other that they are there; they count from 0. */
static bool units_share(struct devices *d) {
    const size_t words = (size_t)d->count * d->count * LINE_WORDS;
    uint32_t *none = app_alloc(words, sizeof *none);
    bool good = true;
    for (uint32_t k = 0; k < d->count && good; k++) {
        struct unit *u = &d->unit[k];
        u->inbox = omp_target_alloc(words * sizeof *none, u->device);
        good = u->inbox && unit_copy_in(u, u->inbox, none, words * sizeof *none);
    }
    free(none);
    d->linked = good && link_devices(d);
    for (uint32_t k = 0; k < d->count && d->linked; k++)
        d->linked = (d->unit[k].launcher = launcher_open(&d->unit[k])) != NULL;
    return good;
}

struct devices *devices_open(const char *name, const struct scene *scene, int threads, char *message, size_t room) {
    struct devices *d = app_alloc(1, sizeof *d);
    const int there = omp_get_num_devices();
    bool good = true, host = !strcmp(name, "all");
    *d = (struct devices){.count = 0};
    if (!there) {
        snprintf(message, room, "there is no device (`heddle doctor` says why)");
        good = false;
    }
    if (host)
        for (int k = 0; good && k < there && d->count < UNITS_MOST - 1; k++)
            good = add_unit(d, scene, k, message, room);
    for (const char *at = name; good && !host; at++) {
        char *end;
        const long number = strtol(at, &end, 10);
        host = end == at; /* ",host" comes last */
        if (!host && d->count < UNITS_MOST - 1)
            good = add_unit(d, scene, (int)number, message, room);
        at = end;
        if (!*at)
            break;
    }
    d->units = d->count;
    good = good && units_share(d);
    if (host)
        d->unit[d->units++] = (struct unit){.device = -1, .speed = threads, .threads = threads};
    if (!good) {
        devices_close(d);
        return NULL;
    }
    wait_awake(d);
    return d;
}

void devices_close(struct devices *d) {
    if (d)
        wait_as_before(d);
    for (uint32_t k = 0; d && k < d->count; k++) {
        launcher_close(d->unit[k].launcher);
        unit_close(&d->unit[k]);
    }
    free(d);
}
