/* SPDX-License-Identifier: Apache-2.0 */
/* The map as jobs: whether a state touches anything, which states are nearest to one, whether a way is open. A GPU
 * looks at some states of a way, and makes jobs of the others, a few states each. Compiled twice: as it stands, and
 * with the pragmas ignored. */
#include "roadmap.h"

#ifndef ROADMAP_ON_GPU /* tests take a GPU's jobs on processors */
#if defined(__NVPTX__) || defined(__AMDGCN__)
#define ROADMAP_ON_GPU 1
#else
#define ROADMAP_ON_GPU 0
#endif
#endif

void ROADMAP_NEST(jobs_clear)(const struct surroundings *around, const struct state *states, size_t count,
                              struct numbers *samples, struct numbers *clear) {
    const struct bvh_binary *body_nodes = around->body_nodes, *nodes = around->nodes;
    const struct corners *body = around->body, *world = around->world;
    const long body_node_count = (long)around->body_node_count, node_count = (long)around->node_count,
               body_count = (long)around->body_count, world_count = (long)around->world_count, n = (long)count;
    (void)body_node_count, (void)node_count, (void)body_count, (void)world_count,
        (void)n; /* only directives have them */
#pragma heddle jobs
    while (samples->count) {
#pragma heddle for append(clear) map(to: body_nodes[0 : body_node_count], nodes[0 : node_count]) \
    map(to: body[0 : body_count], world[0 : world_count], states[0:n])
        for (long k = 0; k < samples->count; k++) {
            const uint32_t number = samples->at[k];
            if (!body_touches(&states[number], body_nodes, body, nodes, world))
                heddle_list_append(clear, number);
        }
        heddle_list_clear(samples);
    }
}

/* No state of the group is nearer: each step rounds as in state_distance, upwards and downwards alike. */
static inline float group_distance(const struct group *g, const struct state *s) {
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        const float out = most(most(g->low[k] - s->move[k], s->move[k] - g->high[k]), 0);
        sum += out * out;
    }
    return square_root(sum);
}

struct nearest { /* so far, the nearest first; of equal distances the smaller number */
    float far[NEIGHBOURS_MOST];
    uint32_t number[NEIGHBOURS_MOST];
    int kept;
};

static inline void keep(struct nearest *list, int room, float d, uint32_t number) {
    int at = list->kept < room ? list->kept++ : room - 1;
    for (; at > 0 && (d < list->far[at - 1] || (d == list->far[at - 1] && number < list->number[at - 1])); at--) {
        list->far[at] = list->far[at - 1];
        list->number[at] = list->number[at - 1];
    }
    list->far[at] = d;
    list->number[at] = number;
}

static inline void look_in(struct nearest *list, const struct measure *m, const struct member *members,
                           const struct group *g, const struct member *me) {
    const int room = m->neighbours;
    for (uint32_t k = g->first; k < g->end; k++) {
        if (members[k].number == me->number)
            continue;
        const float d = state_distance(m, &me->state, &members[k].state);
        const float last = list->kept == room ? list->far[room - 1] : d;
        if (list->kept < room || d < last || (d == last && members[k].number < list->number[room - 1]))
            keep(list, room, d, members[k].number);
    }
}

static inline void look_at_group(struct nearest *list, const struct measure *m, const struct member *members,
                                 const struct group *groups, long group_count, long g, const struct member *me) {
    if (g < 0 || g >= group_count)
        return;
    const int last = list->kept - 1;
    if (last < 0 || last < m->neighbours - 1 || !(group_distance(&groups[g], &me->state) > list->far[last]))
        look_in(list, m, members, &groups[g], me);
}

/* Its own group first, then from there in both directions: those beside it are near, and tell which are too far. */
static inline void find_nearest(struct nearest *list, const struct measure *m, const struct member *members,
                                const struct group *groups, long group_count, const struct seeker *seeker) {
    const struct member me = members[seeker->member];
    const long own = seeker->group;
    list->kept = 0;
    look_at_group(list, m, members, groups, group_count, own, &me);
    for (long away = 1; own - away >= 0 || own + away < group_count; away++) {
        look_at_group(list, m, members, groups, group_count, own - away, &me);
        look_at_group(list, m, members, groups, group_count, own + away, &me);
    }
}

