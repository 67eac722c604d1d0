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

struct material scene_plain_material(void) {
    return (struct material){.colour = {0.75f, 0.75f, 0.75f},
                             .other = {0.1f, 0.1f, 0.1f},
                             .ambient = 1,
                             .diffuse = 0.9f,
                             .specular = 0.2f,
                             .index = 1.5f,
                             .shine = 40,
                             .shade = SCENE_SHADE_OPAQUE};
}

void scene_start(struct scene *scene) {
    *scene = (struct scene){.camera = {.up = {0, 1, 0}, .fov = 40}, .ambient = {0.15f, 0.15f, 0.15f}};
    scene_material(scene, "default", scene_plain_material());
}

void scene_free(struct scene *scene) {
    void *all[] = {scene->points, scene->normals, scene->triangles, scene->faces, scene->spheres,
                   scene->planes, scene->lights,  scene->materials, scene->names, scene->sphere_materials};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    *scene = (struct scene){.point_count = 0};
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

void scene_sphere(struct scene *scene, struct vec3 centre, float radius, uint32_t material) {
    GROW(scene->spheres, scene->sphere_count, scene->sphere_room);
    GROW(scene->sphere_materials, scene->sphere_count, scene->sphere_material_room);
    scene->sphere_materials[scene->sphere_count] = material;
    scene->spheres[scene->sphere_count++] = (struct bvh_sphere){centre, radius};
}

void scene_finish(struct scene *scene) {
    const size_t count = scene->triangle_count + scene->sphere_count;
    scene->faces = app_resize(scene->faces, count, sizeof *scene->faces);
    scene->face_room = count ? count : 1;
    for (size_t k = 0; k < scene->sphere_count; k++)
        scene->faces[scene->triangle_count + k] =
            (struct face){{FACE_FLAT, FACE_FLAT, FACE_FLAT}, scene->sphere_materials[k]};
}

struct bvh_primitives scene_primitives(const struct scene *scene) {
    return (struct bvh_primitives){.points = scene->points,
                                   .triangles = scene->triangles,
                                   .spheres = scene->spheres,
                                   .triangle_count = scene->triangle_count,
                                   .sphere_count = scene->sphere_count};
}

void scene_plane(struct scene *scene, struct vec3 normal, float offset, uint32_t material) {
    GROW(scene->planes, scene->plane_count, scene->plane_room);
    scene->planes[scene->plane_count++] = (struct plane){normal, offset, material};
}

void scene_light(struct scene *scene, struct light light) {
    GROW(scene->lights, scene->light_count, scene->light_room);
    scene->lights[scene->light_count++] = light;
}

long scene_find_material(const struct scene *scene, const char *name) {
    for (size_t k = 0; k < scene->material_count; k++)
        if (!strcmp(scene->names[k], name))
            return (long)k;
    return -1;
}

uint32_t scene_material(struct scene *scene, const char *name, struct material material) {
    long at = scene_find_material(scene, name);
    if (at < 0) {
        if (scene->material_count == scene->material_room) {
            scene->material_room = scene->material_room ? 2 * scene->material_room : 16;
            scene->materials = app_resize(scene->materials, scene->material_room, sizeof *scene->materials);
            scene->names = app_resize(scene->names, scene->material_room, sizeof *scene->names);
        }
        at = (long)scene->material_count++;
        snprintf(scene->names[at], SCENE_NAME_MOST, "%s", name);
    }
    scene->materials[at] = material;
    return (uint32_t)at;
}

static void widen(struct vec3 *low, struct vec3 *high, struct vec3 point, float radius) {
    *low = vec(least(low->x, point.x - radius), least(low->y, point.y - radius), least(low->z, point.z - radius));
    *high = vec(most(high->x, point.x + radius), most(high->y, point.y + radius), most(high->z, point.z + radius));
}

bool scene_bounds(const struct scene *scene, struct vec3 *low, struct vec3 *high) {
    *low = vec(INFINITY, INFINITY, INFINITY), *high = vec(-INFINITY, -INFINITY, -INFINITY);
    for (size_t k = 0; k < scene->triangle_count; k++)
        for (int c = 0; c < 3; c++)
            widen(low, high, scene->points[scene->triangles[k].corner[c]], 0);
    for (size_t k = 0; k < scene->sphere_count; k++)
        widen(low, high, scene->spheres[k].centre, scene->spheres[k].radius);
    return scene->triangle_count || scene->sphere_count;
}

static void fit_camera(struct scene *scene) {
    struct vec3 low, high;
    if (!scene_bounds(scene, &low, &high))
        low = vec(-1, 0, -1), high = vec(1, 1, 1);
    const struct vec3 middle = times(plus(low, high), 0.5f), size = minus(high, low);
    float radius = 0.5f * sqrtf(dot(size, size));
    radius = radius > 0 ? radius : 1;
    const float distance = radius / (float)sin(scene->camera.fov * (M_PI / 360));
    scene->camera.at = middle;
    scene->camera.from = plus(middle, times(unit(vec(0.45f, 0.35f, 1)), distance));
    scene->has_camera = true;
}

const char *scene_complete(struct scene *scene) {
    const bool camera = !scene->has_camera, light = !scene->light_count;
    if (camera)
        fit_camera(scene);
    if (light) { /* over the left shoulder of who looks */
        const struct vec3 back = unit(minus(scene->camera.from, scene->camera.at));
        const struct vec3 left = unit(cross(back, scene->camera.up));
        const struct vec3 to = plus(plus(back, times(left, 0.5f)), times(scene->camera.up, 0.8f));
        scene_light(scene, (struct light){.place = unit(to), .colour = {0.9f, 0.9f, 0.9f}, .sun = 1});
    }
    if (!scene->has_background)
        scene->below = vec(0.9f, 0.9f, 0.9f), scene->above = vec(0.35f, 0.5f, 0.8f);
    return camera && light ? "neither camera nor light given: added both"
           : camera        ? "no camera given: one that sees everything"
           : light         ? "no light given: one behind the camera"
                           : "";
}

struct placing placing_none(void) { return (struct placing){.scale = {1, 1, 1}}; }

/* Rows of the matrix that turns about x, then y, then z. */
static void turning(struct vec3 degrees, struct vec3 row[3]) {
    const double r = M_PI / 180, sx = sin(degrees.x * r), cx = cos(degrees.x * r), sy = sin(degrees.y * r),
                 cy = cos(degrees.y * r);
    const double sz = sin(degrees.z * r), cz = cos(degrees.z * r);
    row[0] = vec((float)(cz * cy), (float)(cz * sy * sx - sz * cx), (float)(cz * sy * cx + sz * sx));
    row[1] = vec((float)(sz * cy), (float)(sz * sy * sx + cz * cx), (float)(sz * sy * cx - cz * sx));
    row[2] = vec((float)-sy, (float)(cy * sx), (float)(cy * cx));
}

static bool in_range(struct vec3 p) {
    const float edge = SCENE_COORDINATE_MOST;
    return fabsf(p.x) <= edge && fabsf(p.y) <= edge && fabsf(p.z) <= edge;
}

bool scene_place(struct scene *scene, const struct placing *placing, size_t first_point, size_t first_normal) {
    struct vec3 row[3];
    const struct vec3 s = placing->scale;
    const bool turned = placing->turn.x != 0 || placing->turn.y != 0 || placing->turn.z != 0;
    turning(placing->turn, row);
    for (size_t k = first_point; k < scene->point_count; k++) {
        struct vec3 p = blend(scene->points[k], s);
        if (turned)
            p = vec(dot(row[0], p), dot(row[1], p), dot(row[2], p));
        scene->points[k] = p = plus(p, placing->move);
        if (!in_range(p))
            return false;
    }
    for (size_t k = first_normal; k < scene->normal_count; k++) { /* the inverse transposed */
        struct vec3 n = vec(scene->normals[k].x / s.x, scene->normals[k].y / s.y, scene->normals[k].z / s.z);
        if (turned)
            n = vec(dot(row[0], n), dot(row[1], n), dot(row[2], n));
        scene->normals[k] = unit(n);
    }
    return true;
}

void scene_smooth(struct scene *scene, size_t first) {
    struct vec3 *sum = app_alloc(scene->point_count, sizeof *sum);
    uint32_t *number = app_alloc(scene->point_count, sizeof *number);
    for (size_t k = first; k < scene->triangle_count; k++) { /* weighted by area */
        const uint32_t *c = scene->triangles[k].corner;
        const struct vec3 n =
            cross(minus(scene->points[c[1]], scene->points[c[0]]), minus(scene->points[c[2]], scene->points[c[0]]));
        for (int j = 0; j < 3; j++)
            sum[c[j]] = plus(sum[c[j]], n);
    }
    for (size_t k = first; k < scene->triangle_count; k++) {
        const uint32_t *c = scene->triangles[k].corner;
        if (scene->faces[k].normal[0] != FACE_FLAT)
            continue;
        for (int j = 0; j < 3; j++) {
            if (!number[c[j]])
                number[c[j]] = scene_normal(scene, unit(sum[c[j]])) + 1;
            scene->faces[k].normal[j] = number[c[j]] - 1;
        }
    }
    free(sum);
    free(number);
}
