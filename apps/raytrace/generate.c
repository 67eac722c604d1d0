/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded meshes in a scene, and the scenes that come without a file. */
#include "scene.h"

#include "app.h"
#include "shape.h"

#include <stdlib.h>
#include <string.h>

static void add_grid(struct scene *scene, const struct shape *shape, uint32_t material) {
    const uint32_t first = (uint32_t)scene->point_count;
    for (uint32_t k = 0; k < shape_points(shape); k++)
        scene_point(scene, shape_point(shape, k));
    for (uint32_t k = 0; k < shape_triangles(shape); k++) {
        struct bvh_triangle t = shape_triangle(shape, k);
        for (int c = 0; c < 3; c++)
            t.corner[c] += first;
        scene_triangle(scene, t.corner, NULL, material);
    }
}

bool generate_shape(struct scene *scene, const char *name, long triangles, uint64_t seed,
                    const struct placing *placing) {
    const size_t points = scene->point_count, normals = scene->normal_count, first = scene->triangle_count;
    struct shape shape;
    if (!shape_find(&shape, name, triangles, seed))
        return false;
    add_grid(scene, &shape, placing->material);
    if (!scene_place(scene, placing, points, normals))
        return false;
    if (placing->smooth)
        scene_smooth(scene, first);
    return true;
}

static void from_text(struct scene *scene, const char *text) {
    struct complaint c;
    if (scene_parse(scene, text, strlen(text), "built-in scene", NULL, &c))
        return;
    fprintf(stderr, "%s\n", c.text);
    exit(APP_BAD_INPUT);
}

void generate_default(struct scene *scene, long triangles, uint64_t seed) {
    char text[4000];
    snprintf(text, sizeof text,
             "camera from 0.6 2.1 6.2 at 0.1 0.75 0 fov 36\n"
             "background 0.95 0.93 0.9 to 0.28 0.45 0.8\n"
             "ambient 0.16 0.17 0.2\n"
             "light -4 6 5 colour 0.75 0.7 0.62 radius 0.45\n"
             "light 5 4 3 colour 0.3 0.34 0.42 radius 0.3\n"
             "material floor colour 0.8 0.78 0.74 checks 0.8 0.16 0.17 0.2 specular 0.1 reflect 0.12\n"
             "material glass colour 0.97 0.99 0.98 ambient 0 diffuse 0 specular 0.6 shine 400 transmit 1 index 1.5 "
             "shade 0.25\n"
             "material mirror colour 0.9 0.9 0.92 ambient 0.05 diffuse 0.05 specular 0.7 shine 300 reflect 0.88\n"
             "material red colour 0.8 0.12 0.1 specular 0.5 shine 80 reflect 0.06\n"
             "material gold colour 0.9 0.62 0.2 diffuse 0.6 specular 0.6 shine 60 reflect 0.28\n"
             "material blue colour 0.1 0.25 0.7 specular 0.4 reflect 0.05\n"
             "plane 0 1 0 0 material floor\n"
             "sphere -1.75 0.9 -0.5 0.9 material mirror\n"
             "sphere 1.75 0.75 0.55 0.75 material glass\n"
             "sphere -0.75 0.33 1.6 0.33 material red\n"
             "sphere 0.55 0.26 1.95 0.26 material blue\n"
             "sphere 2.6 0.4 -1.3 0.4 material red\n"
             "sphere -2.5 0.28 1.1 0.28 material gold\n"
             "shape knot %ld seed %lld scale 1.05 rotate 0 18 0 move 0.15 1.02 -0.6 smooth material gold\n",
             triangles, (long long)seed);
    from_text(scene, text);
}

/* Triangles alone, for measuring: half of them ground, half in four bodies that reflect. */
void generate_landscape(struct scene *scene, long triangles, uint64_t seed) {
    char text[4000];
    const long ground = triangles / 2 < 1 ? 1 : triangles / 2, body = triangles / 8 < 1 ? 1 : triangles / 8;
    snprintf(text, sizeof text,
             "camera from 0.5 4.2 9.2 at 0 0.7 0 fov 46\n"
             "background 0.9 0.92 0.95 to 0.3 0.5 0.85\n"
             "ambient 0.2 0.22 0.26\n"
             "sun 0.6 0.75 0.45 colour 0.85 0.8 0.72\n"
             "material ground colour 0.42 0.5 0.27 specular 0.02\n"
             "material metal colour 0.8 0.82 0.85 diffuse 0.35 specular 0.5 shine 90 reflect 0.6\n"
             "material copper colour 0.85 0.5 0.3 diffuse 0.45 specular 0.4 shine 60 reflect 0.45\n"
             "shape terrain %ld seed %lld scale 10 4 10 smooth material ground\n"
             "shape blob %ld seed %lld scale 1.35 move -2.6 1.7 1.2 smooth material metal\n"
             "shape blob %ld seed %lld scale 1.1 move 2.4 1.5 2.6 smooth material copper\n"
             "shape blob %ld seed %lld scale 1.7 move 1.6 2.3 -2.4 smooth material metal\n"
             "shape blob %ld seed %lld scale 0.9 move -0.2 1.2 4 smooth material copper\n",
             ground, (long long)seed, body, (long long)seed + 1, body, (long long)seed + 2, body, (long long)seed + 3,
             body, (long long)seed + 4);
    from_text(scene, text);
}
