/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture is computed from, on every device: arrays, and one frame that holds their numbers and the camera. And
 * the rays that are on their way. */
#ifndef PATHTRACE_VIEW_H
#define PATHTRACE_VIEW_H

#include "scene.h"

#include <heddle/list.h>

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
    int32_t cut;   /* rays after which a GPU leaves a path to others; 0: it follows all to the end */
};

/* Pixels are numbered tile by tile; those of tiles at the edges may lie outside the picture. */
struct place {
    int32_t x, y;
};
static inline struct place view_place(const struct frame *f, uint32_t pixel) {
    const int32_t tile = (int32_t)(pixel / VIEW_TILE), in = (int32_t)(pixel % VIEW_TILE);
    return (struct place){tile % f->tiles_across * VIEW_TILE_WIDTH + in % VIEW_TILE_WIDTH,
                          tile / f->tiles_across * VIEW_TILE_HEIGHT + in / VIEW_TILE_WIDTH};
}

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
    uint32_t pixel, sample; /* pixel: in the order of tiles */
    int32_t depth;          /* surfaces that were met */
};

/* A ray that asks whether a point of a light is seen; what it brings if so. */
struct shadow {
    struct vec3 origin, direction, light;
    float limit;
};

/* What a surface makes of an extension ray. */
enum { SHADE_NEXT = 1, SHADE_SHADOW = 2 };
struct shaded {
    struct vec3 light; /* given by what was met */
    int32_t made;      /* SHADE_*: which of these there are */
    struct extension next;
    struct shadow shadow;
};

/* ---- jobs (nest_jobs.c) ---- */
struct pixel { /* with the light of the samples before */
    struct vec3 film;
    uint32_t number;
};
/* One that was left off between two surfaces. */
struct path {
    struct extension ray;
    struct vec3 light, film; /* of this sample so far, of those before */
};
struct pixels HEDDLE_LIST(struct pixel);
struct paths HEDDLE_LIST(struct path);

#endif
