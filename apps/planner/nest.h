/* SPDX-License-Identifier: Apache-2.0 */
/* The loop over problems: its numbers and its two forms. */
#ifndef PLANNER_NEST_H
#define PLANNER_NEST_H

#include "plan.h"

/* path[problem][WAYPOINTS_MOST][joints]; the nodes' memory has settings->nodes of each problem. */
struct planner_job {
    const struct robot *robot;
    const struct settings *settings;
    const struct problem *problems;
    const struct obstacle *obstacles;
    size_t count, obstacle_count; /* obstacles: at least one in the array */
    float *place;
    int *parent;
    float *reach;
    struct answer *answers;
    float *paths;
};

typedef void planner_loop(const struct planner_job *job);
extern planner_loop planner_heddle, planner_serial;

#ifdef PLANNER_SERIAL
#define PLANNER_NEST(name) name##_serial
#else
#define PLANNER_NEST(name) name##_heddle
#endif

/* plan_host.c: the same with the widest vectors of this CPU, and timed. */
void plan_one_host(const struct robot *robot, const struct settings *settings, const struct problem *problem,
                   const struct obstacle *obstacles, float *place, int *parent, float *reach, struct answer *answer,
                   float *path);

#endif
