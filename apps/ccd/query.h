/* SPDX-License-Identifier: Apache-2.0 */
/* A query: all pairs of elements of a mesh that collide between its two frames. Broad phase: boxes around the moving
 * triangles in a hierarchy (apps/bvh). Three types of job: `traverse` takes a triangle and what is behind it in the
 * hierarchy and makes pairs of elements whose boxes overlap; `vertex_face` and `edge_edge` take such a pair and make a
 * hit or nothing. */
#ifndef CCD_QUERY_H
#define CCD_QUERY_H

#include "ccd.h"
#include "narrow.h"

#include <stddef.h>

/* Boxes before and after; what is in them is in between meanwhile, on straight lines. */
struct moving {
    struct bvh_box at[2];
};

/* The hierarchy's places in the order of its leaves: where the walk of a triangle begins. */
struct start {
    uint32_t node, last; /* the node behind its leaf; the last place of its leaf, plus 1 */
};

struct query {
    struct mesh mesh;
    struct bvh_tree tree;
    struct bvh_box *boxes; /* [faces] of both frames together, from which the hierarchy is built */
    struct moving *moving; /* [tree.ends] of nodes */
    struct moving *movers; /* [tree.count] of the triangles, in the order of the leaves */
    float margin;          /* for roundings of boxes: see traverse.h */
    struct start *starts;  /* [tree.count] */
    struct ccd_limits limits;
    enum which which;

    struct contact *hits;
    size_t hits_count, hits_room;
    size_t tests, cells, undecided; /* of the last run; cells and undecided are of lists alone */

    struct contact *block_hits; /* of the form by blocks */
    uint32_t *block_counts;
};

/* Builds the hierarchy, whose shape stays while the corners move. False: a message. */
bool query_prepare(struct query *query, char *message, size_t size);
void query_free(struct query *query);

/* Each starts with the corners; hits are in any order. By blocks: `heddle for` over host and devices. By lists: the
 * same jobs from list to list, by plain loops (device.h: on one device where everything stays). */
void query_by_blocks(struct query *query);
void query_by_blocks_serially(struct query *query);
void query_by_lists(struct query *query);

/* What loops read. Arrays have at least one element. */
struct view {
    const struct vec3 *before, *after;
    const struct bvh_triangle *faces, *face_edges;
    const struct edge *edges;
    const uint8_t *owns;
    const uint32_t *body;
    const struct bvh_binary *nodes;
    const uint32_t *order;
    const struct start *starts;
    const struct moving *moving, *movers;
    uint32_t ends; /* places of nodes */
    int which;
    float margin;
};

/* By blocks of so many places; hits[block * BLOCK_HITS], counts[block]: hits that the block has, which may be more than
 * fit. Returns the number of tests. */
enum { BLOCK_PLACES = 4, BLOCK_HITS = 64 };
struct block_job {
    struct ccd_limits limits;
    uint32_t points, faces, edges, places, ends;
    int which;
    float margin;
    bool wide; /* the host has AVX2 */
};
typedef unsigned long block_loop(const struct block_job *job, const struct view *view, struct contact *hits,
                                 uint32_t *counts, long blocks);
extern block_loop blocks_heddle, blocks_serial;
/* One block again, for as many hits as it has. */
void block_again(const struct block_job *job, const struct view *view, long block, struct contact *hits, uint32_t room);

struct view query_view(const struct query *query);
void query_refit(struct query *query);
void query_reserve(struct query *query, size_t hits);
void query_sort(struct query *query);

#endif
