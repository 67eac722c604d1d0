/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies and the scene that they are in. */
#include "softbody.h"

#include "app.h"
#include "layout.h"

#include <stdlib.h>
#include <string.h>

/* Whole cache lines: a vector that crosses their border costs two loads. What is never written, as most of a body that
 * a device has, takes no memory. */
void *soft_block(size_t bytes, void **memory) {
    *memory = app_alloc(bytes + 64, 1);
    return (char *)*memory + (64 - (uintptr_t)*memory % 64) % 64;
}

static void turn_point(const double q[4], const float from[3], double to[3]) {
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int k = 0; k < 3; k++)
        to[k] = m[k][0] * (double)from[0] + m[k][1] * (double)from[1] + m[k][2] * (double)from[2];
}

void body_open(struct body *body, const struct shape *shape, const struct material *material, uint32_t number,
               const double turn[4], const double move[3], const double velocity[3]) {
    const size_t rows = shape->rows, elements = material->springs ? 0 : shape->elements;
    *body = (struct body){.shape = shape, .material = *material, .number = number, .place = -1};
    const size_t size = layout_body(body, shape, NULL);
    float *values = soft_block(size * sizeof *values, &body->block);
    layout_body(body, shape, values);
    for (uint32_t r = 0; r < shape->nodes; r++) {
        const float at[3] = {shape->at_rest[r], shape->at_rest[rows + r], shape->at_rest[2 * rows + r]};
        double to[3];
        turn_point(turn, at, to);
        body->free[r] = 1;
        for (size_t k = 0; k < 3; k++) {
            body->x[k * rows + r] = (float)(to[k] + move[k]);
            body->v[k * rows + r] = (float)velocity[k];
        }
    }
    for (size_t e = 0; e < elements; e++)
        for (size_t k = 0; k < 4; k++)
            body->turn[(e / GROUP * 4 + k) * GROUP + e % GROUP] = (float)turn[k];
    body->nodes = app_alloc(shape->tree.ends + 1, sizeof *body->nodes);
    memcpy(body->nodes, shape->tree.nodes, shape->tree.ends * sizeof *body->nodes);
    body->boxes = app_alloc(shape->faces + 1, sizeof *body->boxes);
}

void body_close(struct body *b) {
    free(b->block);
    free(b->nodes);
    free(b->boxes);
    free(b->meets);
}

void settings_defaults(struct settings *o) {
    *o = (struct settings){.step = 0.01f,
                           .tolerance = 1e-3f,
                           .gravity = {0, -9.81f, 0},
                           .plane_friction = 0.5f,
                           .contact_stiffness = 1,
                           .iterations = 25,
                           .turns = 3,
                           .contacts = true};
#if defined(__x86_64__)
    o->wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")
                  ? 2
              : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 1
                                                                                : 0;
#endif
}

void scene_ready(struct scene *scene) {
    scene->sums = app_alloc(scene->bodies + 1, sizeof *scene->sums);
    memset(scene->sums, 0, (scene->bodies + 1) * sizeof *scene->sums);
    scene->set = app_alloc(scene->bodies + 1, sizeof *scene->set);
    scene->member = app_alloc(scene->bodies + 1, sizeof *scene->member);
    for (uint32_t b = 0; b < scene->bodies; b++)
        scene->body[b].sums = &scene->sums[b];
}

static struct pair *pair_slot(struct scene *scene) {
    if (scene->pairs == scene->pairs_room) {
        const uint32_t room = scene->pairs_room ? 2 * scene->pairs_room : 64;
        scene->pair = app_resize(scene->pair, room, sizeof *scene->pair);
        memset(scene->pair + scene->pairs_room, 0, (room - scene->pairs_room) * sizeof *scene->pair);
        scene->pairs_room = room;
    }
    return &scene->pair[scene->pairs++];
}

/* A place of an earlier step keeps its memory. */
struct pair *scene_pair(struct scene *scene, uint32_t a, uint32_t b) {
    struct pair *pair = pair_slot(scene);
    pair->body[0] = a, pair->body[1] = b;
    pair->count = 0;
    pair->contact = 0;
    pair->attached = false;
    return pair;
}

struct pair *scene_attach(struct scene *scene, uint32_t a, uint32_t b) {
    struct pair *pair = scene_pair(scene, a, b);
    pair->attached = true;
    scene->attached++;
    return pair;
}

void pair_hold(struct pair *pair, const struct hold *hold) {
    if (pair->count == pair->room) {
        pair->room = pair->room ? 2 * pair->room : 64;
        pair->hold = app_resize(pair->hold, pair->room, sizeof *pair->hold);
    }
    pair->hold[pair->count++] = *hold;
}

void scene_close(struct scene *scene) {
    for (uint32_t b = 0; b < scene->bodies; b++)
        body_close(&scene->body[b]);
    for (uint32_t s = 0; s < scene->shapes; s++)
        shape_drop(&scene->shape[s]);
    for (uint32_t k = 0; k < scene->pairs_room; k++)
        free(scene->pair[k].hold);
    free(scene->body);
    free(scene->shape);
    free(scene->pair);
    free(scene->set);
    free(scene->member);
    free(scene->sums);
    *scene = (struct scene){.bodies = 0};
}
