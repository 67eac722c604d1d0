/* SPDX-License-Identifier: Apache-2.0 */
/* A probabilistic roadmap (L. Kavraki, P. Svestka, J.-C. Latombe, M. Overmars, 1996): states at random, those that
 * touch nothing, their nearest neighbours, and which of the ways between them are free. */
#ifndef ROADMAP_ROADMAP_H
#define ROADMAP_ROADMAP_H

#include "touch.h"

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
};

/* The loops: as heddle runs them, and serially. clear[k]: 1 where the state touches nothing. near[k][neighbours]:
 * numbers of the states nearest to k, NO_NEIGHBOUR behind the last one. open[k]: 1 where the way is free; tests[k]:
 * states looked at. */
typedef void clear_loop(const struct surroundings *around, const struct state *states, size_t count, uint8_t *clear);
typedef void near_loop(const struct measure *measure, const struct state *states, size_t count, uint32_t *near);
typedef void open_loop(const struct surroundings *around, const struct measure *measure, const struct state *states,
                       size_t state_count, const struct way *ways, size_t count, uint8_t *open, uint32_t *tests);
extern clear_loop clear_heddle, clear_serial;
extern near_loop near_heddle, near_serial;
extern open_loop open_heddle, open_serial;

#ifdef ROADMAP_SERIAL
#define ROADMAP_NEST(name) name##_serial
#else
#define ROADMAP_NEST(name) name##_heddle
#endif

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
