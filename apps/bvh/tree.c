/* SPDX-License-Identifier: Apache-2.0 */
/* A binary hierarchy from top to bottom by the surface area heuristic over bins (I. Wald, On fast Construction of
 * SAH-based Bounding Volume Hierarchies, RT 2007). Leaves hold what fits into a block. The tree does not depend on the
 * number of threads: a range of primitives knows the place of its nodes. */
#include "overlap.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Below HALVES levels ranges are halved by number, so that no input makes a deep tree. */
enum { BINS = 24, TASK = 4096, HALVES = BVH_DEPTH_MOST - 28 };

struct builder {
    const struct bvh_box *boxes;
    uint32_t *order, kinds;
    struct bvh_binary *nodes;
};

struct bvh_box bvh_empty(void) {
    return (struct bvh_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

void bvh_join(struct bvh_box *to, const struct bvh_box *from) {
    for (int k = 0; k < 3; k++) {
        to->low[k] = least(to->low[k], from->low[k]);
        to->high[k] = most(to->high[k], from->high[k]);
    }
}

static float half_area(const struct bvh_box *b) {
    const float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return x * y + y * z + z * x;
}

static float centre(const struct bvh_box *b, int axis) { return b->low[axis] + b->high[axis]; } /* twice of it */

struct split {
    int axis, bin; /* the left side has the bins up to this one */
    float cost, low, scale;
};

static int bin_of(const struct split *s, const struct bvh_box *box) {
    const int bin = (int)((centre(box, s->axis) - s->low) * s->scale);
    return bin < 0 ? 0 : bin > BINS - 1 ? BINS - 1 : bin;
}

static float blocks(uint32_t count) { return (float)((count + BVH_BLOCK - 1) / BVH_BLOCK); }

/* The best place to split along one axis. */
static void try_bins(struct split *best, const struct split *by, const struct bvh_box box[BINS],
                     const uint32_t number[BINS]) {
    float left[BINS];
    struct bvh_box sum = bvh_empty();
    uint32_t count = 0;
    for (int k = 0; k < BINS - 1; k++) {
        bvh_join(&sum, &box[k]);
        count += number[k];
        left[k] = count ? half_area(&sum) * blocks(count) : INFINITY;
    }
    sum = bvh_empty();
    count = 0;
    for (int k = BINS - 1; k > 0; k--) {
        bvh_join(&sum, &box[k]);
        count += number[k];
        const float cost = count ? left[k - 1] + half_area(&sum) * blocks(count) : INFINITY;
        if (cost < best->cost) {
            *best = *by;
            best->bin = k - 1;
            best->cost = cost;
        }
    }
}

static struct split find_split(const struct builder *b, uint32_t first, uint32_t count, const struct bvh_box *centres) {
    struct split best = {.cost = INFINITY}, by[3];
    struct bvh_box box[3][BINS];
    uint32_t number[3][BINS] = {{0}};
    for (int axis = 0; axis < 3; axis++) {
        const float size = centres->high[axis] - centres->low[axis];
        by[axis] =
            (struct split){.axis = axis, .low = centres->low[axis], .scale = size > 0 ? (BINS - 0.001f) / size : 0};
        if (!(by[axis].scale < INFINITY))
            by[axis].scale = 0;
        for (int k = 0; k < BINS; k++)
            box[axis][k] = bvh_empty();
    }
    for (uint32_t k = first; k < first + count; k++) {
        const struct bvh_box *p = &b->boxes[b->order[k]];
        for (int axis = 0; axis < 3; axis++) {
            const int bin = bin_of(&by[axis], p);
            number[axis][bin]++;
            bvh_join(&box[axis][bin], p);
        }
    }
    for (int axis = 0; axis < 3; axis++)
        try_bins(&best, &by[axis], box[axis], number[axis]);
    return best;
}

/* Moves what belongs to the left to the front; returns how many that are. */
static uint32_t partition(const struct builder *b, uint32_t first, uint32_t count, const struct split *split) {
    uint32_t left = first, right = first + count;
    while (left < right)
        if (bin_of(split, &b->boxes[b->order[left]]) <= split->bin) {
            left++;
        } else {
            const uint32_t moved = b->order[left];
            b->order[left] = b->order[--right];
            b->order[right] = moved;
        }
    return left - first;
}

static uint32_t partition_kinds(const struct builder *b, uint32_t first, uint32_t count) {
    uint32_t left = first;
    for (uint32_t k = first; k < first + count; k++)
        if (b->order[k] < b->kinds) {
            const uint32_t moved = b->order[left];
            b->order[left++] = b->order[k];
            b->order[k] = moved;
        }
    return left - first;
}

/* How many go to the left; 0: the range is a leaf. */
static uint32_t divide(const struct builder *b, uint32_t first, uint32_t count, const struct bvh_box *centres,
                       int depth) {
    if (count <= BVH_BLOCK) {
        const uint32_t left = partition_kinds(b, first, count);
        return left < count ? left : 0;
    }
    if (depth > HALVES)
        return count / 2;
    const struct split split = find_split(b, first, count, centres);
    const uint32_t left = split.cost < INFINITY ? partition(b, first, count, &split) : 0;
    return left && left < count ? left : count / 2; /* all at one place, or areas that overflow */
}

static void build(const struct builder *b, uint32_t at, uint32_t first, uint32_t count, int depth) {
    struct bvh_binary *node = &b->nodes[at];
    struct bvh_box centres = bvh_empty();
    *node = (struct bvh_binary){.box = bvh_empty(), .first = first, .count = count};
    for (uint32_t k = first; k < first + count; k++) {
        const struct bvh_box *p = &b->boxes[b->order[k]];
        struct bvh_box c;
        for (int axis = 0; axis < 3; axis++)
            c.low[axis] = c.high[axis] = centre(p, axis);
        bvh_join(&node->box, p);
        bvh_join(&centres, &c);
    }
    const uint32_t left = divide(b, first, count, &centres, depth);
    if (!left) {
        node->kind = b->order[first] >= b->kinds;
        return;
    }
    node->right = at + 2 * left;
#pragma omp task if (count > TASK)
    build(b, at + 1, first, left, depth + 1);
    build(b, node->right, first + left, count - left, depth + 1);
}

bool bvh_finite(const struct bvh_box *box) {
    bool good = true;
    for (int axis = 0; axis < 3; axis++)
        good &=
            fabsf(box->low[axis]) < 0x1p127f && fabsf(box->high[axis]) < 0x1p127f && box->low[axis] <= box->high[axis];
    return good;
}

void bvh_tree_sort(struct bvh_tree *tree) {
    uint32_t used = 0, depth_of[BVH_DEPTH_MOST + 1] = {0}, at = 0, end[BVH_DEPTH_MOST + 2];
    uint8_t *depth = app_alloc(tree->ends, sizeof *depth);
    int now = -1;
    end[0] = tree->ends;
    for (uint32_t k = 0; k < tree->ends; k = tree->nodes[k].right ? k + 1 : bvh_end(tree->nodes, k)) {
        while (now >= 0 && k >= end[now])
            now--;
        depth[k] = (uint8_t)++now;
        end[now] = bvh_end(tree->nodes, k);
        depth_of[now]++;
        tree->levels = now >= tree->levels ? now + 1 : tree->levels;
        used++;
    }
    for (int d = 0; d < tree->levels; d++) {
        tree->level[d] = at;
        at += depth_of[d];
    }
    tree->level[tree->levels] = used;
    tree->by_level = app_alloc(used, sizeof *tree->by_level);
    memset(depth_of, 0, sizeof depth_of);
    for (uint32_t k = 0; k < tree->ends; k = tree->nodes[k].right ? k + 1 : bvh_end(tree->nodes, k))
        tree->by_level[tree->level[depth[k]] + depth_of[depth[k]]++] = k;
    free(depth);
}

void bvh_tree_build(struct bvh_tree *tree, const struct bvh_box *boxes, uint32_t count, uint32_t kinds) {
    *tree = (struct bvh_tree){.order = app_alloc(count, sizeof *tree->order)};
    for (uint32_t k = 0; k < count; k++)
        if (bvh_finite(&boxes[k]))
            tree->order[tree->count++] = k;
    tree->left_out = count - tree->count;
    tree->ends = tree->count ? 2 * tree->count - 1 : 0;
    tree->nodes = app_alloc(2 * (size_t)tree->count, sizeof *tree->nodes);
    if (!tree->count)
        return;
    const struct builder b = {.boxes = boxes, .order = tree->order, .kinds = kinds, .nodes = tree->nodes};
#pragma omp parallel
#pragma omp single
    build(&b, 0, 0, tree->count, 0);
}

bool bvh_tree_refit(struct bvh_tree *tree, const struct bvh_box *boxes) {
    struct bvh_binary *nodes = tree->nodes;
    const uint32_t *order = tree->order;
    bool good = true;
    if (!tree->by_level && tree->count)
        bvh_tree_sort(tree);
    for (int d = tree->levels - 1; d >= 0; d--) {
        const uint32_t *level = tree->by_level;
#pragma omp parallel for schedule(static) reduction(&& : good) if (tree->level[d + 1] - tree->level[d] > TASK)
        for (uint32_t k = tree->level[d]; k < tree->level[d + 1]; k++)
            good = bvh_refit_node(nodes, order, boxes, level[k]) && good;
    }
    return good;
}

void bvh_tree_free(struct bvh_tree *tree) {
    free(tree->nodes);
    free(tree->order);
    free(tree->by_level);
    *tree = (struct bvh_tree){.nodes = NULL};
}
