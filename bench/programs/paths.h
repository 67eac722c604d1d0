/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of rays for bench-paths, and the same rays by Embree. */
#ifndef BENCH_PATHS_H
#define BENCH_PATHS_H

#include "render.h"
#include "resident.h"

typedef void paths_extend(RENDER_SCENE, const struct extension *rays, struct hit *hits, long n);
typedef void paths_connect(RENDER_SCENE, const struct shadow *shadows, struct vec3 *light, long n);
extern paths_extend extend_heddle, extend_serial;
extern paths_connect connect_heddle, connect_serial;

enum { PATHS_CAMERA, PATHS_FIRST, PATHS_LATER, PATHS_SHADOW, PATHS_KINDS };

struct paths_rays {
    struct extension *extensions; /* or */
    struct shadow *shadows;
    long count, room;
};

/* False: this program was built without Embree. */
bool paths_embree_start(const struct scene *scene);
/* One ray at a time on this core. found: the triangle, or whether anything is in the way of a shadow ray. */
void paths_embree(const struct paths_rays *rays, int kind, uint32_t *found);

#endif
