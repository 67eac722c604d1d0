/* SPDX-License-Identifier: Apache-2.0 */
/* One problem: a path from start to goal by two trees that grow towards each other (RRT-Connect: Kuffner, LaValle
 * 2000), samples far from what a hindered node can reach left out (dynamic domain: Yershova et al. 2005, with the
 * factor of Jaillet et al. 2005), then shortcuts. An edge is tested at points spread over its whole length, LANES at a
 * time, first coarsely, then in between (Thomason, Kingston, Kavraki 2024). */
#ifndef PLANNER_PLAN_H
#define PLANNER_PLAN_H

#include "collide.h"

enum { NODE_BLOCK = 16, RAKE = 16, WAYPOINTS_MOST = 64, NOT_YET = -1 };

enum outcome {
    OUTCOME_SOLVED,
    OUTCOME_START, /* the start touches something, or is beyond a limit */
    OUTCOME_GOAL,
    OUTCOME_NODES, /* no path with so many nodes */
    OUTCOME_SAMPLES,
    OUTCOME_LONG, /* a path of more than WAYPOINTS_MOST corners */
    OUTCOMES
};

struct settings {
    float range;      /* the longest edge, radians */
    float resolution; /* positions that are tested per radian of an edge */
    float radius, least_radius, alpha;
    int nodes; /* at most, in both trees, a multiple of NODE_BLOCK */
    int samples;
    uint32_t first[JOINTS_MOST], step[JOINTS_MOST]; /* of the sequence of samples */
};

struct answer {
    int outcome, samples, nodes, tests, corners; /* corners: of the path, with both ends */
    float length, seconds, shorten_seconds;      /* seconds: on the host */
};

/* Memory of one problem: nodes of both trees in blocks, [block][joint][NODE_BLOCK], the second tree's behind the first
 * one's. */
struct forest {
    float *place;
    int *parent;
    float *reach; /* dynamic domain; 0: not hindered yet */
};

struct tree {
    int from, count; /* nodes from `from` on */
};

struct search {
    const struct robot *robot;
    const struct problem *problem;
    const struct obstacle *obstacles;
    const struct settings *settings;
    struct forest forest;
    struct tree tree[2];
    struct answer *answer;
    uint32_t sequence[JOINTS_MOST];
#ifdef PLANNER_EDGES
    int (*edge)(struct search *search, const float *a, const float *b, float length);
#endif
};

LANES_INLINE float *node_place(const struct search *s, int node) {
    return s->forest.place + (size_t)(node / NODE_BLOCK) * NODE_BLOCK * (size_t)s->robot->joints + node % NODE_BLOCK;
}

LANES_INLINE void node_get(const struct search *s, int node, float *q) {
    const float *place = node_place(s, node);
    for (int j = 0; j < s->robot->joints; j++)
        q[j] = place[j * NODE_BLOCK];
}

/* NOT_YET: there is no room. */
LANES_INLINE int node_add(struct search *s, int t, const float *q, int parent) {
    if (s->tree[t].count == s->settings->nodes / 2)
        return NOT_YET;
    const int node = s->tree[t].from + s->tree[t].count++;
    float *place = node_place(s, node);
    for (int j = 0; j < s->robot->joints; j++)
        place[j * NODE_BLOCK] = q[j];
    s->forest.parent[node] = parent;
    s->forest.reach[node] = 0;
    return node;
}

/* Squared distance to the nearest node of tree t, which is *node; of equal ones the first in the smallest lane. */
LANES_INLINE float node_nearest(const struct search *s, int t, const float *q, int *node) {
    float best[NODE_BLOCK], nearest = INFINITY;
    int at[NODE_BLOCK];
    const int blocks = (s->tree[t].count + NODE_BLOCK - 1) / NODE_BLOCK;
    for (int l = 0; l < NODE_BLOCK; l++)
        best[l] = INFINITY, at[l] = 0;
    for (int b = 0; b < blocks; b++) {
        const float *place = node_place(s, s->tree[t].from + b * NODE_BLOCK);
        float sum[NODE_BLOCK] = {0};
        for (int j = 0; j < s->robot->joints; j++)
            for (int l = 0; l < NODE_BLOCK; l++) {
                const float d = place[j * NODE_BLOCK + l] - q[j];
                sum[l] += d * d;
            }
        const int last = s->tree[t].count - b * NODE_BLOCK;
        for (int l = 0; l < NODE_BLOCK; l++) {
            const int better = l < last && sum[l] < best[l];
            best[l] = better ? sum[l] : best[l];
            at[l] = better ? b : at[l];
        }
    }
    for (int l = 0; l < NODE_BLOCK; l++)
        if (best[l] < nearest)
            nearest = best[l], *node = s->tree[t].from + at[l] * NODE_BLOCK + l;
    return nearest;
}

