/* SPDX-License-Identifier: Apache-2.0 */
/* What a robot is once its joints and spheres are known, and the arm that is made here. */
#include "robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A column that is a unit vector but for the digits that a file gives of pi becomes one. */
static void find_copies(struct joint *joint) {
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++) {
            const float along = joint->turn[3 * axis + k], rest = fabsf(joint->turn[3 * ((axis + 1) % 3) + k]) +
                                                                  fabsf(joint->turn[3 * ((axis + 2) % 3) + k]);
            if (rest < 1e-7f)
                joint->copy[k] = (int8_t)(along < 0 ? -(axis + 1) : axis + 1);
        }
}

static float bound_radius(const struct robot *robot, const struct link_spheres *link, const float *centre) {
    float most = 0;
    for (int s = link->first; s < link->first + link->count; s++) {
        const float *sphere = robot->sphere[s], x = sphere[0] - centre[0], y = sphere[1] - centre[1],
                    z = sphere[2] - centre[2];
        most = fmaxf(most, sqrtf(x * x + y * y + z * z) + sphere[3]);
    }
    return most;
}

/* The centre moves towards the sphere that sticks out most, less and less (Badoiu, Clarkson 2003). */
static void find_bound(const struct robot *robot, struct link_spheres *link) {
    float *bound = link->bound;
    memcpy(bound, robot->sphere[link->first], 3 * sizeof *bound);
    for (int step = 1; step < 500 && link->count > 1; step++) {
        float most = -1, to[3] = {0};
        for (int s = link->first; s < link->first + link->count; s++) {
            const float *sphere = robot->sphere[s], x = sphere[0] - bound[0], y = sphere[1] - bound[1],
                        z = sphere[2] - bound[2], d = sqrtf(x * x + y * y + z * z), out = d + sphere[3];
            if (out > most) {
                const float scale = d > 0 ? out / d : 0;
                most = out, to[0] = x * scale, to[1] = y * scale, to[2] = z * scale;
            }
        }
        for (int k = 0; k < 3; k++)
            bound[k] += to[k] / (float)(step + 1);
    }
    bound[3] = bound_radius(robot, link, bound) * 1.000001f;
}

static bool follow(const struct robot *robot, int body, int other) {
    return body == other || (body && robot->joint[body - 1].parent == other) ||
           (other && robot->joint[other - 1].parent == body);
}

void robot_finish(struct robot *robot, struct robot_names *names) {
    for (int j = 0; j < robot->joints; j++)
        find_copies(&robot->joint[j]);
    for (int k = 0; k < robot->links; k++) {
        find_bound(robot, &robot->link[k]);
        names->apart[k] = 0;
        for (int other = 0; other < robot->links; other++)
            if (!follow(robot, robot->link[k].body, robot->link[other].body))
                names->apart[k] |= 1u << other;
    }
}

/* ---- an arm of seven axes: a column, an upper arm, a forearm and a hand with two fingers, 1 m of reach */

static void add_joint(struct robot *robot, struct robot_names *names, float about_x, float x, float y, float z,
                      float low, float high) {
    const int j = robot->joints++;
    const float c = about_x != 0 ? 0 : 1;
    robot->joint[j] = (struct joint){
        .parent = j, .turn = {1, 0, 0, 0, c, -about_x, 0, about_x, c}, .move = {x, y, z}, .low = low, .high = high};
    snprintf(names->joint[j], NAME_MOST, "axis%d", j + 1);
}

static void add_link(struct robot *robot, struct robot_names *names, int body, const char *name,
                     const float (*sphere)[4], int count) {
    struct link_spheres *link = &robot->link[robot->links];
    snprintf(names->link[robot->links++], NAME_MOST, "%s", name);
    *link = (struct link_spheres){.body = body, .first = link == robot->link ? 0 : link[-1].first + link[-1].count};
    for (; link->count < count; link->count++)
        memcpy(robot->sphere[link->first + link->count], sphere[link->count], sizeof *sphere);
}

#define ADD_LINK(body, name, ...)                                                                                      \
    add_link(robot, names, body, name, (const float[][4]){__VA_ARGS__}, sizeof((const float[][4]){__VA_ARGS__}) / 16)

void robot_built_in(struct robot *robot, struct robot_names *names) {
    *robot = (struct robot){0};
    *names = (struct robot_names){.robot = "arm of seven axes"};
    add_joint(robot, names, 0, 0, 0, .30f, -2.9f, 2.9f);
    add_joint(robot, names, -1, 0, 0, 0, -1.8f, 1.8f);
    add_joint(robot, names, 1, 0, -.32f, 0, -2.9f, 2.9f);
    add_joint(robot, names, 1, .06f, 0, 0, -2.9f, -.05f);
    add_joint(robot, names, -1, -.06f, .36f, 0, -2.9f, 2.9f);
    add_joint(robot, names, 1, 0, 0, 0, .1f, 3.6f);
    add_joint(robot, names, 1, .08f, 0, 0, -2.9f, 2.9f);
    ADD_LINK(0, "base", {0, 0, .06f, .09f});
    ADD_LINK(1, "column", {0, 0, -.14f, .07f}, {0, 0, -.07f, .07f}, {0, 0, 0, .08f});
    ADD_LINK(2, "shoulder", {0, -.08f, 0, .07f}, {0, -.15f, 0, .06f});
    ADD_LINK(3, "upper arm", {0, 0, -.10f, .06f}, {0, 0, -.04f, .06f}, {.05f, 0, 0, .06f});
    ADD_LINK(4, "elbow", {-.05f, .05f, 0, .06f}, {-.06f, .10f, 0, .055f});
    ADD_LINK(5, "forearm", {0, 0, -.22f, .055f}, {0, .02f, -.15f, .05f}, {0, .04f, -.08f, .045f}, {0, .02f, 0, .05f});
    ADD_LINK(6, "wrist", {0, 0, 0, .05f}, {.08f, 0, 0, .05f});
    ADD_LINK(7, "hand", {0, 0, .07f, .05f}, {0, .05f, .12f, .03f}, {0, -.05f, .12f, .03f}, {0, 0, .12f, .03f});
    ADD_LINK(7, "fingers", {0, .05f, .16f, .015f}, {0, .05f, .19f, .015f}, {0, -.05f, .16f, .015f},
             {0, -.05f, .19f, .015f});
    robot_finish(robot, names);
}
