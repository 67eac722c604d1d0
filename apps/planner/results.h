/* SPDX-License-Identifier: Apache-2.0 */
/* What is written about the problems. */
#ifndef PLANNER_RESULTS_H
#define PLANNER_RESULTS_H

#include "nest.h"

extern const char *const outcome_names[OUTCOMES];

/* A line for each problem, or for each corner of a path. False: errno says why. */
bool results_write(const char *path, const struct problems *problems, const struct answer *answers);
bool results_write_paths(const char *path, const struct robot *robot, const struct robot_names *names,
                         const struct problems *problems, const struct answer *answers, const float *paths);
/* picture.c: the obstacles and the arm along a path, as triangles of an OBJ file. path[corners][joints] */
bool picture_write(const char *file, const struct robot *robot, const struct problems *problems,
                   const struct problem *problem, const float *path, int corners);

#endif
