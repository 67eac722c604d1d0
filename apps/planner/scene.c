/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of problems, and problems made here. */
#include "collide.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

struct problem *problems_add(struct problems *all, const char *name) {
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 64;
        all->problem = app_resize(all->problem, all->room, sizeof *all->problem);
        all->name = app_resize(all->name, all->room, sizeof *all->name);
    }
    struct problem *problem = &all->problem[all->count];
    *problem = (struct problem){.first = (int)all->obstacles};
    snprintf(all->name[all->count++], sizeof *all->name, "%s", name);
    return problem;
}

struct obstacle *problems_obstacle(struct problems *all, const double *axes, const double *centre) {
    if (all->obstacles == all->obstacle_room) {
        all->obstacle_room = all->obstacle_room ? 2 * all->obstacle_room : 256;
        all->obstacle = app_resize(all->obstacle, all->obstacle_room, sizeof *all->obstacle);
    }
    struct obstacle *o = &all->obstacle[all->obstacles++];
    *o = (struct obstacle){.round = 0};
    for (int k = 0; k < 9; k++)
        o->axes[k] = (float)axes[k];
    for (int k = 0; k < 3; k++)
        o->middle[k] = (float)(axes[3 * k] * centre[0] + axes[3 * k + 1] * centre[1] + axes[3 * k + 2] * centre[2]);
    all->problem[all->count - 1].count++;
    return o;
}

/* How far from the first joint's frame a link's spheres can get. */
static double link_reach(const struct robot *robot, const struct link_spheres *link) {
    const float *bound = link->bound;
    double reach = sqrt((double)(bound[0] * bound[0] + bound[1] * bound[1] + bound[2] * bound[2])) + (double)bound[3];
    for (int body = link->body; body > 1 && robot->joint[body - 1].parent; body = robot->joint[body - 1].parent) {
        const struct joint *joint = &robot->joint[body - 1];
        reach += sqrt((double)(joint->move[0] * joint->move[0] + joint->move[1] * joint->move[1] +
                               joint->move[2] * joint->move[2]));
        reach += joint->slides ? fmax(fabs((double)joint->low), fabs((double)joint->high)) : 0;
    }
    return reach * 1.0001 + 1e-4;
}

static double obstacle_distance(const struct obstacle *o, const float *at) {
    double out[3];
    for (int k = 0; k < 3; k++)
        out[k] = fabs(
            (double)(at[0] * o->axes[3 * k] + at[1] * o->axes[3 * k + 1] + at[2] * o->axes[3 * k + 2] - o->middle[k]));
    if (o->cylinder)
        out[0] = sqrt(out[0] * out[0] + out[1] * out[1]), out[1] = 0;
    for (int k = 0; k < 3; k++)
        out[k] = fmax(out[k] - (double)o->half[k], 0);
    return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]) - (double)o->round;
}

void problems_finish(struct problems *all, const struct robot *robot) {
    for (int k = 0; k < robot->links; k++) {
        const double reach = link_reach(robot, &robot->link[k]);
        int body = robot->link[k].body; /* the one that hangs on the base */
        while (body && robot->joint[body - 1].parent)
            body = robot->joint[body - 1].parent;
        if (!body || robot->joint[body - 1].slides)
            continue;
        for (size_t o = 0; o < all->obstacles; o++)
            if (obstacle_distance(&all->obstacle[o], robot->joint[body - 1].move) > reach)
                all->obstacle[o].free |= 1u << k;
    }
}

void problems_free(struct problems *all) {
    free(all->problem);
    free(all->name);
    free(all->obstacle);
    *all = (struct problems){0};
}

static double between(struct app_random *random, double low, double high) {
    return low + (high - low) * app_unit(random);
}

/* In a shell about the base, turned about z. */
static void random_obstacle(struct problems *all, struct app_random *random) {
    const double about = between(random, -M_PI, M_PI), out = between(random, .3, .8),
                 turn = between(random, -M_PI, M_PI);
    const double centre[3] = {out * cos(about), out * sin(about), between(random, -.1, 1)},
                 axes[9] = {cos(turn), sin(turn), 0, -sin(turn), cos(turn), 0, 0, 0, 1};
    struct obstacle *o = problems_obstacle(all, axes, centre);
    const uint32_t kind = app_below(random, 4);
    if (kind == 0) {
        o->round = (float)between(random, .03, .10);
        return;
    }
    for (int k = 0; k < 3; k++)
        o->half[k] = (float)between(random, .02, .10);
    o->cylinder = kind == 1;
    if (o->cylinder)
        o->half[1] = o->half[0];
}

static bool is_free(const struct robot *robot, const struct problem *problem, const struct obstacle *obstacles,
                    const float *at) {
    lanes q[JOINTS_MOST];
    for (int j = 0; j < robot->joints; j++)
        for (int l = 0; l < LANES; l++)
            LANE(q[j], l) = at[j];
    return !arm_hits(robot, problem, obstacles, q);
}

static bool random_place(const struct robot *robot, const struct problem *problem, const struct obstacle *obstacles,
                         struct app_random *random, float *at) {
    for (int attempt = 0; attempt < 1000; attempt++) {
        for (int j = 0; j < robot->joints; j++)
            at[j] = (float)between(random, (double)robot->joint[j].low, (double)robot->joint[j].high);
        if (is_free(robot, problem, obstacles, at))
            return true;
    }
    return false;
}

void problems_random(struct problems *all, const struct robot *robot, const struct robot_names *names, long count,
                     uint64_t seed) {
    struct app_random random;
    app_seed(&random, seed);
    for (long k = 0; k < count; k++) {
        char name[NAME_MOST];
        snprintf(name, sizeof name, "random/%ld", k + 1);
        struct problem *problem = problems_add(all, name);
        memcpy(problem->apart, names->apart, sizeof problem->apart);
        do {
            all->obstacles = (size_t)problem->first;
            problem->count = 0;
            for (uint32_t more = 3 + app_below(&random, 6); more; more--)
                random_obstacle(all, &random);
        } while (!random_place(robot, problem, all->obstacle, &random, problem->start) ||
                 !random_place(robot, problem, all->obstacle, &random, problem->goal));
    }
}
