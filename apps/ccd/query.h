/* SPDX-License-Identifier: Apache-2.0 */
/* A query: all pairs of elements of a mesh that collide between its two frames. Broad phase: boxes around the moving
 * triangles in a hierarchy (apps/bvh). The jobs of it are in nest_jobs.c. */
#ifndef CCD_QUERY_H
#define CCD_QUERY_H

#include "ccd.h"
#include "narrow.h"

#include <heddle/list.h>

#include <stddef.h>

/* Boxes before and after; what is in them is in between meanwhile, on straight lines. */
struct moving {
    struct bvh_box at[2];
};

/* The hierarchy's places in the order of its leaves: where the walk of a triangle begins. */
struct start {
    uint32_t node, last; /* the node behind its leaf; the last place of its leaf, plus 1 */
};

enum { KEEPERS_MOST = 16 };

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
    size_t tests, cells, undecided; /* of the last run */

    void (*refit)(struct query *query); /* query_refit, or that of devices (resident.h) */
    int keepers, keeper[KEEPERS_MOST];  /* their numbers */
};

/* Builds the hierarchy, whose shape stays while the corners move. False: a message. */
bool query_prepare(struct query *query, char *message, size_t size);
void query_free(struct query *query);

/* Each starts with the corners; hits are in any order. On all devices, and with the pragmas left out. */
void query_by_jobs(struct query *query);
void query_by_jobs_serially(struct query *query);

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

/* ---- nest_jobs.c ---- */
/* A test that is not done. */
struct hard_test {
    struct pair pair;
    uint32_t looked;
    struct ccd_search search;
};
/* Part of a test: a cell below which nothing was looked at yet. */
struct part {
    struct pair pair;
    uint32_t boxes; /* that may be looked at */
    uint32_t depth; /* of the cell */
    uint64_t low[3];
    double first;
    uint32_t spent;    /* on the whole test, where that is known */
    uint8_t halved[3]; /* low, halved: a struct ccd_cell */
};
/* What became of a part. */
struct ended {
    struct contact contact;
    uint32_t boxes, spent;
};
struct places HEDDLE_LIST(uint32_t);
struct pairs HEDDLE_LIST(struct pair);
struct hard_tests HEDDLE_LIST(struct hard_test);
struct parts HEDDLE_LIST(struct part);
struct contacts HEDDLE_LIST(struct contact);
struct ends HEDDLE_LIST(struct ended);

/* Tests are done after LONG boxes, or what is left becomes parts. On a GPU they go to others after SHORT, and GROWTH
 * times as many again and again. A part is not worth less than LEAST boxes. Of FEW parts a round takes ROUND boxes
 * each: more of them have something to do in the next one. */
enum { BOXES_SHORT = 8, BOXES_GROWTH = 4, BOXES_LONG = 512, BOXES_LEAST = 16, BOXES_ROUND = 256, PARTS_FEW = 8192 };

/* What all jobs of a query are told. */
struct jobs_setting {
    uint32_t points, faces, edges, places, ends;
    struct ccd_limits limits;
    int which;
    float margin;
    bool wide; /* the host has AVX2 */
};
struct jobs_lists {
    struct places *places;
    struct pairs *pairs, *corners, *edges;
    struct hard_tests *hard;
    struct parts *parts, *rest;    /* rest: of tests that are very long */
    struct contacts *hits, *found; /* found: of parts, several of a test */
};
struct jobs_tally {
    unsigned long tests, cells, undecided;
};
typedef void tests_loop(const struct jobs_setting *set, const struct view *view, const struct jobs_lists *lists,
                        struct jobs_tally *tally);
typedef void parts_loop(const struct jobs_setting *set, const struct view *view, struct parts *now, struct parts *next,
                        struct ends *ends);
extern tests_loop jobs_tests_heddle, jobs_tests_serial;
extern parts_loop jobs_parts_heddle, jobs_parts_serial;

/* ---- rounds.c: very long tests, whose parts are looked at again and again until none is left, or the test has had its
 * boxes. Contacts go to `found`. ---- */
void rounds_run(const struct jobs_setting *set, const struct view *view, parts_loop *loop, struct parts *rest,
                struct contacts *found, struct jobs_tally *tally);
/* The first contact of each test, once. */
void rounds_unite(struct contacts *found);

struct view query_view(const struct query *query);
/* Of these tests alone, by the program without pragmas: appends to the hits. */
void query_settle(struct query *query, const struct pair *tests, long count);
void query_refit(struct query *query);
void query_sort(struct query *query);

#endif
