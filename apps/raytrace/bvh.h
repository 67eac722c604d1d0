/* SPDX-License-Identifier: Apache-2.0 */
/* The hierarchy of boxes around a scene's triangles and spheres, in the form that devices read: arrays without
 * pointers.
 *
 * A node has up to eight children, whose boxes lie on a grid of 256 steps over the node's own box (H. Ylitie, T.
 * Karras, S. Laine: Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs, HPG 2017): 80 bytes. A
 * leaf is one block of up to four primitives, in the order in which vector instructions take them. Children sit in
 * slots by direction: slot s is where the child is that lies towards the corner with the signs of the bits of s (x: 1,
 * y: 2, z: 4; a set bit is the positive side), as well as that can be had. */
#ifndef RAYTRACE_BVH_H
#define RAYTRACE_BVH_H

#include "scene.h"

enum { BVH_WIDTH = 8, BVH_BLOCK = 4, BVH_DEPTH_MOST = 72 };

struct bvh_node {
    float low[3];
    uint8_t exponent[3];  /* grid step of an axis: 2^(exponent - 127) */
    uint8_t inner;        /* slots that hold a node: node + the number of inner slots before it */
    uint32_t node, block; /* first child of either kind */
    uint32_t leaf;        /* slots that hold a block: block + the number of leaf slots before it */
    uint32_t spare;
    uint8_t grid[2][3][BVH_WIDTH]; /* [low, high][axis][slot] */
} __attribute__((aligned(16)));

/* Primitive k of a block: a triangle with corner a and edges b, c; or a sphere with centre a, radius b[0]. */
#define BVH_NOTHING UINT32_MAX
struct bvh_block {
    float a[3][BVH_BLOCK], b[3][BVH_BLOCK], c[3][BVH_BLOCK];
    uint32_t id[BVH_BLOCK]; /* index of its face; BVH_NOTHING: unused, and so are all behind it */
} __attribute__((aligned(16)));

struct bvh {
    struct bvh_node *nodes; /* [0] is the root */
    struct bvh_block *blocks;
    size_t node_count, block_count;
    uint32_t triangles; /* faces before the first sphere */
    float extent[3];    /* largest distance from 0 on an axis */
    int depth;          /* levels of nodes */
};

/* Blocks never mix kinds. Needs about 150 bytes a primitive while it works. */
void bvh_build(struct bvh *bvh, const struct scene *scene);
void bvh_free(struct bvh *bvh);

/* Of the builder: the binary tree (bvh_binary.c) that is packed (bvh_build.c). */
struct bvh_box {
    float low[3], high[3];
};
struct bvh_binary {
    struct bvh_box box;
    uint32_t first, count; /* primitives order[first .. first + count - 1]; */
    uint32_t right;        /* the left child is the next node; 0: a leaf */
    uint32_t spheres;      /* a leaf of them */
};
/* boxes: of the primitives; order: filled. The root is [0]; 2 * count - 1 nodes, not all used. Caller frees. */
struct bvh_binary *bvh_binary_build(const struct bvh_box *boxes, uint32_t *order, uint32_t count, uint32_t triangles);

#endif
