/* SPDX-License-Identifier: Apache-2.0 */
#include "scene.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more element. */
#define GROW(array, count, room)                                                                                       \
    do {                                                                                                               \
        if ((count) == (room)) {                                                                                       \
            (room) = (room) ? 2 * (room) : 16;                                                                         \
            (array) = app_resize((array), (room), sizeof *(array));                                                    \
        }                                                                                                              \
    } while (0)

struct material scene_grey(void) {
    return (struct material){.diffuse = {0.75f, 0.75f, 0.75f}, .tint = {1, 1, 1}, .roughness = 1, .index = 1.5f};
}

void scene_start(struct scene *scene) {
    *scene = (struct scene){.camera = {.up = {0, 1, 0}, .fov = 40}};
    scene_material(scene, "default", 7);
}

void scene_free(struct scene *scene) {
    void *all[] = {scene->points, scene->normals, scene->triangles, scene->faces,
                   scene->lights, scene->names,   scene->materials};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    *scene = (struct scene){.point_count = 0};
}

bool scene_has_material(const struct scene *scene, const char *name, int length, uint32_t *number) {
    for (size_t k = scene->material_count; k-- > 0;)
        if ((int)strlen(scene->names[k]) == length && !memcmp(scene->names[k], name, (size_t)length)) {
            *number = (uint32_t)k;
            return true;
        }
    return false;
}

uint32_t scene_material(struct scene *scene, const char *name, int length) {
    uint32_t number;
    if (scene_has_material(scene, name, length, &number))
        return number;
    if (scene->material_count == scene->material_room) {
        scene->material_room = scene->material_room ? 2 * scene->material_room : 16;
        scene->materials = app_resize(scene->materials, scene->material_room, sizeof *scene->materials);
        scene->names = app_resize(scene->names, scene->material_room, sizeof *scene->names);
    }
    memcpy(scene->names[scene->material_count], name, (size_t)length);
    scene->names[scene->material_count][length] = 0;
    scene->materials[scene->material_count] = scene_grey();
    return (uint32_t)scene->material_count++;
}

uint32_t scene_point(struct scene *scene, struct vec3 point) {
    GROW(scene->points, scene->point_count, scene->point_room);
    scene->points[scene->point_count] = point;
    return (uint32_t)scene->point_count++;
}

uint32_t scene_normal(struct scene *scene, struct vec3 normal) {
    GROW(scene->normals, scene->normal_count, scene->normal_room);
    scene->normals[scene->normal_count] = normal;
    return (uint32_t)scene->normal_count++;
}

void scene_triangle(struct scene *scene, const uint32_t corners[3], const uint32_t *normals, uint32_t material) {
    GROW(scene->triangles, scene->triangle_count, scene->triangle_room);
    GROW(scene->faces, scene->triangle_count, scene->face_room);
    scene->triangles[scene->triangle_count] = (struct bvh_triangle){{corners[0], corners[1], corners[2]}};
    scene->faces[scene->triangle_count++] = (struct face){
        {normals ? normals[0] : FACE_FLAT, normals ? normals[1] : FACE_FLAT, normals ? normals[2] : FACE_FLAT},
        material};
}

/* Corner a, edges b and c. */
static void corner_and_edges(const struct scene *scene, size_t k, struct vec3 *a, struct vec3 *b, struct vec3 *c) {
    const uint32_t *corner = scene->triangles[k].corner;
    *a = scene->points[corner[0]];
    *b = minus(scene->points[corner[1]], *a);
    *c = minus(scene->points[corner[2]], *a);
}

void scene_smooth(struct scene *scene, size_t first) {
    struct vec3 *sum = app_alloc(scene->point_count, sizeof *sum);
    uint32_t *number = app_alloc(scene->point_count, sizeof *number);
    for (size_t k = first; k < scene->triangle_count; k++) { /* weighted by area */
        struct vec3 a, b, c;
        corner_and_edges(scene, k, &a, &b, &c);
        for (int j = 0; j < 3; j++) {
            struct vec3 *s = &sum[scene->triangles[k].corner[j]];
            *s = plus(*s, cross(b, c));
        }
    }
    for (size_t k = first; k < scene->triangle_count; k++)
        for (int j = 0; j < 3; j++) {
            const uint32_t at = scene->triangles[k].corner[j];
            if (!number[at])
                number[at] = scene_normal(scene, unit(sum[at])) + 1;
            scene->faces[k].normal[j] = number[at] - 1;
        }
    free(sum);
    free(number);
}

