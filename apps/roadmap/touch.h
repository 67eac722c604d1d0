/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a body at a place touches what stands around: both hierarchies at once, nodes as boxes along the world's axes
 * and along the body's, triangles by separating axes (S. Gottschalk, M. Lin, D. Manocha: OBBTree, 1996). Surfaces only:
 * a body that is all inside another one touches nothing. */
#ifndef ROADMAP_TOUCH_H
#define ROADMAP_TOUCH_H

#include "body.h"

enum { TOUCH_STACK = 2 * BVH_DEPTH_MOST + 2 };

/* Unit quaternion x, y, z, w, and a place. */
struct state {
    float turn[4], move[3];
};

struct pose {
    float turn[9], move[3]; /* rows */
};

RAY_INLINE struct pose pose_of(const struct state *s) {
    const float x = s->turn[0], y = s->turn[1], z = s->turn[2], w = s->turn[3];
    return (struct pose){{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 2 * (x * y + z * w),
                          1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 2 * (x * z - y * w), 2 * (y * z + x * w),
                          1 - 2 * (x * x + y * y)},
                         {s->move[0], s->move[1], s->move[2]}};
}

RAY_INLINE struct vec3 pose_point(const struct pose *p, struct vec3 a) {
    return vec(p->turn[0] * a.x + p->turn[1] * a.y + p->turn[2] * a.z + p->move[0],
               p->turn[3] * a.x + p->turn[4] * a.y + p->turn[5] * a.z + p->move[1],
               p->turn[6] * a.x + p->turn[7] * a.y + p->turn[8] * a.z + p->move[2]);
}

RAY_INLINE bool axis_parts(struct vec3 axis, const struct vec3 *p, const struct vec3 *q) {
    const float a = dot(axis, p[0]), b = dot(axis, p[1]), c = dot(axis, p[2]), d = dot(axis, q[0]), e = dot(axis, q[1]),
                f = dot(axis, q[2]);
    return most(most(a, b), c) < least(least(d, e), f) || most(most(d, e), f) < least(least(a, b), c);
}

/* Triangles that touch meet. An axis of length 0, of a triangle without an area or of parallel edges, parts nothing. */
RAY_INLINE bool triangles_meet(const struct vec3 *first, const struct vec3 *second) {
    struct vec3 p[3], q[3], e[3], f[3];
    for (int k = 0; k < 3; k++) { /* near 0, where numbers are dense */
        p[k] = minus(first[k], first[0]);
        q[k] = minus(second[k], first[0]);
    }
    for (int k = 0; k < 3; k++) {
        e[k] = minus(p[(k + 1) % 3], p[k]);
        f[k] = minus(q[(k + 1) % 3], q[k]);
    }
    const struct vec3 m = cross(e[0], e[1]), n = cross(f[0], f[1]);
    if (axis_parts(n, p, q) || axis_parts(m, p, q))
        return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (axis_parts(cross(e[i], f[j]), p, q))
                return false;
    for (int k = 0; k < 3; k++) /* in one plane */
        if (axis_parts(cross(m, e[k]), p, q) || axis_parts(cross(n, f[k]), p, q))
            return false;
    return true;
}

/* Boxes a of the body and b of the world; a little larger than they are, for roundings. */
RAY_INLINE bool boxes_meet(const struct pose *pose, const struct bvh_box *a, const struct bvh_box *b, float *larger) {
    float c[3], h[3], d[3], g[3], u[3];
    for (int k = 0; k < 3; k++) {
        c[k] = (a->low[k] + a->high[k]) * .5f, h[k] = (a->high[k] - a->low[k]) * .50001f;
        d[k] = (b->low[k] + b->high[k]) * .5f - pose->move[k], g[k] = (b->high[k] - b->low[k]) * .50001f;
    }
    for (int k = 0; k < 3; k++) {
        const float *r = pose->turn + 3 * k;
        u[k] = d[k] - (r[0] * c[0] + r[1] * c[1] + r[2] * c[2]);
        const float reach = magnitude(r[0]) * h[0] + magnitude(r[1]) * h[1] + magnitude(r[2]) * h[2] + g[k];
        if (magnitude(u[k]) > reach + 1e-6f * (magnitude(d[k]) + reach))
            return false;
    }
    for (int k = 0; k < 3; k++) {
        const float x = pose->turn[k], y = pose->turn[3 + k], z = pose->turn[6 + k];
        const float apart = magnitude(x * u[0] + y * u[1] + z * u[2]),
                    reach = magnitude(x) * g[0] + magnitude(y) * g[1] + magnitude(z) * g[2] + h[k];
        if (apart > reach + 1e-6f * (magnitude(d[0]) + magnitude(d[1]) + magnitude(d[2]) + reach))
            return false;
    }
    *larger = h[0] + h[1] + h[2] - (g[0] + g[1] + g[2]);
    return true;
}

RAY_INLINE bool leaves_meet(const struct pose *pose, const struct bvh_binary *a, const struct corners *body,
                            const struct bvh_binary *b, const struct corners *world) {
    for (uint32_t i = a->first; i < a->first + a->count; i++) {
        struct vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = pose_point(pose, get(&body[i].at[k]));
        for (uint32_t j = b->first; j < b->first + b->count; j++) {
            struct vec3 q[3];
            for (int k = 0; k < 3; k++)
                q[k] = get(&world[j].at[k]);
            if (triangles_meet(p, q))
                return true;
        }
    }
    return false;
}

RAY_INLINE bool body_touches(const struct state *state, const struct bvh_binary *body_nodes, const struct corners *body,
                             const struct bvh_binary *nodes, const struct corners *world) {
    const struct pose pose = pose_of(state);
    uint32_t stack[TOUCH_STACK][2], height = 1;
    stack[0][0] = stack[0][1] = 0;
    while (height) {
        const uint32_t i = stack[--height][0], j = stack[height][1];
        const struct bvh_binary *a = &body_nodes[i], *b = &nodes[j];
        float larger;
        if (!boxes_meet(&pose, &a->box, &b->box, &larger))
            continue;
        if (!a->right && !b->right) {
            if (leaves_meet(&pose, a, body, b, world))
                return true;
            continue;
        }
        const bool split = a->right && (!b->right || larger > 0); /* the body's node */
        stack[height][0] = split ? a->right : i;
        stack[height++][1] = split ? j : b->right;
        stack[height][0] = split ? i + 1 : i;
        stack[height++][1] = split ? j : j + 1;
    }
    return false;
}

#endif
