/* SPDX-License-Identifier: Apache-2.0 */
/* The scene without a file: a room with a light in its ceiling, uneven ground, and bodies of every material. */
#include "scene.h"

#include "shape.h"

#include <string.h>

static uint32_t add_material(struct scene *scene, const char *name, struct material m) {
    const uint32_t number = scene_material(scene, name, (int)strlen(name));
    scene->materials[number] = m;
    return number;
}

static struct material opaque(struct vec3 diffuse, struct vec3 glossy, float roughness) {
    struct material m = scene_grey();
    m.diffuse = diffuse, m.glossy = glossy, m.roughness = roughness;
    return m;
}

/* Corners one after another around it. */
static void add_square(struct scene *scene, const struct vec3 corner[4], uint32_t material) {
    uint32_t at[4];
    for (int k = 0; k < 4; k++)
        at[k] = scene_point(scene, corner[k]);
    scene_triangle(scene, (const uint32_t[3]){at[0], at[1], at[2]}, NULL, material);
    scene_triangle(scene, (const uint32_t[3]){at[0], at[2], at[3]}, NULL, material);
}

/* The side of a box [-2, 2] x [0, 4] x [-2, 2] that lies at this end of the axis. */
static void add_wall(struct scene *scene, int axis, int end, uint32_t material) {
    struct vec3 corner[4];
    for (int k = 0; k < 4; k++) {
        const float u = k == 0 || k == 3 ? -2 : 2, v = k < 2 ? -2 : 2, w = end ? 2 : -2;
        const float p[3] = {w, u, v};
        corner[k] = vec(p[(3 - axis) % 3], p[(4 - axis) % 3] + 2, p[(5 - axis) % 3]);
    }
    add_square(scene, corner, material);
}

static void add_body(struct scene *scene, const char *name, long triangles, uint64_t seed, struct vec3 scale,
                     struct vec3 move, uint32_t material) {
    const size_t first = scene->triangle_count;
    struct shape shape;
    shape_find(&shape, name, triangles < 8 ? 8 : triangles, seed);
    const uint32_t point = (uint32_t)scene->point_count;
    for (uint32_t k = 0; k < shape_points(&shape); k++)
        scene_point(scene, plus(blend(shape_point(&shape, k), scale), move));
    for (uint32_t k = 0; k < shape_triangles(&shape); k++) {
        struct bvh_triangle t = shape_triangle(&shape, k);
        for (int c = 0; c < 3; c++)
            t.corner[c] += point;
        scene_triangle(scene, t.corner, NULL, material);
    }
    scene_smooth(scene, first);
}

void generate_room(struct scene *scene, long triangles, uint64_t seed) {
    const struct vec3 none = vec(0, 0, 0), white = vec(0.73f, 0.72f, 0.7f);
    const uint32_t wall = add_material(scene, "wall", opaque(white, none, 1));
    const uint32_t red = add_material(scene, "red", opaque(vec(0.62f, 0.07f, 0.05f), none, 1));
    const uint32_t green = add_material(scene, "green", opaque(vec(0.12f, 0.45f, 0.15f), none, 1));
    const uint32_t ground = add_material(scene, "ground", opaque(vec(0.5f, 0.42f, 0.32f), none, 1));
    const uint32_t gold = add_material(scene, "gold", opaque(none, vec(0.95f, 0.7f, 0.3f), 0.25f));
    const uint32_t mirror = add_material(scene, "mirror", opaque(none, vec(0.92f, 0.92f, 0.92f), 0));
    const uint32_t plastic =
        add_material(scene, "plastic", opaque(vec(0.1f, 0.25f, 0.6f), vec(0.2f, 0.2f, 0.2f), 0.15f));
    struct material m = opaque(none, none, 1);
    m.emit = vec(17, 15, 12);
    const uint32_t lamp = add_material(scene, "lamp", m);
    m = scene_grey();
    m.transmit = 1;
    const uint32_t glass = add_material(scene, "glass", m);
    add_wall(scene, 0, 0, red);
    add_wall(scene, 0, 1, green);
    add_wall(scene, 1, 0, wall);
    add_wall(scene, 1, 1, wall);
    add_wall(scene, 2, 0, wall);
    const struct vec3 at[4] = {vec(-0.7f, 3.98f, -0.7f), vec(0.7f, 3.98f, -0.7f), vec(0.7f, 3.98f, 0.7f),
                               vec(-0.7f, 3.98f, 0.7f)};
    add_square(scene, at, lamp);
    const long ground_part = triangles / 2, body = triangles / 8;
    add_body(scene, "terrain", ground_part, seed, vec(1.99f, 0.9f, 1.99f), vec(0, 0.25f, 0), ground);
    add_body(scene, "blob", body, seed + 1, vec(0.6f, 0.6f, 0.6f), vec(-1.05f, 1.05f, -0.9f), gold);
    add_body(scene, "blob", body, seed + 2, vec(0.5f, 0.5f, 0.5f), vec(1.05f, 2.5f, -0.9f), mirror);
    add_body(scene, "blob", body, seed + 3, vec(0.48f, 0.48f, 0.48f), vec(-0.35f, 2.45f, 0.35f), glass);
    add_body(scene, "knot", body, seed + 4, vec(0.75f, 0.75f, 0.75f), vec(0.8f, 1.15f, 0.3f), plastic);
    scene->camera = (struct camera){vec(0, 2.1f, 8.2f), vec(0, 1.85f, 0), vec(0, 1, 0), 38};
    scene->has_camera = scene->has_sky = true;
    scene->sky = vec(0, 0, 0);
}
