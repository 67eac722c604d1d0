/* SPDX-License-Identifier: Apache-2.0 */
/* The loop over the pixels. Compiled twice: as it stands, and with the pragmas ignored: the reference of --check. */
#include "render.h"

#include "shade.h"

/* The host has a second form of a pixel: the same source for vectors of eight. */
#if defined(__x86_64__) && !defined(__NVPTX__) && !defined(__AMDGCN__)
__attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt"))) static uint32_t pixel_wide(const struct view *view,
                                                                                     long index, uint32_t *rays) {
    return shade_pixel(view, index, rays);
}

RAY_INLINE uint32_t pixel(const struct view *view, long index, uint32_t *rays) {
    return view->frame->wide ? pixel_wide(view, index, rays) : shade_pixel(view, index, rays);
}
#else
#define pixel shade_pixel
#endif

unsigned long RENDER_NEST(render)(const struct frame *frame, const struct bvh_node *nodes, size_t node_count,
                                  const struct bvh_block *blocks, size_t block_count, const struct face *faces,
                                  size_t face_count, const struct vec3 *normals, size_t normal_count,
                                  const struct plane *planes, const struct light *lights,
                                  const struct material *materials, size_t material_count, uint32_t *out, long n) {
    const size_t plane_count = frame->planes ? frame->planes : 1, light_count = frame->lights ? frame->lights : 1;
    unsigned long total = 0;
    (void)node_count, (void)block_count, (void)face_count, (void)normal_count, (void)material_count, (void)plane_count,
        (void)light_count;
#pragma heddle for independent schedule(auto) map(to: frame[0:1], nodes[0:node_count], blocks[0:block_count], faces[0:face_count]) \
    map(to: normals[0:normal_count], planes[0:plane_count], lights[0:light_count], materials[0:material_count]) \
    map(from: out[heddle_lo:heddle_count]) reduction(+: total)
    for (long i = 0; i < n; i++) {
        const struct view view = {frame, nodes, blocks, faces, normals, planes, lights, materials};
        uint32_t rays = 0;
        out[i] = pixel(&view, i, &rays);
        total += rays;
    }
    return total;
}
