/* SPDX-License-Identifier: Apache-2.0 */
/* The loop over the pixels. An iteration follows one ray after another; where a path ends the next sample begins, so
 * that the lanes of a GPU do not wait for the longest path. */
#include "path.h"
#include "render.h"

#if TRAVERSE_GROUPS
/* On a GPU lanes whose path is at a shadow ray and lanes that look for a surface go through the hierarchy together, in
 * one place of the kernel. */
RAY_INLINE struct vec3 follow(const struct view *view, uint32_t pixel, struct vec3 film, uint32_t first,
                              uint32_t samples, uint32_t *rays) {
    const struct frame *f = view->frame;
    struct extension ray; /* or the next one, while a shadow ray is on its way */
    struct vec3 light = vec(0, 0, 0), brought = vec(0, 0, 0);
    float limit = VIEW_FAR;
    uint32_t sample = first, shadow = 0, next = 0;
    if (!start_path(f, pixel, sample, 0, &ray))
        return film;
    struct ray line = {ray.origin, ray.direction};
    struct probe p = start_probe(f->extent, f->triangles, &line, limit);
    for (bool more = true; more;) {
        const uint32_t lanes = lanes_here();
#if defined(__NVPTX__)
        __asm__("" : "+r"(shadow)); /* else clang makes two ways through the hierarchy of one */
#endif
        bvh_traverse(view->nodes, view->blocks, &p, shadow ? f : 0, limit);
        ++*rays;
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
            more = ++sample < first + samples;
            start_path(f, pixel, sample, 0, &ray);
        }
        if (!shadow) {
            line = (struct ray){ray.origin, ray.direction};
            limit = VIEW_FAR;
        }
        p = start_probe(f->extent, f->triangles, &line, limit);
        lanes_meet(lanes);
    }
    return film;
}
#else
RAY_INLINE struct vec3 follow(const struct view *view, uint32_t pixel, struct vec3 film, uint32_t first,
                              uint32_t samples, uint32_t *rays) {
    struct extension ray;
    struct vec3 light = vec(0, 0, 0);
    uint32_t sample = first;
    if (!start_path(view->frame, pixel, sample, 0, &ray))
        return film;
    while (sample < first + samples) {
        const struct hit hit = extend(view, &ray);
        const struct shaded s = shade(view, &ray, &hit);
        ++*rays;
        light = plus(light, s.light);
        if (s.made & SHADE_SHADOW) {
            light = plus(light, connect(view, &s.shadow));
            ++*rays;
        }
        if (s.made & SHADE_NEXT) {
            ray = s.next;
            continue;
        }
        film = plus(film, light);
        light = vec(0, 0, 0);
        start_path(view->frame, pixel, ++sample, 0, &ray);
    }
    return film;
}
#endif

#ifdef RENDER_WIDE
RENDER_WIDE_FUNCTION void follow_wide(const struct view *view, uint32_t pixel, struct vec3 *film, uint32_t first,
                                      uint32_t samples, uint32_t *rays) {
    *film = follow(view, pixel, *film, first, samples, rays);
}
#endif

unsigned long RENDER_NEST(paths)(RENDER_SCENE, struct vec3 *film, long n, uint32_t first, uint32_t samples) {
    unsigned long total = 0;
    (void)node_count, (void)block_count, (void)face_count, (void)normal_count, (void)material_count, (void)light_count;
#pragma heddle for independent schedule(auto) map(to: frame[0:1], nodes[0:node_count], blocks[0:block_count], faces[0:face_count]) \
    map(to: normals[0:normal_count], materials[0:material_count], lights[0:light_count]) \
    map(tofrom: film[heddle_lo:heddle_count]) reduction(+: total)
    for (long i = 0; i < n; i++) {
        const struct view view = {frame, nodes, blocks, faces, normals, materials, lights};
        uint32_t rays = 0;
#ifdef RENDER_WIDE
        if (frame->wide)
            follow_wide(&view, (uint32_t)i, &film[i], first, samples, &rays);
        else
#endif
            film[i] = follow(&view, (uint32_t)i, get(&film[i]), first, samples, &rays);
        total += rays;
    }
    return total;
}
