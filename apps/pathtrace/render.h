/* SPDX-License-Identifier: Apache-2.0 */
/* From a scene to a film: sums of light, pixel by pixel in the order of tiles. Two programs compute the same bits: one
 * loop over the pixels, whose iterations follow their paths to the end (nest_paths.c), and lists of rays by type, a
 * loop for each (nest_stages.c, lists.c). Both are compiled twice: with pragmas, and without as the reference. */
#ifndef PATHTRACE_RENDER_H
#define PATHTRACE_RENDER_H

#include "view.h"

#ifdef PATHTRACE_SERIAL
#define RENDER_NEST(name) name##_serial
#else
#define RENDER_NEST(name) name##_heddle
#endif

/* The scene as loops take it: arrays with at least one element each. */
#define RENDER_SCENE                                                                                                   \
    const struct frame *frame, const struct bvh_node *nodes, size_t node_count, const struct bvh_block *blocks,        \
        size_t block_count, const struct face *faces, size_t face_count, const struct vec3 *normals,                   \
        size_t normal_count, const struct material *materials, size_t material_count, const struct light *lights,      \
        size_t light_count

/* Samples `first` and on of the n pixels of the film; returns the number of rays. */
typedef unsigned long render_paths(RENDER_SCENE, struct vec3 *film, long n, uint32_t first, uint32_t samples);
extern render_paths paths_heddle, paths_serial;

/* One stage for a list of n rays. */
typedef void render_extend(RENDER_SCENE, const struct extension *rays, struct hit *hits, long n);
typedef void render_shade(RENDER_SCENE, const struct extension *rays, const struct hit *hits, struct shaded *made,
                          long n);
typedef void render_connect(RENDER_SCENE, const struct shadow *shadows, struct vec3 *light, long n);
extern render_extend extend_heddle, extend_serial;
extern render_shade shade_heddle, shade_serial;
extern render_connect connect_heddle, connect_serial;

struct render_stages {
    render_paths *paths;
    render_extend *extend;
    render_shade *shade;
    render_connect *connect;
};
extern const struct render_stages render_heddle, render_serial;

struct picture {
    struct frame frame;
    const struct scene *scene;
    const struct bvh *bvh;
};

void render_set_frame(struct picture *picture, int width, int height, int depth, uint32_t seed);
/* Pixels of the film: those of whole tiles. */
long render_pixels(const struct frame *frame);
/* Both return the number of rays. */
unsigned long render_run(const struct render_stages *by, const struct picture *picture, struct vec3 *film,
                         uint32_t first, uint32_t samples);
unsigned long render_lists(const struct render_stages *by, const struct picture *picture, struct vec3 *film,
                           uint32_t first, uint32_t samples);

/* RENDER_SCENE of a picture. */
#define RENDER_ARGUMENTS(p)                                                                                            \
    &(p)->frame, (p)->bvh->nodes, (p)->bvh->node_count, (p)->bvh->blocks, (p)->bvh->block_count, (p)->scene->faces,    \
        (p)->scene->triangle_count, (p)->scene->normals, (p)->scene->normal_count, (p)->scene->materials,              \
        (p)->scene->material_count, (p)->scene->lights, (p)->scene->light_count + 1

/* The host has a second form of a stage: the same source for vectors of eight. */
#if defined(__x86_64__) && !defined(__NVPTX__) && !defined(__AMDGCN__)
#define RENDER_WIDE 1
#define RENDER_WIDE_FUNCTION __attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt"))) static
#endif

#endif
