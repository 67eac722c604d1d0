/* SPDX-License-Identifier: Apache-2.0 */
/* A probabilistic roadmap (L. Kavraki, P. Svestka, J.-C. Latombe, M. Overmars, 1996): states at random, those that
 * touch nothing, their nearest neighbours, and which of the ways between them are free. */
#ifndef ROADMAP_ROADMAP_H
#define ROADMAP_ROADMAP_H

#include "touch.h"

#include <heddle/list.h>

enum { NEIGHBOURS_MOST = 32 };
#define NO_NEIGHBOUR UINT32_MAX

struct surroundings {
    const struct bvh_binary *body_nodes, *nodes;
    const struct corners *body, *world;
    size_t body_node_count, node_count, body_count, world_count;
};

/* From state a to b. */
struct way {
    uint32_t a, b;
};

struct measure {
    float turn_weight; /* of a quaternion's distance against a metre */
    float step;        /* no point of the body moves more between two states that are tested */
    float radius;      /* of the body */
    int neighbours;
    int cut; /* states of a way that are one job of a GPU; 0: all */
};

/* ---- jobs (nest_jobs.c): as heddle runs them, and serially ---- */
struct member { /* of a group */
    struct state state;
    uint32_t number;
};
/* States whose places are near each other: members[first .. end - 1], and the box around them. */
struct group {
    float low[3], high[3];
    uint32_t first, end;
};
struct seeker { /* of neighbours: where it stands among the members, and its group */
    uint32_t member, group;
};
struct neighbour { /* `state` is the one nearest to `of` but `rank` others */
    uint32_t of, rank, state;
};
/* Some states of a way. */
struct part {
    uint32_t number, states;
    uint32_t stride, at, before; /* where it begins, and states before that */
};
/* Of a way, and of each part that is shut: up to which state it was looked at, which touches unless it is open. */
struct verdict {
    uint32_t number, open, looked;
};
struct numbers HEDDLE_LIST(uint32_t);
struct seekers HEDDLE_LIST(struct seeker);
struct neighbours HEDDLE_LIST(struct neighbour);
struct way_parts HEDDLE_LIST(struct part);
struct verdicts HEDDLE_LIST(struct verdict);

/* Lists of jobs are numbers of states, or ways. */
typedef void clear_jobs(const struct surroundings *around, const struct state *states, size_t count,
                        struct numbers *samples, struct numbers *clear);
typedef void near_jobs(const struct measure *measure, const struct member *members, size_t count,
                       const struct group *groups, size_t group_count, struct seekers *seekers,
                       struct neighbours *near);
typedef void open_jobs(const struct surroundings *around, const struct measure *measure, const struct state *states,
                       size_t count, const struct way *ways, size_t way_count, struct numbers *trials,
                       struct verdicts *verdicts);
extern clear_jobs jobs_clear_heddle, jobs_clear_serial;
extern near_jobs jobs_near_heddle, jobs_near_serial;
extern open_jobs jobs_open_heddle, jobs_open_serial;

/* ---- stages.c: arrays in and out ----
 * clear[k]: 1 where the state touches nothing. near[k][neighbours]: numbers of the states nearest to k, NO_NEIGHBOUR
 * behind the last one. open[k]: 1 where the way is free; tests[k]: states looked at. */
struct stages {
    clear_jobs *clear;
    near_jobs *near;
    open_jobs *open;
};
void stage_clear(const struct stages *by, const struct surroundings *around, const struct state *states, size_t count,
                 uint8_t *clear);
void stage_near(const struct stages *by, const struct measure *measure, const struct state *states, size_t count,
                uint32_t *near);
void stage_open(const struct stages *by, const struct surroundings *around, const struct measure *measure,
                const struct state *states, size_t state_count, const struct way *ways, size_t count, uint8_t *open,
                uint32_t *tests);

#ifdef ROADMAP_SERIAL
#define ROADMAP_NEST(name) name##_serial
#else
#define ROADMAP_NEST(name) name##_heddle
#endif

/* groups.c: the states by their groups, a list of these, and the group of each member; room for `count` of each.
 * Returns how many groups there are. */
size_t groups_make(const struct state *states, size_t count, struct member *members, struct group *groups,
                   struct seeker *seekers);

/* graph.c: the shortest way from state 0 to state 1 over open ways; path: room for `count` numbers. Returns how many
 * states it has, 0: there is none. `parts`: how many pieces the map falls into. */
size_t graph_path(const struct measure *measure, const struct state *states, size_t count, const struct way *ways,
                  size_t way_count, const uint8_t *open, uint32_t *path, size_t *parts, double *length);

RAY_INLINE float state_distance(const struct measure *m, const struct state *a, const struct state *b) {
    float same = 0, move = 0;
    for (int k = 0; k < 3; k++)
        move += (a->move[k] - b->move[k]) * (a->move[k] - b->move[k]);
    for (int k = 0; k < 4; k++)
        same += a->turn[k] * b->turn[k];
    return square_root(move) +
           m->turn_weight * square_root(most(2 - 2 * magnitude(same), 0)); /* q and -q are one turn */
}

#endif