LANES_INLINE float distance(const struct search *s, const float *a, const float *b) {
    float sum = 0;
    for (int j = 0; j < s->robot->joints; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return exact_root(sum);
}

/* Whether the arm touches something between a and b, b included. */
LANES_INLINE int edge_test(struct search *s, const float *a, const float *b, float length) {
    const int joints = s->robot->joints;
    const int passes = (int)ceilf(length * s->settings->resolution / RAKE) > 1
                           ? (int)ceilf(length * s->settings->resolution / RAKE)
                           : 1;
    for (int pass = 0; pass < passes; pass++) {
        s->answer->tests += RAKE; /* as many where the first of them ends it */
        for (int first = 0; first < RAKE; first += LANES) {
            lanes q[JOINTS_MOST];
            lanes along;
            for (int l = 0; l < LANES; l++)
                LANE(along, l) = (float)((first + l + 1) * passes - pass) / (float)(RAKE * passes);
            for (int j = 0; j < joints; j++)
                q[j] = along * (b[j] - a[j]) + a[j];
            if (arm_hits(s->robot, s->problem, s->obstacles, q))
                return 1;
        }
    }
    return 0;
}

/* The same out of line, as the way through the robot is long; plan_host.c has one for each kind of vector. */
#ifdef PLANNER_EDGES
#define edge_hits(search, a, b, length) (search)->edge(search, a, b, length)
#else
static __attribute__((noinline)) int edge_hits(struct search *s, const float *a, const float *b, float length) {
    return edge_test(s, a, b, length);
}
#endif

LANES_INLINE int outside(const struct search *s, const float *q) {
    for (int j = 0; j < s->robot->joints; j++)
        if (!(q[j] >= s->robot->joint[j].low && q[j] <= s->robot->joint[j].high))
            return 1;
    return 0;
}

/* The additive sequence of Roberts (2018) in whole numbers (settings_sequence): it fills the space evenly. */
LANES_INLINE void sample(struct search *s, float *q) {
    for (int j = 0; j < s->robot->joints; j++) {
        const struct joint *joint = &s->robot->joint[j];
        q[j] = joint->low + (joint->high - joint->low) * ((float)(s->sequence[j] >> 8) * 5.9604644775390625e-8f);
    }
}

/* Grows tree t from `node` at `from` straight to `to`: the last node of the way if all of it is free, else NOT_YET. */
LANES_INLINE int connect(struct search *s, int t, int node, const float *from, const float *to, float length) {
    const int steps = (int)ceilf(length / s->settings->range) > 1 ? (int)ceilf(length / s->settings->range) : 1;
    float here[JOINTS_MOST], next[JOINTS_MOST];
    for (int j = 0; j < s->robot->joints; j++)
        here[j] = from[j];
    for (int k = 1; k <= steps; k++) {
        for (int j = 0; j < s->robot->joints; j++)
            next[j] = k == steps ? to[j] : from[j] + (to[j] - from[j]) * ((float)k / (float)steps);
        if (edge_hits(s, here, next, length / (float)steps))
            return NOT_YET;
        node = node_add(s, t, next, node);
        if (node < 0)
            return NOT_YET;
        for (int j = 0; j < s->robot->joints; j++)
            here[j] = next[j];
    }
    return node;
}

LANES_INLINE int is_full(const struct search *s) {
    return s->tree[0].count == s->settings->nodes / 2 || s->tree[1].count == s->settings->nodes / 2;
}

/* One sample for tree t. 1: the trees meet, in nodes meet[t] and meet[1 - t]. */
LANES_INLINE int extend(struct search *s, int t, int *meet) {
    const struct settings *settings = s->settings;
    float target[JOINTS_MOST], near[JOINTS_MOST], fresh[JOINTS_MOST];
    int node = 0, other = 0;
    sample(s, target);
    const float far = exact_root(node_nearest(s, t, target, &node)), reach = s->forest.reach[node];
    if ((reach > 0 && reach < far) || !(far > 0))
        return 0;
    node_get(s, node, near);
    const float length = far < settings->range ? far : settings->range;
    for (int j = 0; j < s->robot->joints; j++)
        fresh[j] = far < settings->range ? target[j] : near[j] + (target[j] - near[j]) * (settings->range / far);
    if (edge_hits(s, near, fresh, length)) {
        const float less = reach * (1 - settings->alpha);
        s->forest.reach[node] =
            reach > 0 ? (less > settings->least_radius ? less : settings->least_radius) : settings->radius;
        return 0;
    }
    if (reach > 0)
        s->forest.reach[node] = reach * (1 + settings->alpha);
    const int added = node_add(s, t, fresh, node);
    if (added < 0)
        return 0;
    const float apart = exact_root(node_nearest(s, 1 - t, fresh, &other));
    node_get(s, other, near);
    meet[t] = connect(s, t, added, fresh, near, apart);
    meet[1 - t] = other;
    return meet[t] >= 0;
}

/* Corners from the start's root to the goal's, over the two nodes that are one place; 0: too many. */
LANES_INLINE int trace(const struct search *s, const int *meet, float *path) {
    int n = 0, joints = s->robot->joints;
    for (int node = meet[0]; node >= 0; node = s->forest.parent[node])
        n++;
    const int first = n;
    for (int node = s->forest.parent[meet[1]]; node >= 0; node = s->forest.parent[node])
        n++;
    if (n > WAYPOINTS_MOST)
        return 0;
    int at = first;
    for (int node = meet[0]; node >= 0; node = s->forest.parent[node])
        node_get(s, node, path + (size_t)--at * (size_t)joints);
    at = first;
    for (int node = s->forest.parent[meet[1]]; node >= 0; node = s->forest.parent[node])
        node_get(s, node, path + (size_t)at++ * (size_t)joints);
    return n;
}

LANES_INLINE void path_length(const struct search *s, const float *path, int n) {
    s->answer->length = 0;
    s->answer->corners = n;
    for (int k = 1; k < n; k++)
        s->answer->length +=
            distance(s, path + (size_t)(k - 1) * (size_t)s->robot->joints, path + (size_t)k * (size_t)s->robot->joints);
}

/* From each corner straight to the last one that can be reached. */
LANES_INLINE void shorten_path(struct search *s, float *path) {
    const int joints = s->robot->joints, n = s->answer->corners;
    int kept = 1;
    for (int at = 0; at < n - 1;) {
        int next = n - 1;
        for (; next > at + 1; next--) {
            const float *a = path + (size_t)(kept - 1) * (size_t)joints, *b = path + (size_t)next * (size_t)joints;
            if (!edge_hits(s, a, b, distance(s, a, b)))
                break;
        }
        for (int j = 0; j < joints; j++)
            path[kept * joints + j] = path[next * joints + j];
        kept++;
        at = next;
    }
    path_length(s, path, kept);
}

/* Fills in the answer; path[WAYPOINTS_MOST][joints] holds the corners of a path that is found. */
LANES_INLINE int search_path(struct search *s, float *path) {
    const struct settings *settings = s->settings;
    const float *start = s->problem->start, *goal = s->problem->goal;
    int meet[2], t = 0;
    s->answer->samples = s->answer->tests = s->answer->nodes = s->answer->corners = 0;
    s->answer->length = 0;
    for (int j = 0; j < s->robot->joints; j++)
        s->sequence[j] = settings->first[j];
    if (outside(s, start) || edge_hits(s, start, start, 0))
        return OUTCOME_START;
    if (outside(s, goal) || edge_hits(s, goal, goal, 0))
        return OUTCOME_GOAL;
    s->tree[0] = (struct tree){0, 0};
    s->tree[1] = (struct tree){settings->nodes / 2, 0};
    meet[0] = node_add(s, 0, start, -1);
    meet[1] = node_add(s, 1, goal, -1);
    int found = connect(s, 0, meet[0], start, goal, distance(s, start, goal));
    if (found >= 0)
        meet[0] = found;
    /* The smaller tree grows, as Kuffner and LaValle advise; now and then the other one, if that is shut in. */
    for (; found < 0 && s->answer->samples < settings->samples && !is_full(s); s->answer->samples++) {
        t = s->tree[0].count > s->tree[1].count ? 1 : s->tree[0].count < s->tree[1].count ? 0 : 1 - t;
        if (s->answer->samples % 256 == 255)
            t = 1 - t;
        found = extend(s, t, meet) ? 0 : NOT_YET;
        for (int j = 0; j < s->robot->joints; j++)
            s->sequence[j] += settings->step[j];
    }
    s->answer->nodes = s->tree[0].count + s->tree[1].count;
    if (found < 0)
        return is_full(s) ? OUTCOME_NODES : OUTCOME_SAMPLES;
    const int n = trace(s, meet, path);
    if (!n)
        return OUTCOME_LONG;
    path_length(s, path, n);
    return OUTCOME_SOLVED;
}

#endif
