/* SPDX-License-Identifier: Apache-2.0 */
/* Walks through a binary tree (bvh.h) without a stack, for hosts and devices:
 *
 *     for (uint32_t at = 0, leaf; (leaf = bvh_next_overlap(nodes, ends, &at, &box)) != BVH_NOTHING;)
 *         for (uint32_t k = nodes[leaf].first; k < nodes[leaf].first + nodes[leaf].count; k++)
 *             look_at(order[k]);
 *
 * Boxes that touch overlap. A box with a NaN overlaps nothing. A walk starts at any node (at = node) and ends with
 * its subtree (ends = bvh_end(nodes, node)), so parts of a tree are jobs of their own. */
#ifndef HEDDLE_BVH_OVERLAP_H
#define HEDDLE_BVH_OVERLAP_H

#include "bvh.h"

RAY_INLINE bool bvh_overlap(const struct bvh_box *a, const struct bvh_box *b) {
    return (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
           (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
}

/* The place behind a node's subtree. */
RAY_INLINE uint32_t bvh_end(const struct bvh_binary *nodes, uint32_t node) { return node + 2 * nodes[node].count - 1; }

/* The next leaf whose box overlaps; BVH_NOTHING: there is none before `ends`. */
RAY_INLINE uint32_t bvh_next_overlap(const struct bvh_binary *nodes, uint32_t ends, uint32_t *at,
                                     const struct bvh_box *box) {
    uint32_t k = *at;
    while (k < ends) {
        const struct bvh_binary *node = &nodes[k];
        const uint32_t here = k, behind = bvh_end(nodes, k);
        const bool met = bvh_overlap(&node->box, box), leaf = !node->right;
        k = (met && !leaf) ? k + 1 : behind;
        if (met && leaf) {
            *at = k;
            return here;
        }
    }
    *at = k;
    return BVH_NOTHING;
}

/* What a line from `origin` meets between 0 and `limit`; inverse: 1 / direction, none of them NaN. */
struct bvh_line {
    float origin[3], inverse[3], limit;
};
RAY_INLINE bool bvh_line_meets(const struct bvh_line *line, const struct bvh_box *box) {
    float near = 0, far = line->limit;
    for (int axis = 0; axis < 3; axis++) {
        const float a = (box->low[axis] - line->origin[axis]) * line->inverse[axis],
                    b = (box->high[axis] - line->origin[axis]) * line->inverse[axis];
        near = most(near, least(a, b));
        far = least(far, most(a, b));
    }
    /* roundings of (low - origin) * inverse: two on either side */
    return near <= far * (1 + 0x4p-24f);
}

/* The same walk for a line. */
RAY_INLINE uint32_t bvh_next_on_line(const struct bvh_binary *nodes, uint32_t ends, uint32_t *at,
                                     const struct bvh_line *line) {
    uint32_t k = *at;
    while (k < ends) {
        const uint32_t here = k, behind = bvh_end(nodes, k);
        const bool met = bvh_line_meets(line, &nodes[k].box), leaf = !nodes[k].right;
        k = (met && !leaf) ? k + 1 : behind;
        if (met && leaf) {
            *at = k;
            return here;
        }
    }
    *at = k;
    return BVH_NOTHING;
}

/* One node of a refit; its children come first, those of a level in any order. False: a box is not finite. */
RAY_INLINE bool bvh_refit_node(struct bvh_binary *nodes, const uint32_t *order, const struct bvh_box *boxes,
                               uint32_t at) {
    struct bvh_binary *node = &nodes[at];
    const uint32_t parts = node->right ? 2 : node->count;
    struct bvh_box sum;
    bool good = true;
    for (uint32_t k = 0; k < parts; k++) {
        const struct bvh_box *part =
            node->right ? &nodes[k ? node->right : at + 1].box : &boxes[order[node->first + k]];
        for (int axis = 0; axis < 3; axis++) {
            good &= magnitude(part->low[axis]) < 0x1p127f && magnitude(part->high[axis]) < 0x1p127f &&
                    part->low[axis] <= part->high[axis];
            sum.low[axis] = k ? least(sum.low[axis], part->low[axis]) : part->low[axis];
            sum.high[axis] = k ? most(sum.high[axis], part->high[axis]) : part->high[axis];
        }
    }
    node->box = sum;
    return good;
}

#endif
