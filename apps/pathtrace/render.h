/* SPDX-License-Identifier: Apache-2.0 */
/* From a scene to a film: sums of light, pixel by pixel in the order of tiles, by jobs (nest_jobs.c). They are compiled
 * twice: with pragmas, and without as the reference. */
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

/* Samples from `first` to before `last` of all pixels of the list, which go to `done`; returns the number of rays. The
 * lists of jobs are empty then. */
typedef unsigned long render_jobs(RENDER_SCENE, struct pixels *pixels, struct paths *paths, struct pixels *done,
                                  uint32_t first, uint32_t last);
extern render_jobs jobs_heddle, jobs_serial;

void render_clear(const struct frame *frame, struct vec3 *film);

/* Lists, whose memory serves the next picture, too. */
struct render_work {
    struct pixels pixels, done;
    struct paths paths;
    int width, height; /* of the picture whose pixels are numbered */
    long count;        /* of these */
};

struct picture {
    struct frame frame;
    const struct scene *scene;
    const struct bvh *bvh;
};

void render_set_frame(struct picture *picture, int width, int height, int depth, uint32_t seed);
/* Pixels of the film: those of whole tiles. */
long render_pixels(const struct frame *frame);
/* Samples `first` and on are added to the film; returns the number of rays. */
unsigned long render_run(render_jobs *by, struct render_work *work, const struct picture *picture, struct vec3 *film,
                         uint32_t first, uint32_t samples);
void render_free(struct render_work *work);

/* RENDER_SCENE of a picture. */
#define RENDER_ARGUMENTS(p)                                                                                            \
    &(p)->frame, (p)->bvh->nodes, (p)->bvh->node_count, (p)->bvh->blocks, (p)->bvh->block_count, (p)->scene->faces,    \
        (p)->scene->triangle_count, (p)->scene->normals, (p)->scene->normal_count, (p)->scene->materials,              \
        (p)->scene->material_count, (p)->scene->lights, (p)->scene->light_count + 1

/* The host has a second form of a job: the same source for vectors of eight. */
#if defined(__x86_64__) && !defined(__NVPTX__) && !defined(__AMDGCN__)
#define RENDER_WIDE 1
#define RENDER_WIDE_FUNCTION __attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt"))) static
#endif

#endif
