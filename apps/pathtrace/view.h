/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture is computed from, on every device: arrays, and one frame that holds their numbers and the camera. And
 * the rays that are on their way. */
#ifndef PATHTRACE_VIEW_H
#define PATHTRACE_VIEW_H

#include "scene.h"

enum { VIEW_TILE_WIDTH = 8, VIEW_TILE_HEIGHT = 4, VIEW_TILE = 32, VIEW_DEPTH_MOST = 1000, VIEW_SAMPLES_MOST = 1 << 20 };
#define VIEW_FAR 0x1p60f

struct frame {
    struct vec3 from, corner, across, down; /* of the picture: its upper left corner, and the steps of a pixel */
    struct vec3 sky;
    float extent[3], power; /* power: of all lights */
    uint32_t triangles, lights, seed;
    int32_t width, height, tiles_across;
    int32_t depth; /* surfaces that a path may meet */
    int32_t wide;  /* the host has AVX2 */
};

struct view {
    const struct frame *frame;
    const struct bvh_node *nodes;
    const struct bvh_block *blocks;
    const struct face *faces;
    const struct vec3 *normals;
    const struct material *materials;
    const struct light *lights;
};

/* A ray that looks for the next surface of a path. */
struct extension {
    struct vec3 origin, direction, weight;
    float density; /* with which its direction was chosen; 0: no other way leads there (camera, mirror, glass) */
    uint32_t path; /* of the batch */
    uint32_t pixel, sample; /* pixel: in the order of tiles */
    int32_t depth;          /* surfaces that were met */
};

/* A ray that asks whether a point of a light is seen; what it brings if so. */
struct shadow {
    struct vec3 origin, direction, light;
    float limit;
    uint32_t path;
};

/* What a surface makes of an extension ray. */
enum { SHADE_NEXT = 1, SHADE_SHADOW = 2 };
struct shaded {
    struct vec3 light; /* given by what was met */
    int32_t made;      /* SHADE_*: which of these there are */
    struct extension next;
    struct shadow shadow;
};

#endif
