/* SPDX-License-Identifier: Apache-2.0 */
/* A binary hierarchy from top to bottom by the surface area heuristic over bins (I. Wald, On fast Construction of
 * SAH-based Bounding Volume Hierarchies, RT 2007). Leaves hold what fits into a block. The tree does not depend on the
 * number of threads: a range of primitives knows the place of its nodes. */
#include "bvh.h"

#include "app.h"

#include <math.h>
#include <string.h>

/* Below HALVES levels ranges are halved by number, so that no input makes a deep tree. */
enum { BINS = 24, TASK = 4096, HALVES = BVH_DEPTH_MOST - 28 };

struct builder {
    const struct bvh_box *boxes;
    uint32_t *order, triangles;
    struct bvh_binary *nodes;
};

static struct bvh_box nothing(void) {
    return (struct bvh_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void join(struct bvh_box *to, const struct bvh_box *from) {
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
    struct bvh_box sum = nothing();
    uint32_t count = 0;
    for (int k = 0; k < BINS - 1; k++) {
        join(&sum, &box[k]);
        count += number[k];
        left[k] = count ? half_area(&sum) * blocks(count) : INFINITY;
    }
    sum = nothing();
    count = 0;
    for (int k = BINS - 1; k > 0; k--) {
        join(&sum, &box[k]);
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
            box[axis][k] = nothing();
    }
    for (uint32_t k = first; k < first + count; k++) {
        const struct bvh_box *p = &b->boxes[b->order[k]];
        for (int axis = 0; axis < 3; axis++) {
            const int bin = bin_of(&by[axis], p);
            number[axis][bin]++;
            join(&box[axis][bin], p);
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
        if (b->order[k] < b->triangles) {
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
    struct bvh_box centres = nothing();
    *node = (struct bvh_binary){.box = nothing(), .first = first, .count = count};
    for (uint32_t k = first; k < first + count; k++) {
        const struct bvh_box *p = &b->boxes[b->order[k]];
        struct bvh_box c;
        for (int axis = 0; axis < 3; axis++)
            c.low[axis] = c.high[axis] = centre(p, axis);
        join(&node->box, p);
        join(&centres, &c);
    }
    const uint32_t left = divide(b, first, count, &centres, depth);
    if (!left) {
        node->spheres = b->order[first] >= b->triangles;
        return;
    }
    node->right = at + 2 * left;
#pragma omp task if (count > TASK)
    build(b, at + 1, first, left, depth + 1);
    build(b, node->right, first + left, count - left, depth + 1);
}

struct bvh_binary *bvh_binary_build(const struct bvh_box *boxes, uint32_t *order, uint32_t count, uint32_t triangles) {
    struct builder b = {.boxes = boxes, .order = order, .triangles = triangles};
    b.nodes = app_alloc(2 * (size_t)count, sizeof *b.nodes);
    for (uint32_t k = 0; k < count; k++)
        order[k] = k;
#pragma omp parallel
#pragma omp single
    build(&b, 0, 0, count, 0);
    return b.nodes;
}
