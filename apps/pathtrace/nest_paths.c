/* SPDX-License-Identifier: Apache-2.0 */
/* The loop over the pixels. An iteration follows one ray after another; where a path ends the next sample begins, so
 * that the lanes of a GPU do not wait for the longest path. */
#include "path.h"
#include "render.h"

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
