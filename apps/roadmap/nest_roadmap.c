/* SPDX-License-Identifier: Apache-2.0 */
/* The loops over states, neighbours and ways. */
#include "roadmap.h"

void ROADMAP_NEST(clear)(const struct surroundings *around, const struct state *states, size_t count, uint8_t *clear) {
    const struct bvh_binary *body_nodes = around->body_nodes, *nodes = around->nodes;
    const struct corners *body = around->body, *world = around->world;
    const long n = (long)count;
#pragma heddle for independent schedule(auto) map(to: body_nodes[0 : around->body_node_count], nodes[0 : around->node_count]) \
    map(to: body[0 : around->body_count], world[0 : around->world_count], states[heddle_lo : heddle_count]) \
    map(from: clear[heddle_lo : heddle_count])
    for (long k = 0; k < n; k++)
        clear[k] = !body_touches(&states[k], body_nodes, body, nodes, world);
}

/* All states are looked at; the list is kept in order. Of equal distances the smaller number comes first. */
static inline void nearest(const struct measure *m, const struct state *states, long count, long k, uint32_t *near) {
    float far[NEIGHBOURS_MOST];
    const int most = m->neighbours;
    int kept = 0;
    for (long other = 0; other < count; other++) {
        if (other == k)
            continue;
        const float d = state_distance(m, &states[k], &states[other]);
        if (kept == most && !(d < far[most - 1]))
            continue;
        int at = kept < most ? kept++ : most - 1;
        for (; at > 0 && d < far[at - 1]; at--)
            far[at] = far[at - 1], near[at] = near[at - 1];
        far[at] = d, near[at] = (uint32_t)other;
    }
    for (int at = kept; at < most; at++)
        near[at] = NO_NEIGHBOUR;
}

void ROADMAP_NEST(near)(const struct measure *measure, const struct state *states, size_t count, uint32_t *near) {
    const long n = (long)count, most = measure->neighbours;
#pragma heddle for independent schedule(auto) map(to: measure[0:1], states[0:n]) map(from: near[heddle_lo * most : heddle_count * most])
    for (long k = 0; k < n; k++)
        nearest(measure, states, n, k, near + k * most);
}

/* Along the straight way: places in line, turns by normalised sums, whose speed is at most 1.28 of the mean. */
static inline void state_between(const struct state *a, const struct state *b, float part, struct state *out) {
    float same = 0, size = 0;
    for (int k = 0; k < 4; k++)
        same += a->turn[k] * b->turn[k];
    for (int k = 0; k < 4; k++) {
        out->turn[k] = a->turn[k] + ((same < 0 ? -b->turn[k] : b->turn[k]) - a->turn[k]) * part;
        size += out->turn[k] * out->turn[k];
    }
    for (int k = 0; k < 4; k++)
        out->turn[k] /= square_root(size);
    for (int k = 0; k < 3; k++)
        out->move[k] = a->move[k] + (b->move[k] - a->move[k]) * part;
}

/* States in between: first far from each other, then halfway between those, so that what is not free shows early. */
static inline int way_is_open(const struct measure *m, const struct state *a, const struct state *b,
                              const struct bvh_binary *body_nodes, const struct corners *body,
                              const struct bvh_binary *nodes, const struct corners *world, uint32_t *tests) {
    const struct measure turn = {.turn_weight = 1};
    const struct state origin = {{a->turn[0], a->turn[1], a->turn[2], a->turn[3]}, {0, 0, 0}},
                       turned = {{b->turn[0], b->turn[1], b->turn[2], b->turn[3]}, {0, 0, 0}};
    const struct measure only_move = {.turn_weight = 0};
    /* angle <= 2.2215 chords of the quaternion */
    const float moved =
        state_distance(&only_move, a, b) + 1.28f * 2.2215f * m->radius * state_distance(&turn, &origin, &turned);
    const int steps = (int)most(__builtin_ceilf(moved / m->step), 1);
    int stride = 1;
    uint32_t looked = 0;
    while (stride < steps)
        stride *= 2;
    for (; stride > 1; stride /= 2)
        for (int k = stride / 2; k < steps; k += stride) {
            struct state at;
            state_between(a, b, (float)k / (float)steps, &at);
            looked++;
            if (body_touches(&at, body_nodes, body, nodes, world)) {
                *tests = looked;
                return 0;
            }
        }
    *tests = looked;
    return 1;
}

void ROADMAP_NEST(open)(const struct surroundings *around, const struct measure *measure, const struct state *states,
                        size_t state_count, const struct way *ways, size_t count, uint8_t *open, uint32_t *tests) {
    const struct bvh_binary *body_nodes = around->body_nodes, *nodes = around->nodes;
    const struct corners *body = around->body, *world = around->world;
    const long n = (long)count;
    (void)state_count; /* only the directive has it */
#pragma heddle for independent schedule(auto) map(to: body_nodes[0 : around->body_node_count], nodes[0 : around->node_count]) \
    map(to: body[0 : around->body_count], world[0 : around->world_count], measure[0:1], states[0:state_count]) \
    map(to: ways[heddle_lo : heddle_count]) map(from: open[heddle_lo : heddle_count], tests[heddle_lo : heddle_count])
    for (long k = 0; k < n; k++)
        open[k] = (uint8_t)way_is_open(measure, &states[ways[k].a], &states[ways[k].b], body_nodes, body, nodes, world,
                                       &tests[k]);
}
