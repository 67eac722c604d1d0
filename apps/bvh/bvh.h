/* SPDX-License-Identifier: Apache-2.0 */
/* Hierarchies of boxes, shared by the applications, in a form that devices read: arrays without pointers.
 *
 * struct bvh_tree is binary: build, refit, and what overlaps a box (overlap.h). struct bvh is made of it for rays
 * (ray.h): nodes of eight children, whose boxes lie on a grid of 256 steps over the node's own box (H. Ylitie, T.
 * Karras, S. Laine: Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs, HPG 2017): 80 bytes.
 *
 * What is not finite (a NaN corner, a box whose low end is above its high end) is in no hierarchy: nothing meets it.
 * `left_out` counts it. A triangle without an area has a box but no ray meets it. No primitives at all: a hierarchy
 * that nothing meets. */
#ifndef HEDDLE_BVH_H
#define HEDDLE_BVH_H

#include "vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BVH_WIDTH = 8, BVH_BLOCK = 4, BVH_DEPTH_MOST = 72 };
#define BVH_NOTHING UINT32_MAX

struct bvh_box {
    float low[3], high[3];
};

/* The children of node k are k + 1 and `right`; what follows its subtree is k + 2 * count - 1. So a walk needs no
 * stack. Places in between that no node takes have count 0. */
struct bvh_binary {
    struct bvh_box box;
    uint32_t first, count; /* primitives order[first .. first + count - 1] */
    uint32_t right;        /* 0: a leaf */
    uint32_t kind;         /* of a leaf: 0, or 1 for primitives from `kinds` on */
};

struct bvh_tree {
    struct bvh_binary *nodes; /* [0] is the root; `ends` places */
    uint32_t *order;          /* numbers of the boxes, leaf after leaf */
    uint32_t count, ends;     /* boxes in the tree; 2 * count - 1, or 0 */
    uint32_t left_out;
    /* of bvh_tree_sort: nodes by depth, the root first, by_level[level[d] .. level[d + 1] - 1] */
    uint32_t *by_level, level[BVH_DEPTH_MOST + 2];
    int levels;
};

/* Top-down by the surface area heuristic, on OpenMP's threads; the tree does not depend on their number. A leaf has up
 * to BVH_BLOCK boxes, all below `kinds` or none (BVH_NOTHING: one kind). */
void bvh_tree_build(struct bvh_tree *tree, const struct bvh_box *boxes, uint32_t count, uint32_t kinds);
/* For refits, which take the last level first; a device may do so by itself (bvh_refit_node). */
void bvh_tree_sort(struct bvh_tree *tree);
/* After boxes moved; sorts if that was not done. The boxes that were left out stay out; one that is no longer finite is
 * an error: false. */
bool bvh_tree_refit(struct bvh_tree *tree, const struct bvh_box *boxes);
void bvh_tree_free(struct bvh_tree *tree);

struct bvh_triangle {
    uint32_t corner[3];
};
struct bvh_sphere {
    struct vec3 centre;
    float radius;
};
/* Numbers of primitives: triangles, then spheres. */
struct bvh_primitives {
    const struct vec3 *points;
    const struct bvh_triangle *triangles;
    const struct bvh_sphere *spheres;
    size_t triangle_count, sphere_count;
};

/* A leaf is one block of up to four primitives, in the order in which vector instructions take them. Children sit in
 * slots by direction: slot s is where the child is that lies towards the corner with the signs of the bits of s (x: 1,
 * y: 2, z: 4; a set bit is the positive side), as well as that can be had. */
struct bvh_node {
    float low[3];
    uint8_t exponent[3];  /* grid step of an axis: 2^(exponent - 127) */
    uint8_t inner;        /* slots that hold a node: node + the number of inner slots before it */
    uint32_t node, block; /* first child of either kind */
    uint32_t leaf;        /* slots that hold a block: block + the number of leaf slots before it */
    uint32_t spare;
    uint8_t grid[2][3][BVH_WIDTH]; /* [low, high][axis][slot] */
} __attribute__((aligned(16)));

/* Primitive k of a block: a triangle with corner a and edges b, c; or a sphere with centre a, radius b[0]. Blocks never
 * mix kinds. */
struct bvh_block {
    float a[3][BVH_BLOCK], b[3][BVH_BLOCK], c[3][BVH_BLOCK];
    uint32_t id[BVH_BLOCK]; /* number of its primitive; BVH_NOTHING: unused, and so are all behind it */
} __attribute__((aligned(16)));

struct bvh {
    struct bvh_node *nodes; /* [0] is the root; children are behind their parents */
    struct bvh_block *blocks;
    size_t node_count, block_count;
    uint32_t triangles; /* primitives before the first sphere */
    uint32_t left_out;
    float extent[3]; /* largest distance from 0 on an axis */
    int depth;       /* levels of nodes */
};

/* Needs about 150 bytes a primitive while it works. */
void bvh_build(struct bvh *bvh, const struct bvh_primitives *primitives);
/* After points or spheres moved; what was left out stays out. False: one is no longer finite. */
bool bvh_refit(struct bvh *bvh, const struct bvh_primitives *primitives);
void bvh_free(struct bvh *bvh);

/* Corner a and edges b, c as traversal has them, and the box of what that makes after rounding. */
struct bvh_box bvh_triangle_box(const struct bvh_primitives *primitives, size_t triangle);
bool bvh_finite(const struct bvh_box *box);

/* Of rays (ray.h). */
struct ray {
    struct vec3 origin, direction; /* direction: unit */
};

/* id: of a primitive, or BVH_NOTHING; where: block * 4 + place in it. */
struct hit {
    float t;
    uint32_t id, where;
};

/* Of the builders. */
struct bvh_box bvh_empty(void);
void bvh_join(struct bvh_box *to, const struct bvh_box *from);

#endif
