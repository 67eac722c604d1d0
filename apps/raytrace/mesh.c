/* SPDX-License-Identifier: Apache-2.0 */
/* OBJ files as parts of a scene; their materials are left out. */
#include "scene.h"

#include <stdlib.h>

struct mesh {
    struct scene *scene;
    uint32_t first_point, first_normal, material;
};

static void add_point(void *to, const float p[3]) { scene_point(((struct mesh *)to)->scene, vec(p[0], p[1], p[2])); }
static void add_normal(void *to, const float n[3]) { scene_normal(((struct mesh *)to)->scene, vec(n[0], n[1], n[2])); }

static void add_triangle(void *to, const uint32_t corners[3], const uint32_t *normals) {
    const struct mesh *m = to;
    const uint32_t p = m->first_point, n = m->first_normal;
    const uint32_t points[3] = {p + corners[0], p + corners[1], p + corners[2]};
    const uint32_t at[3] = {normals ? n + normals[0] : 0, normals ? n + normals[1] : 0, normals ? n + normals[2] : 0};
    scene_triangle(m->scene, points, normals ? at : NULL, m->material);
}

static void note(void *to, const char *name, int length) {
    (void)name, (void)length;
    ((struct mesh *)to)->scene->notes++;
}

bool obj_parse(struct scene *scene, const char *text, size_t size, const char *name, const struct placing *placing,
               struct complaint *c) {
    struct mesh mesh = {.scene = scene,
                        .first_point = (uint32_t)scene->point_count,
                        .first_normal = (uint32_t)scene->normal_count,
                        .material = placing->material};
    const size_t first_triangle = scene->triangle_count;
    const struct obj_sink sink = {&mesh, add_point, add_normal, add_triangle, note, note};
    if (!obj_scan(&sink, text, size, name, c))
        return false;
    if (!scene_place(scene, placing, mesh.first_point, mesh.first_normal))
        return complain(c, name, 0, "scaled and moved, points leave the range of coordinates (%g)",
                        (double)SCENE_COORDINATE_MOST);
    if (placing->smooth)
        scene_smooth(scene, first_triangle);
    return true;
}

bool obj_read(struct scene *scene, const char *path, const struct placing *placing, struct complaint *c) {
    size_t size;
    char *text = textfile_load(path, &size, c);
    const bool good = text && obj_parse(scene, text, size, path, placing, c);
    free(text);
    return good;
}
