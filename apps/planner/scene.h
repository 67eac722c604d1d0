/* SPDX-License-Identifier: Apache-2.0 */
/* What an arm is to avoid, and from where to where it is to go. Metres and radians. */
#ifndef PLANNER_SCENE_H
#define PLANNER_SCENE_H

#include "robot.h"

enum { OBSTACLES_MOST = 1 << 16 };

/* A box around which a sphere of radius `round` rolls (a sphere: a box without size), or a cylinder along its z axis
 * with radius half[0] and half[2] up and down. */
struct obstacle {
    float axes[9];   /* rows: its axes in the world */
    float middle[3]; /* its centre along its own axes */
    float half[3], round;
    int cylinder;
    uint32_t free; /* bit k: link k may touch it, or cannot */
};

struct problem {
    float start[JOINTS_MOST], goal[JOINTS_MOST];
    int first, count;           /* obstacles */
    uint32_t apart[LINKS_MOST]; /* as in struct robot_names */
};

struct problems {
    struct problem *problem;
    char (*name)[NAME_MOST * 2];
    size_t count, room;
    struct obstacle *obstacle;
    size_t obstacles, obstacle_room;
};

/* A text of YAML and where it is from. */
struct yaml_text {
    const char *path, *text;
    size_t size;
};

/* A file sceneX.yaml or requestX.yaml with its other half beside it, or a folder of such, with its folders: MoveIt's
 * messages as YAML, as MotionBenchMaker writes them. Adds to `all`. */
bool problems_read(struct problems *all, const struct robot *robot, const struct robot_names *names, const char *path,
                   struct complaint *c);
/* One problem of two texts. */
bool problems_parse(struct problems *all, const struct robot *robot, const struct robot_names *names, const char *name,
                    const struct yaml_text *request, const struct yaml_text *scene, struct complaint *c);
/* Boxes, spheres and cylinders about the arm at random, start and goal that touch nothing. */
void problems_random(struct problems *all, const struct robot *robot, const struct robot_names *names, long count,
                     uint64_t seed);
void problems_free(struct problems *all);

/* Once a problem has all of its obstacles: links that cannot get there need no test. */
void problems_finish(struct problems *all, const struct robot *robot);

struct problem *problems_add(struct problems *all, const char *name);
/* The last problem's next one, about `centre` with rows of `axes`. */
struct obstacle *problems_obstacle(struct problems *all, const double *axes, const double *centre);

#endif
