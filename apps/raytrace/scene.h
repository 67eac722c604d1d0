/* SPDX-License-Identifier: Apache-2.0 */
/* A scene: what is in a scene file (scene_read.c), an OBJ file (obj.c) or made from a seed (generate.c). Lengths have
 * no unit, y is up, colours are linear and 1 is white. */
#ifndef RAYTRACE_SCENE_H
#define RAYTRACE_SCENE_H

#include "bvh.h"
#include "obj.h"

#include <stdio.h>

enum { SCENE_SHADE_OPAQUE = 256, SCENE_NAME_MOST = 64 };
#define SCENE_COORDINATE_MOST OBJ_COORDINATE_MOST
#define SCENE_PRIMITIVES_MOST OBJ_COUNT_MOST

struct material {
    struct vec3 colour, other; /* other: of every second cube where checks > 0 */
    float checks;              /* cubes per unit of length */
    float ambient, diffuse, specular, reflect, transmit, index;
    int32_t shine; /* exponent of the highlight */
    int32_t shade; /* what a surface takes of the light behind it, of 256; the sum over all surfaces counts */
};

struct light {
    struct vec3 place; /* or, of a sun, the direction to it (unit) */
    struct vec3 colour;
    float radius; /* 0: sharp shadows */
    int32_t sun;
};

struct plane {
    struct vec3 normal; /* unit */
    float offset;       /* dot(normal, point) */
    uint32_t material;
};

/* Of a primitive: its material and, for a triangle with smooth shading, the normals at its corners. Spheres follow the
 * triangles. */
#define FACE_FLAT UINT32_MAX
struct face {
    uint32_t normal[3]; /* normal[0] == FACE_FLAT: none */
    uint32_t material;
};

struct camera {
    struct vec3 from, at, up;
    float fov; /* degrees, of the picture's height */
};

struct scene {
    struct vec3 *points, *normals;
    struct bvh_triangle *triangles;
    struct face *faces; /* of the triangles, then of the spheres */
    struct bvh_sphere *spheres;
    struct plane *planes;
    struct light *lights;
    struct material *materials;
    char (*names)[SCENE_NAME_MOST]; /* of the materials */
    size_t point_count, normal_count, triangle_count, sphere_count, plane_count, light_count, material_count;
    size_t point_room, normal_room, triangle_room, face_room, sphere_room, plane_room, light_room, material_room;
    uint32_t *sphere_materials;
    size_t sphere_material_room;
    struct camera camera;
    bool has_camera, has_background;
    struct vec3 ambient, below, above; /* background: straight down and straight up */
    unsigned notes;                    /* lines that were understood and left out (mtllib and the like) */
};

void scene_start(struct scene *scene); /* empty, with the material "default" */
void scene_free(struct scene *scene);
uint32_t scene_point(struct scene *scene, struct vec3 point);
uint32_t scene_normal(struct scene *scene, struct vec3 normal);
/* normals: three numbers, or NULL for a flat triangle. */
void scene_triangle(struct scene *scene, const uint32_t corners[3], const uint32_t *normals, uint32_t material);
void scene_sphere(struct scene *scene, struct vec3 centre, float radius, uint32_t material);
void scene_plane(struct scene *scene, struct vec3 normal, float offset, uint32_t material);
void scene_light(struct scene *scene, struct light light);
/* Replaces a material of this name. */
uint32_t scene_material(struct scene *scene, const char *name, struct material material);
/* -1: there is none. */
long scene_find_material(const struct scene *scene, const char *name);
struct material scene_plain_material(void);

/* False: nothing but planes. */
bool scene_bounds(const struct scene *scene, struct vec3 *low, struct vec3 *high);
/* What the file left out: a camera that sees everything, a light, a background. Returns what was added, for a note, or
 * "". */
const char *scene_complete(struct scene *scene);
/* After the last primitive: faces of the spheres behind those of the triangles. */
void scene_finish(struct scene *scene);
/* What rays may meet, for bvh_build. */
struct bvh_primitives scene_primitives(const struct scene *scene);

/* What happens to a mesh on its way into a scene: scale, then turn about x, y, z (degrees), then move. */
struct placing {
    struct vec3 scale, turn, move;
    uint32_t material;
    bool smooth; /* normals are averaged where the file has none */
};
struct placing placing_none(void);
/* Points from first_point on and normals from first_normal on. False: a point leaves the range of coordinates. */
bool scene_place(struct scene *scene, const struct placing *placing, size_t first_point, size_t first_normal);
/* Averaged normals for the triangles from `first` on that have none. */
void scene_smooth(struct scene *scene, size_t first);

/* By what the name ends with: .obj, else a scene file. "-": a scene on standard input. */
bool scene_read(struct scene *scene, const char *path, struct complaint *c);
/* `folder`: what mesh files are relative to; NULL: a mesh line is an error. */
bool scene_parse(struct scene *scene, const char *text, size_t size, const char *name, const char *folder,
                 struct complaint *c);
/* Adds a mesh. */
bool obj_read(struct scene *scene, const char *path, const struct placing *placing, struct complaint *c);
bool obj_parse(struct scene *scene, const char *text, size_t size, const char *name, const struct placing *placing,
               struct complaint *c);
/* Seeded meshes of about so many triangles; false: no such shape. Shapes: "terrain", "knot", "blob". */
bool generate_shape(struct scene *scene, const char *shape, long triangles, uint64_t seed,
                    const struct placing *placing);
/* The pictures that come without a file. */
void generate_default(struct scene *scene, long triangles, uint64_t seed);
void generate_landscape(struct scene *scene, long triangles, uint64_t seed);

#endif
