/* SPDX-License-Identifier: Apache-2.0 */
/* The loop over problems; what one takes is not known before. */
#include "nest.h"

static inline void plan_one(const struct robot *robot, const struct settings *settings, const struct problem *problem,
                            const struct obstacle *obstacles, float *place, int *parent, float *reach,
                            struct answer *answer, float *path) {
    struct search search = {.robot = robot,
                            .problem = problem,
                            .obstacles = obstacles,
                            .settings = settings,
                            .forest = {place, parent, reach},
                            .answer = answer};
    answer->seconds = answer->shorten_seconds = 0;
    answer->outcome = search_path(&search, path);
    if (answer->outcome == OUTCOME_SOLVED)
        shorten_path(&search, path);
}

void PLANNER_NEST(planner)(const struct planner_job *job) {
    const struct robot *robot = job->robot;
    const struct settings *settings = job->settings;
    const struct problem *problems = job->problems;
    const struct obstacle *obstacles = job->obstacles;
    float *place = job->place, *reach = job->reach, *paths = job->paths;
    int *parent = job->parent;
    struct answer *answers = job->answers;
    const long nodes = settings->nodes, floats = nodes * robot->joints, path = WAYPOINTS_MOST * robot->joints,
               count = (long)job->count;
#pragma heddle for independent schedule(auto) map(to: robot[0 : 1], settings[0 : 1], obstacles[0 : job->obstacle_count]) \
    map(to: problems[heddle_lo : heddle_count]) map(from: answers[heddle_lo : heddle_count]) \
    map(from: paths[heddle_lo * path : heddle_count * path]) map(alloc: place[heddle_lo * floats : heddle_count * floats]) \
    map(alloc: parent[heddle_lo * nodes : heddle_count * nodes], reach[heddle_lo * nodes : heddle_count * nodes])
    for (long i = 0; i < count; i++)
#pragma heddle variant(host: plan_one_host)
        plan_one(robot, settings, &problems[i], obstacles, place + i * floats, parent + i * nodes, reach + i * nodes,
                 &answers[i], paths + i * path);
}
