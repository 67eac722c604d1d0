/* SPDX-License-Identifier: Apache-2.0 */
/* What a ray meets in a scene: the hierarchy's primitives (bvh/ray.h), and planes, which are in no box. */
#ifndef RAYTRACE_TRAVERSE_H
#define RAYTRACE_TRAVERSE_H

#include "view.h"

struct probe;
struct shadow {
    const struct view *view;
    int32_t shade; /* of SCENE_SHADE_OPAQUE */
};
RAY_INLINE bool darken(struct shadow *shadow, const struct probe *p);

#define BVH_CONTEXT struct shadow
#define BVH_ENOUGH darken
#include "ray.h"

/* Of a hit between the ends of a shadow's ray: true when no light is left. */
RAY_INLINE bool darken(struct shadow *shadow, const struct probe *p) {
    const struct view *view = shadow->view;
    shadow->shade += view->frame->opaque ? SCENE_SHADE_OPAQUE : view->materials[view->faces[p->best.id].material].shade;
    return shadow->shade >= SCENE_SHADE_OPAQUE;
}

/* The first hit closer than `limit`; planes come after all else at equal distance. */
RAY_INLINE struct hit closest(const struct view *view, const struct ray *ray, float limit) {
    struct probe p = start_probe(view->frame->extent, view->frame->triangles, ray, limit);
    bvh_traverse(view->nodes, view->blocks, &p, NULL, limit);
    for (uint32_t k = 0; k < view->frame->planes; k++) {
        const struct plane *plane = &view->planes[k];
        const struct vec3 n = get(&plane->normal);
        const float t = (plane->offset - dot(n, ray->origin)) / dot(n, ray->direction);
        if (t > 0 && t < p.best.t)
            p.best = (struct hit){t, VIEW_PLANE + k, 0};
    }
    return p.best;
}

/* How much of the light from the ray's other end is taken, of SCENE_SHADE_OPAQUE. A sum of integers does not depend on
 * the order. */
RAY_INLINE int32_t shade_between(const struct view *view, const struct ray *ray, float limit) {
    struct probe p = start_probe(view->frame->extent, view->frame->triangles, ray, limit);
    struct shadow shadow = {view, 0};
    for (uint32_t k = 0; k < view->frame->planes && shadow.shade < SCENE_SHADE_OPAQUE; k++) {
        const struct plane *plane = &view->planes[k];
        const struct vec3 n = get(&plane->normal);
        const float t = (plane->offset - dot(n, ray->origin)) / dot(n, ray->direction);
        if (t > 0 && t < limit)
            shadow.shade += view->materials[plane->material].shade;
    }
    if (shadow.shade < SCENE_SHADE_OPAQUE)
        bvh_traverse(view->nodes, view->blocks, &p, &shadow, limit);
    return shadow.shade < SCENE_SHADE_OPAQUE ? shadow.shade : SCENE_SHADE_OPAQUE;
}

#endif
