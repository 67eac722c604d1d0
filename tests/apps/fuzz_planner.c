/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a robot, a request or a scene: the readers end, stay in bounds, and either keep their promises or say
 * what is wrong. The first byte says which. Built for libFuzzer with -DHEDDLE_FUZZ=ON; fuzz_planner_main.c runs the
 * same function on fixed inputs in ctest. */
#include "nest.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept) {
    if (!kept)
        abort();
}

static void look_at(const struct robot *robot, const struct robot_names *names, const struct problems *all) {
    struct settings s = {.range = 1, .resolution = 8, .radius = 4, .least_radius = 1, .nodes = 64, .samples = 8};
    float place[64 * JOINTS_MOST], reach[64], path[WAYPOINTS_MOST * JOINTS_MOST];
    int parent[64];
    struct answer answer;
    (void)names;
    plan_one_host(robot, &s, all->problem, all->obstacle, place, parent, reach, &answer, path);
    promise(answer.outcome >= 0 && answer.outcome < OUTCOMES && answer.corners <= WAYPOINTS_MOST);
}

static void fuzz_robot(const char *text, size_t size) {
    struct robot robot;
    struct robot_names names;
    struct complaint c = {""};
    const bool good = robot_parse(&robot, &names, "fuzz", text, size, &c);
    promise(good || (!strncmp(c.text, "fuzz:", 5) && strlen(c.text) > 8));
    if (!good)
        return;
    promise(robot.joints > 0 && robot.joints <= JOINTS_MOST && robot.links > 0 && robot.links <= LINKS_MOST);
    for (int j = 0; j < robot.joints; j++)
        promise(robot.joint[j].parent <= j && robot.joint[j].low < robot.joint[j].high);
    for (int k = 0; k < robot.links; k++)
        promise(robot.link[k].bound[3] > 0 && robot.link[k].first + robot.link[k].count <= SPHERES_MOST);
}

static void fuzz_problem(bool is_scene, const char *text, size_t size) {
    static const char request[] =
        "start_state: {joint_state: {name: [axis1, axis2, axis3, axis4, axis5, axis6, axis7], "
        "position: [0, 0, 0, -1, 0, 2, 0]}}\ngoal_constraints: [joint_constraints: [{joint_name: "
        "axis1, position: 1}, {joint_name: axis2, position: 1}, {joint_name: axis3, position: 1}, "
        "{joint_name: axis4, position: -1}, {joint_name: axis5, position: 1}, {joint_name: axis6, "
        "position: 1}, {joint_name: axis7, position: 1}]]\n";
    struct robot robot;
    struct robot_names names;
    struct problems all = {0};
    struct complaint c = {""};
    robot_built_in(&robot, &names);
    const struct yaml_text given = {"fuzz", text, size}, empty = {"scene", "world: {}\n", 10},
                           fixed = {"request", request, sizeof request - 1};
    const bool good =
        problems_parse(&all, &robot, &names, "fuzz", is_scene ? &fixed : &given, is_scene ? &given : &empty, &c);
    promise(good || (!strncmp(c.text, "fuzz:", 5) && strlen(c.text) > 8));
    if (good) {
        problems_finish(&all, &robot);
        look_at(&robot, &names, &all);
    }
    problems_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size)
        return 0;
    char *text = app_alloc(size, 1); /* the readers may look at the zero behind the end */
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    if (*data % 3 == 0)
        fuzz_robot(text, size - 1);
    else
        fuzz_problem(*data % 3 == 1, text, size - 1);
    free(text);
    return 0;
}
