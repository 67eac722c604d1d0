/* SPDX-License-Identifier: Apache-2.0 */
/* A scene: triangles with materials, some of which give light, a camera, and a sky that is everywhere alike. Colours
 * are linear, lengths have no unit, y is up. */
#ifndef PATHTRACE_SCENE_H
#define PATHTRACE_SCENE_H

#include "bvh.h"
#include "obj.h"

enum { SCENE_NAME_MOST = OBJ_NAME_MOST };
#define SCENE_LIGHT_MOST 1e6f /* of a channel of Ke or the sky */

/* A part `transmit` of what arrives meets glass, the rest an opaque surface: diffuse and glossy, or diffuse and mirror.
 * Per channel, diffuse + glossy is at most 1. */
struct material {
    struct vec3 diffuse, glossy, emit, tint; /* tint: of light that goes through */
    float roughness;                         /* alpha of GGX; 0: a mirror */
    float transmit, index;
    float pick;      /* probability of the glossy part */
    float intensity; /* mean of emit */
};

#define FACE_FLAT UINT32_MAX
struct face {
    uint32_t normal[3]; /* normal[0] == FACE_FLAT: none */
    uint32_t material;
};

/* A triangle that gives light, chosen by its power. */
struct light {
    struct vec3 a, b, c; /* corner and edges */
    struct vec3 normal;  /* unit */
    struct vec3 emit;
    float intensity;
    float up_to; /* share of the power of all lights up to and with this one */
};

struct camera {
    struct vec3 from, at, up;
    float fov; /* degrees, of the picture's height */
};

struct scene {
    struct vec3 *points, *normals;
    struct bvh_triangle *triangles;
    struct face *faces;
    struct material *materials;
    char (*names)[SCENE_NAME_MOST + 1];
    struct light *lights;
    size_t point_count, normal_count, triangle_count, material_count, light_count;
    size_t point_room, normal_room, triangle_room, face_room, material_room;
    float power; /* of all lights: area times intensity */
    struct vec3 sky;
    struct camera camera;
    bool has_camera, has_sky;
    unsigned notes, scaled; /* of MTL files: statements left out; materials that gave more light back than they got */
    char missing[SCENE_NAME_MOST + 1]; /* a file or material that is not there; grey takes its place */
};

void scene_start(struct scene *scene); /* empty, with the material "default" */
void scene_free(struct scene *scene);
struct material scene_grey(void);
/* Number of the material of this name, made if there is none. */
uint32_t scene_material(struct scene *scene, const char *name, int length);
bool scene_has_material(const struct scene *scene, const char *name, int length, uint32_t *number);
uint32_t scene_point(struct scene *scene, struct vec3 point);
uint32_t scene_normal(struct scene *scene, struct vec3 normal);
/* normals: three numbers, or NULL for a flat triangle. */
void scene_triangle(struct scene *scene, const uint32_t corners[3], const uint32_t *normals, uint32_t material);
/* Averaged normals for the triangles from `first` on. */
void scene_smooth(struct scene *scene, size_t first);
/* After the last triangle: materials made fit, lights, and what was not given: a camera that sees everything, a white
 * sky where nothing gives light. Returns a note on that, or "". */
const char *scene_finish(struct scene *scene);
struct bvh_primitives scene_primitives(const struct scene *scene);

/* OBJ, with its MTL files. */
bool scene_read(struct scene *scene, const char *path, struct complaint *c);
/* Materials of one file. */
bool mtl_parse(struct scene *scene, const char *text, size_t size, const char *name, struct complaint *c);
/* The scene without a file: a room of about so many triangles. */
void generate_room(struct scene *scene, long triangles, uint64_t seed);

#endif