void ROADMAP_NEST(jobs_near)(const struct measure *measure, const struct member *members, size_t count,
                             const struct group *groups, size_t group_count, struct seekers *seekers,
                             struct neighbours *near) {
    const long n = (long)count, of = (long)group_count;
    (void)n;
#pragma heddle jobs
    while (seekers->count) {
#pragma heddle for append(near) map(to: measure[0:1], members[0:n], groups[0:of])
        for (long k = 0; k < seekers->count; k++) {
            const struct seeker seeker = seekers->at[k];
            struct nearest found;
            find_nearest(&found, measure, members, groups, of, &seeker);
            for (int at = 0; at < found.kept; at++)
                heddle_list_append(near,
                                   (struct neighbour){members[seeker.member].number, (uint32_t)at, found.number[at]});
        }
        heddle_list_clear(seekers);
    }
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

/* Steps that no point of the body moves far in. */
static inline int steps_between(const struct measure *m, const struct state *a, const struct state *b) {
    const struct measure turn = {.turn_weight = 1}, only_move = {.turn_weight = 0};
    const struct state origin = {{a->turn[0], a->turn[1], a->turn[2], a->turn[3]}, {0, 0, 0}},
                       turned = {{b->turn[0], b->turn[1], b->turn[2], b->turn[3]}, {0, 0, 0}};
    /* angle <= 2.2215 chords of the quaternion */
    const float moved =
        state_distance(&only_move, a, b) + 1.28f * 2.2215f * m->radius * state_distance(&turn, &origin, &turned);
    return (int)most(__builtin_ceilf(moved / m->step), 1);
}

/* States in between: first far from each other, then halfway between those, so that what is not free shows early. With
 * a stride of 1 none is left. */
static inline void first_state(struct part *t, int steps) {
    for (t->stride = 1; t->stride < (uint32_t)steps;)
        t->stride *= 2;
    t->at = t->stride / 2;
}

static inline void next_state(struct part *t, int steps) {
    t->before++;
    t->at += t->stride;
    if (t->at >= (uint32_t)steps) {
        t->stride /= 2;
        t->at = t->stride / 2;
    }
}

/* Whether one of its states touches: the part begins there then. Else it begins behind them. */
static inline bool is_shut(const struct state *states, const struct way *way, struct part *t, int steps,
                           const struct bvh_binary *body_nodes, const struct corners *body,
                           const struct bvh_binary *nodes, const struct corners *world) {
    for (uint32_t looked = 0; t->stride > 1 && looked < t->states; looked++, next_state(t, steps)) {
        struct state between;
        state_between(&states[way->a], &states[way->b], (float)t->at / (float)steps, &between);
        if (body_touches(&between, body_nodes, body, nodes, world))
            return true;
    }
    return false;
}

void ROADMAP_NEST(jobs_open)(const struct surroundings *around, const struct measure *measure,
                             const struct state *states, size_t count, const struct way *ways, size_t way_count,
                             struct numbers *trials, struct verdicts *verdicts) {
    const struct bvh_binary *body_nodes = around->body_nodes, *nodes = around->nodes;
    const struct corners *body = around->body, *world = around->world;
    const long body_node_count = (long)around->body_node_count, node_count = (long)around->node_count,
               body_count = (long)around->body_count, world_count = (long)around->world_count, n = (long)count,
               w = (long)way_count;
    struct way_parts own = {0}, *parts = &own;
    (void)body_node_count, (void)node_count, (void)body_count, (void)world_count, (void)n, (void)w;
#pragma heddle jobs
    while (trials->count || parts->count) {
#pragma heddle for append(parts, verdicts) map(to: body_nodes[0 : body_node_count], nodes[0 : node_count], ways[0:w]) \
    map(to: body[0 : body_count], world[0 : world_count], measure[0:1], states[0:n])
        for (long k = 0; k < trials->count; k++) {
            const uint32_t number = trials->at[k];
            const struct way way = ways[number];
            const int steps = steps_between(measure, &states[way.a], &states[way.b]);
            const uint32_t cut = ROADMAP_ON_GPU && measure->cut > 0 ? (uint32_t)measure->cut : UINT32_MAX;
            struct part part = {.number = number, .states = cut};
            first_state(&part, steps);
            const bool shut = is_shut(states, &way, &part, steps, body_nodes, body, nodes, world);
            heddle_list_append(verdicts, (struct verdict){number, !shut, shut ? part.before + 1 : (uint32_t)steps - 1});
            while (!shut && part.stride > 1) {
                heddle_list_append(parts, part);
                for (uint32_t passed = 0; passed < cut && part.stride > 1; passed++)
                    next_state(&part, steps);
            }
        }
        heddle_list_clear(trials);
#pragma heddle for append(verdicts) map(to: body_nodes[0 : body_node_count], nodes[0 : node_count], ways[0:w]) \
    map(to: body[0 : body_count], world[0 : world_count], measure[0:1], states[0:n])
        for (long k = 0; k < parts->count; k++) {
            struct part part = parts->at[k];
            const struct way way = ways[part.number];
            const int steps = steps_between(measure, &states[way.a], &states[way.b]);
            if (is_shut(states, &way, &part, steps, body_nodes, body, nodes, world))
                heddle_list_append(verdicts, (struct verdict){part.number, 0, part.before + 1});
        }
        heddle_list_clear(parts);
    }
    heddle_list_free(parts);
}
