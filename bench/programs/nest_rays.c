/* SPDX-License-Identifier: Apache-2.0 */
/* pathtrace's rays, a loop for each kind: a ray in, what it meets to the place of the same number. */
#include "path.h"
#include "paths.h"

#ifdef RENDER_WIDE
RENDER_WIDE_FUNCTION void extend_wide(const struct view *view, const struct extension *ray, struct hit *hit) {
    *hit = extend(view, ray);
}

RENDER_WIDE_FUNCTION void connect_wide(const struct view *view, const struct shadow *shadow, struct vec3 *light) {
    *light = connect(view, shadow);
}
#endif

#define UNUSED_COUNTS                                                                                                  \
    (void)node_count, (void)block_count, (void)face_count, (void)normal_count, (void)material_count,                   \
        (void)light_count, (void)normals, (void)materials, (void)lights, (void)faces, (void)nodes, (void)blocks

void RENDER_NEST(extend)(RENDER_SCENE, const struct extension *rays, struct hit *hits, long n) {
    UNUSED_COUNTS;
#pragma heddle for independent schedule(auto) map(to: frame[0:1], nodes[0:node_count], blocks[0:block_count]) \
    map(to: rays[heddle_lo:heddle_count]) map(from: hits[heddle_lo:heddle_count])
    for (long i = 0; i < n; i++) {
        const struct view view = {frame, nodes, blocks, 0, 0, 0, 0};
#ifdef RENDER_WIDE
        if (frame->wide)
            extend_wide(&view, &rays[i], &hits[i]);
        else
#endif
            hits[i] = extend(&view, &rays[i]);
    }
}

void RENDER_NEST(connect)(RENDER_SCENE, const struct shadow *shadows, struct vec3 *light, long n) {
    UNUSED_COUNTS;
#pragma heddle for independent schedule(auto) map(to: frame[0:1], nodes[0:node_count], blocks[0:block_count]) \
    map(to: shadows[heddle_lo:heddle_count]) map(from: light[heddle_lo:heddle_count])
    for (long i = 0; i < n; i++) {
        const struct view view = {frame, nodes, blocks, 0, 0, 0, 0};
#ifdef RENDER_WIDE
        if (frame->wide)
            connect_wide(&view, &shadows[i], &light[i]);
        else
#endif
            light[i] = connect(&view, &shadows[i]);
    }
}
