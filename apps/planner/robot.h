/* SPDX-License-Identifier: Apache-2.0 */
/* An arm as a planner needs it: joints one after another, and the spheres that cover its links. Metres and radians.
 * Flat, so that a device gets it as it stands. */
#ifndef PLANNER_ROBOT_H
#define PLANNER_ROBOT_H

#include "textfile.h"

#include <stdint.h>

enum { JOINTS_MOST = 16, LINKS_MOST = 32, SPHERES_MOST = 512, NAME_MOST = 64 };

/* A body is what a joint moves: body 0 is the base, body k + 1 follows joint k. Fixed joints are folded into bodies,
 * the axis of every joint is the z axis of its own frame. */
struct joint {
    int parent;             /* body, smaller than this joint's */
    int slides;             /* 1: prismatic, 0: revolute */
    float turn[9], move[3]; /* the frame in the parent's at 0; rows */
    int8_t copy[3];         /* column k of `turn` is a unit vector: axis + 1, negative if it points back; else 0 */
    float low, high;
};

/* What covers a link. `bound`: centre and radius around all of its spheres, in the body's frame. */
struct link_spheres {
    int body, first, count;
    float bound[4];
};

struct robot {
    int joints, links;
    struct joint joint[JOINTS_MOST];
    struct link_spheres link[LINKS_MOST];
    float sphere[SPHERES_MOST][4]; /* centre in the body's frame, radius */
};

/* What only the host wants to know. `apart[i]`: bit k: links i and k are tested against each other, if a scene does not
 * say it: those that do not follow each other. */
struct robot_names {
    char robot[NAME_MOST], joint[JOINTS_MOST][NAME_MOST], link[LINKS_MOST][NAME_MOST];
    uint32_t apart[LINKS_MOST];
};

/* URDF with spheres as collision geometry. False: the complaint says what and where. robot_parse: of text[size]. */
bool robot_read(struct robot *robot, struct robot_names *names, const char *path, struct complaint *c);
bool robot_parse(struct robot *robot, struct robot_names *names, const char *path, const char *text, size_t size,
                 struct complaint *c);
/* An arm of seven axes, made here, for runs without a file. */
void robot_built_in(struct robot *robot, struct robot_names *names);
/* The rest: bounds, unit columns, pairs. Called by both. */
void robot_finish(struct robot *robot, struct robot_names *names);

#endif
