/* SPDX-License-Identifier: Apache-2.0 */
/* A picture as jobs. A pixel makes its light, or the path that a GPU has left off after so many rays; a path likewise.
 * Where a path ends the pixel's next sample begins, so that the lanes of a GPU do not wait for the longest path.
 * Compiled twice: as it stands, and with the pragmas ignored. */
#include "path.h"
#include "render.h"

#ifndef RENDER_ON_GPU /* tests take a GPU's jobs on processors */
#if defined(__NVPTX__) || defined(__AMDGCN__)
#define RENDER_ON_GPU 1
#else
#define RENDER_ON_GPU 0
#endif
#endif

#if TRAVERSE_GROUPS
/* On a GPU lanes whose path is at a shadow ray and lanes that look for a surface go through the hierarchy together, in
 * one place of the kernel. False: there is more of it than `most` rays. */
RAY_INLINE bool follow(const struct view *view, struct path *path, uint32_t last, uint32_t most, uint32_t *rays) {
    const struct frame *f = view->frame;
    struct extension ray = path->ray; /* or the next one, while a shadow ray is on its way */
    struct vec3 light = path->light, film = path->film, brought = vec(0, 0, 0);
    float limit = VIEW_FAR;
    uint32_t shadow = 0, next = 0, counted = 0;
    const uint32_t pixel = ray.pixel;
    uint32_t sample = ray.sample;
    struct ray line = {ray.origin, ray.direction};
    struct probe p = start_probe(f->extent, f->triangles, &line, limit);
    for (bool more = true; more;) {
        const uint32_t lanes = lanes_here();
#if defined(__NVPTX__)
        __asm__("" : "+r"(shadow)); /* else clang makes two ways through the hierarchy of one */
#endif
        bvh_traverse(view->nodes, view->blocks, &p, shadow ? f : 0, limit);
        ++counted;
        if (shadow) {
            light = plus(light, p.best.id == BVH_NOTHING ? brought : vec(0, 0, 0));
            shadow = 0;
        } else {
            const struct shaded s = shade(view, &ray, &p.best);
            light = plus(light, s.light);
            ray = s.next;
            line = (struct ray){s.shadow.origin, s.shadow.direction};
            brought = s.shadow.light;
            limit = s.shadow.limit;
            next = s.made & SHADE_NEXT;
            shadow = s.made & SHADE_SHADOW;
        }
        if (!shadow && !next) {
            film = plus(film, light);
            light = vec(0, 0, 0);
            more = ++sample < last;
            start_path(f, pixel, sample, &ray);
        }
        if (!shadow) {
            line = (struct ray){ray.origin, ray.direction};
            limit = VIEW_FAR;
            more = more && counted < most;
        }
        p = start_probe(f->extent, f->triangles, &line, limit);
        lanes_meet(lanes);
    }
    *path = (struct path){ray, light, film};
    *rays = counted;
    return sample == last;
}
#else
RAY_INLINE bool follow(const struct view *view, struct path *path, uint32_t last, uint32_t most, uint32_t *rays) {
    struct extension ray = path->ray;
    struct vec3 light = path->light, film = path->film;
    uint32_t sample = ray.sample, counted = 0;
    while (sample < last && counted < most) {
        const struct hit hit = extend(view, &ray);
        const struct shaded s = shade(view, &ray, &hit);
        ++counted;
        light = plus(light, s.light);
        if (s.made & SHADE_SHADOW) {
            light = plus(light, connect(view, &s.shadow));
            ++counted;
        }
        if (s.made & SHADE_NEXT) {
            ray = s.next;
            continue;
        }
        film = plus(film, light);
        light = vec(0, 0, 0);
        start_path(view->frame, ray.pixel, ++sample, &ray);
    }
    *path = (struct path){ray, light, film};
    *rays = counted;
    return sample == last;
}
#endif

RAY_INLINE uint32_t most_rays(const struct frame *frame) {
    return RENDER_ON_GPU && frame->cut > 0 ? (uint32_t)frame->cut : UINT32_MAX;
}

#ifdef RENDER_WIDE
RENDER_WIDE_FUNCTION bool follow_wide(const struct view *view, struct path *path, uint32_t last, uint32_t *rays) {
    return follow(view, path, last, most_rays(view->frame), rays);
}
#endif

/* The light of all samples, or what is left of them. */
RAY_INLINE uint32_t go(const struct view *view, struct path *path, uint32_t last, struct paths *paths,
                       struct pixels *done) {
    uint32_t rays = 0;
    bool ended;
#ifdef RENDER_WIDE
    if (view->frame->wide)
        ended = follow_wide(view, path, last, &rays);
    else
#endif
        ended = follow(view, path, last, most_rays(view->frame), &rays);
    if (ended)
        heddle_list_append(done, (struct pixel){path->film, path->ray.pixel});
    else
        heddle_list_append(paths, *path);
    return rays;
}

unsigned long RENDER_NEST(jobs)(RENDER_SCENE, struct pixels *pixels, struct paths *paths, struct pixels *done,
                                uint32_t first, uint32_t last) {
    unsigned long total = 0, more = 0;
    (void)node_count, (void)block_count, (void)face_count, (void)normal_count, (void)material_count, (void)light_count;
#pragma heddle jobs
    while (pixels->count || paths->count) {
#pragma heddle for append(paths, done) reduction(+: total) map(to: frame[0:1], nodes[0:node_count], blocks[0:block_count]) \
    map(to: faces[0:face_count], normals[0:normal_count], materials[0:material_count], lights[0:light_count])
        for (long k = 0; k < pixels->count; k++) {
            const struct pixel pixel = pixels->at[k];
            const struct view view = {frame, nodes, blocks, faces, normals, materials, lights};
            struct path path = {.light = vec(0, 0, 0), .film = pixel.film};
            start_path(frame, pixel.number, first, &path.ray);
            total += go(&view, &path, last, paths, done);
        }
        heddle_list_clear(pixels);
#pragma heddle for append(paths, done) reduction(+: more) map(to: frame[0:1], nodes[0:node_count], blocks[0:block_count]) \
    map(to: faces[0:face_count], normals[0:normal_count], materials[0:material_count], lights[0:light_count])
        for (long k = 0; k < paths->count; k++) {
            const struct path job = paths->at[k];
            const struct view view = {frame, nodes, blocks, faces, normals, materials, lights};
            struct path path = job;
            more += go(&view, &path, last, paths, done);
        }
        heddle_list_clear(paths);
    }
    return total + more;
}