/* No channel gives back more than it gets. */
static void fit_material(struct scene *scene, struct material *m) {
    const float most_of = largest(plus(m->diffuse, m->glossy));
    if (most_of > 1) {
        m->diffuse = times(m->diffuse, 1 / most_of);
        m->glossy = times(m->glossy, 1 / most_of);
        scene->scaled += most_of > 1.0001f;
    }
    const float diffuse = m->diffuse.x + m->diffuse.y + m->diffuse.z, glossy = m->glossy.x + m->glossy.y + m->glossy.z;
    m->pick = glossy > 0 ? glossy / (diffuse + glossy) : 0;
    m->intensity = (m->emit.x + m->emit.y + m->emit.z) * (1 / 3.0f);
}

static void gather_lights(struct scene *scene) {
    size_t count = 0;
    double power = 0;
    for (size_t k = 0; k < scene->triangle_count; k++)
        count += scene->materials[scene->faces[k].material].intensity > 0;
    scene->lights = app_alloc(count + 1, sizeof *scene->lights);
    for (size_t k = 0; k < scene->triangle_count; k++) {
        const struct material *m = &scene->materials[scene->faces[k].material];
        struct light l = {.emit = m->emit, .intensity = m->intensity};
        corner_and_edges(scene, k, &l.a, &l.b, &l.c);
        const struct vec3 n = cross(l.b, l.c);
        const double area = 0.5 * sqrt((double)dot(n, n));
        if (!(m->intensity > 0 && area > 0 && area < 1e30))
            continue;
        l.normal = unit(n);
        power += area * (double)m->intensity;
        l.up_to = (float)power;
        scene->lights[scene->light_count++] = l;
    }
    for (size_t k = 0; k < scene->light_count; k++)
        scene->lights[k].up_to = (float)((double)scene->lights[k].up_to / power);
    scene->power = (float)power;
}

static void fit_camera(struct scene *scene) {
    struct vec3 low = vec(INFINITY, INFINITY, INFINITY), high = times(low, -1);
    for (size_t k = 0; k < scene->triangle_count; k++)
        for (int c = 0; c < 3; c++) {
            const struct vec3 p = scene->points[scene->triangles[k].corner[c]];
            low = vec(least(low.x, p.x), least(low.y, p.y), least(low.z, p.z));
            high = vec(most(high.x, p.x), most(high.y, p.y), most(high.z, p.z));
        }
    const struct vec3 middle = times(plus(low, high), 0.5f), size = minus(high, low);
    const float radius = 0.5f * sqrtf(dot(size, size));
    scene->camera.at = middle;
    scene->camera.from = plus(middle, times(unit(vec(0.45f, 0.35f, 1)),
                                            (radius > 0 ? radius : 1) / (float)sin(scene->camera.fov * (M_PI / 360))));
}

const char *scene_finish(struct scene *scene) {
    for (size_t k = 0; k < scene->material_count; k++)
        fit_material(scene, &scene->materials[k]);
    gather_lights(scene);
    if (!scene->normal_count) /* arrays that loops take have an element */
        scene_normal(scene, vec(0, 0, 0));
    const bool camera = !scene->has_camera, sky = !scene->has_sky && !scene->light_count;
    if (camera)
        fit_camera(scene);
    if (sky)
        scene->sky = vec(1, 1, 1);
    return camera && sky ? "neither camera nor light given: one that sees everything, and a white sky"
           : camera      ? "no camera given: one that sees everything"
           : sky         ? "nothing gives light: a white sky"
                         : "";
}

struct bvh_primitives scene_primitives(const struct scene *scene) {
    return (struct bvh_primitives){
        .points = scene->points, .triangles = scene->triangles, .triangle_count = scene->triangle_count};
}
