/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture is computed from, on every device: arrays, and one frame that holds their numbers and the camera. */
#ifndef RAYTRACE_VIEW_H
#define RAYTRACE_VIEW_H

#include "scene.h"

enum { VIEW_TILE_WIDTH = 8, VIEW_TILE_HEIGHT = 4, VIEW_TILE = 32, VIEW_DEPTH_MOST = 15 };

struct frame {
    struct vec3 from, corner, across, down; /* of the picture: its upper left corner, and the steps of a pixel */
    struct vec3 ambient, below, above;
    float extent[3];
    uint32_t triangles, planes, lights;
    int32_t width, height, tiles_across;
    int32_t samples; /* rays from the camera for a pixel */
    int32_t depth;   /* reflections and refractions one after another */
    int32_t opaque;  /* no material lets light through to what is behind it */
    int32_t wide;    /* the host has AVX2 */
};

struct view {
    const struct frame *frame;
    const struct bvh_node *nodes;
    const struct bvh_block *blocks;
    const struct face *faces;
    const struct vec3 *normals;
    const struct plane *planes;
    const struct light *lights;
    const struct material *materials;
};

/* Hits (struct hit) of planes: VIEW_PLANE and the number of a plane. */
#define VIEW_PLANE 0x80000000u
#define VIEW_MISS BVH_NOTHING

#endif
