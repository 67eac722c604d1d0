/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the arm touches something: forward kinematics body by body, bounds of links, then their spheres. */
#ifndef PLANNER_COLLIDE_H
#define PLANNER_COLLIDE_H

#include "lanes.h"
#include "scene.h"

struct pose {
    lanes turn[9], move[3]; /* rows */
};

struct arm {
    struct pose body[JOINTS_MOST + 1];
    lanes bound[LINKS_MOST][3];
};

/* Column k of a product of turns; the right factor is the joint's. */
LANES_INLINE void pose_column(struct pose *to, const struct pose *from, const struct joint *joint, int k) {
    const int axis = joint->copy[k];
    const float x = joint->turn[k], y = joint->turn[3 + k], z = joint->turn[6 + k];
    for (int row = 0; row < 3; row++)
        if (axis > 0)
            to->turn[3 * row + k] = from->turn[3 * row + axis - 1];
        else if (axis < 0)
            to->turn[3 * row + k] = -from->turn[3 * row - axis - 1];
        else
            to->turn[3 * row + k] = from->turn[3 * row] * x + from->turn[3 * row + 1] * y + from->turn[3 * row + 2] * z;
}

LANES_INLINE void pose_point(const struct pose *pose, const float *at, lanes out[3]) {
    for (int row = 0; row < 3; row++)
        out[row] = pose->move[row] +
                   (pose->turn[3 * row] * at[0] + pose->turn[3 * row + 1] * at[1] + pose->turn[3 * row + 2] * at[2]);
}

LANES_INLINE void pose_follow(const struct joint *joint, const struct pose *from, const lanes *q, struct pose *to) {
    pose_point(from, joint->move, to->move);
    for (int k = 0; k < 3; k++)
        pose_column(to, from, joint, k);
    if (joint->slides) {
        for (int row = 0; row < 3; row++)
            to->move[row] += to->turn[3 * row + 2] * *q;
        return;
    }
    lanes s, c;
    lanes_sincos(q, &s, &c);
    for (int row = 0; row < 3; row++) {
        const lanes x = to->turn[3 * row], y = to->turn[3 * row + 1];
        to->turn[3 * row] = x * c + y * s;
        to->turn[3 * row + 1] = y * c - x * s;
    }
}

/* Whether a sphere touches the obstacle in any lane. */
LANES_INLINE int hits_obstacle(const struct obstacle *o, const lanes at[3], float radius) {
    const float reach = (radius + o->round) * (radius + o->round);
    lanes u = (at[0] * o->axes[0] + at[1] * o->axes[1]) + (at[2] * o->axes[2] - o->middle[0]),
          v = (at[0] * o->axes[3] + at[1] * o->axes[4]) + (at[2] * o->axes[5] - o->middle[1]),
          w = LANES_ABS((at[0] * o->axes[6] + at[1] * o->axes[7]) + (at[2] * o->axes[8] - o->middle[2])) - o->half[2];
    if (o->cylinder) {
        u = LANES_ROOT(u * u + v * v) - o->half[0];
        v = u * 0;
    } else {
        u = LANES_ABS(u) - o->half[0];
        v = LANES_ABS(v) - o->half[1];
    }
    u = LANES_POSITIVE(u);
    v = LANES_POSITIVE(v);
    w = LANES_POSITIVE(w);
    const lanes_mask any = LANES_LESS(u * u + v * v + w * w, reach);
    return lanes_any(&any);
}

LANES_INLINE int hits_sphere(const lanes a[3], const lanes b[3], float reach) {
    const lanes x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    const lanes_mask any = LANES_LESS(x * x + y * y + z * z, reach * reach);
    return lanes_any(&any);
}

/* A link against what stands around: its bound first, its spheres where the bound touches. */
LANES_INLINE int link_hits(const struct robot *robot, const struct problem *problem, const struct obstacle *obstacles,
                           const struct arm *arm, int k) {
    const struct link_spheres *link = &robot->link[k];
    for (int o = problem->first; o < problem->first + problem->count; o++) {
        if (obstacles[o].free >> k & 1 || !hits_obstacle(&obstacles[o], arm->bound[k], link->bound[3]))
            continue;
        if (link->count == 1)
            return 1;
        for (int s = link->first; s < link->first + link->count; s++) {
            lanes at[3];
            pose_point(&arm->body[link->body], robot->sphere[s], at);
            if (hits_obstacle(&obstacles[o], at, robot->sphere[s][3]))
                return 1;
        }
    }
    return 0;
}

LANES_INLINE int links_hit(const struct robot *robot, const struct arm *arm, int i, int k) {
    const struct link_spheres *a = &robot->link[i], *b = &robot->link[k];
    if (!hits_sphere(arm->bound[i], arm->bound[k], a->bound[3] + b->bound[3]))
        return 0;
    for (int s = a->first; s < a->first + a->count; s++) {
        lanes at[3];
        pose_point(&arm->body[a->body], robot->sphere[s], at);
        if (!hits_sphere(at, arm->bound[k], robot->sphere[s][3] + b->bound[3]))
            continue;
        for (int t = b->first; t < b->first + b->count; t++) {
            lanes other[3];
            pose_point(&arm->body[b->body], robot->sphere[t], other);
            if (hits_sphere(at, other, robot->sphere[s][3] + robot->sphere[t][3]))
                return 1;
        }
    }
    return 0;
}

/* Whether the arm touches an obstacle or itself in any of LANES positions q[joint][lane]. */
LANES_INLINE int arm_hits(const struct robot *robot, const struct problem *problem, const struct obstacle *obstacles,
                          const lanes *q) {
    struct arm arm;
    int link = 0;
    for (int k = 0; k < 9; k++)
        arm.body[0].turn[k] = *q * 0 + (k % 4 ? 0.0f : 1.0f);
    for (int k = 0; k < 3; k++)
        arm.body[0].move[k] = *q * 0;
    for (int body = 0; body <= robot->joints; body++) { /* links are in the order of their bodies */
        if (body)
            pose_follow(&robot->joint[body - 1], &arm.body[robot->joint[body - 1].parent], &q[body - 1],
                        &arm.body[body]);
        for (; link < robot->links && robot->link[link].body == body; link++) {
            pose_point(&arm.body[body], robot->link[link].bound, arm.bound[link]);
            if (link_hits(robot, problem, obstacles, &arm, link))
                return 1;
            for (int other = 0; other < link; other++)
                if (problem->apart[link] >> other & 1 && links_hit(robot, &arm, other, link))
                    return 1;
        }
    }
    return 0;
}

#endif
