/* SPDX-License-Identifier: Apache-2.0 */
/* What a query needs beside its jobs: the hierarchy, the first places, and the hits together. */
#include "query.h"

#include "app.h"
#include "traverse.h"

#include <stdlib.h>
#include <string.h>

struct view query_view(const struct query *query) {
    const struct mesh *mesh = &query->mesh;
    return (struct view){mesh->points[0], mesh->points[1], mesh->faces,       mesh->face_edges,  mesh->edges,
                         mesh->owns,      mesh->body,      query->tree.nodes, query->tree.order, query->starts,
                         query->moving,   query->movers,   query->tree.ends,  (int)query->which, query->margin};
}

static void set_boxes(struct query *query) {
    const struct mesh *mesh = &query->mesh;
    struct bvh_box *boxes = query->boxes;
    const uint32_t count = mesh->faces_count;
#pragma omp parallel for schedule(static)
    for (uint32_t f = 0; f < count; f++) {
        const struct bvh_box before = ccd_corners_box(mesh->points[0], &mesh->faces[f]),
                             after = ccd_corners_box(mesh->points[1], &mesh->faces[f]);
        boxes[f] = ccd_union(&before, &after);
    }
}

static void set_margin(struct query *query) {
    const struct mesh *mesh = &query->mesh;
    float size = 0;
    for (int frame = 0; frame < 2; frame++)
        for (uint32_t k = 0; k < mesh->points_count; k++) {
            const struct vec3 p = mesh->points[frame][k];
            size = most(size, most(magnitude(p.x), most(magnitude(p.y), magnitude(p.z))));
        }
    query->margin = size * 0x1p-21f;
}

static struct moving refit_node(const struct query *query, uint32_t k) {
    const struct bvh_binary *node = &query->tree.nodes[k];
    if (node->right)
        return ccd_join(&query->moving[k + 1], &query->moving[node->right]);
    struct moving sum = query->movers[node->first];
    for (uint32_t place = node->first + 1; place < node->first + node->count; place++)
        sum = ccd_join(&sum, &query->movers[place]);
    return sum;
}

void query_refit(struct query *query) {
    const struct view view = query_view(query);
    const struct bvh_tree *tree = &query->tree;
    struct moving *movers = query->movers, *moving = query->moving;
    const uint32_t *level = tree->by_level;
#pragma omp parallel for schedule(static)
    for (uint32_t place = 0; place < tree->count; place++)
        movers[place] = ccd_mover(&view, place);
    for (int d = tree->levels - 1; d >= 0; d--) {
#pragma omp parallel for schedule(static) if (tree->level[d + 1] - tree->level[d] > 1000)
        for (uint32_t k = tree->level[d]; k < tree->level[d + 1]; k++)
            moving[level[k]] = refit_node(query, level[k]);
    }
}

static void set_starts(struct query *query) {
    const struct bvh_binary *nodes = query->tree.nodes;
    for (uint32_t k = 0; k < query->tree.ends;) {
        const struct bvh_binary *node = &nodes[k];
        const uint32_t behind = bvh_end(nodes, k);
        for (uint32_t place = node->first; !node->right && place < node->first + node->count; place++)
            query->starts[place] = (struct start){behind, node->first + node->count};
        k = node->right ? k + 1 : behind;
    }
}

bool query_prepare(struct query *query, char *message, size_t size) {
    const uint32_t faces = query->mesh.faces_count;
    query->boxes = app_alloc(faces, sizeof *query->boxes);
    set_boxes(query);
    bvh_tree_build(&query->tree, query->boxes, faces, BVH_NOTHING);
    if (query->tree.left_out) {
        snprintf(message, size, "%u triangles are not finite", query->tree.left_out);
        return false;
    }
    bvh_tree_sort(&query->tree);
    query->starts = app_alloc(faces, sizeof *query->starts);
    query->movers = app_alloc(faces, sizeof *query->movers);
    query->moving = app_alloc((size_t)query->tree.ends, sizeof *query->moving);
    set_starts(query);
    set_margin(query);
    query->refit = query_refit;
    return true;
}

void query_free(struct query *query) {
    mesh_free(&query->mesh);
    bvh_tree_free(&query->tree);
    free(query->boxes);
    free(query->starts);
    free(query->moving);
    free(query->movers);
    free(query->hits);
}

static int compare_hits(const void *left, const void *right) {
    const struct contact *a = left, *b = right;
    if (a->pair.first != b->pair.first)
        return a->pair.first < b->pair.first ? -1 : 1;
    return a->pair.second < b->pair.second ? -1 : a->pair.second > b->pair.second;
}

/* Vertices and faces, then edges, by numbers. */
void query_sort(struct query *query) {
    if (query->hits_count) /* there may be no array then */
        qsort(query->hits, query->hits_count, sizeof *query->hits, compare_hits);
}

/* Of places or of tests that are in their lists. */
static void run_lists(struct query *query, tests_loop *tests, parts_loop *parts_again, struct places *places,
                      struct pairs *corners, struct pairs *edges, struct jobs_tally *tally) {
    const struct view view = query_view(query);
    const struct jobs_setting set = {.points = query->mesh.points_count,
                                     .faces = query->mesh.faces_count,
                                     .edges = query->mesh.edges_count,
                                     .places = query->tree.count,
                                     .ends = query->tree.ends,
                                     .limits = query->limits,
                                     .which = (int)query->which,
                                     .margin = query->margin,
#if defined(__x86_64__)
                                     .wide = __builtin_cpu_supports("avx2")
#endif
    };
    struct pairs pairs = {0};
    struct hard_tests hard = {0};
    struct parts parts = {0}, rest = {0};
    struct contacts hits = {.count = (long)query->hits_count, .room = (long)query->hits_room, .at = query->hits},
                    found = {0};
    const struct jobs_lists lists = {places, &pairs, corners, edges, &hard, &parts, &rest, &hits, &found};
    tests(&set, &view, &lists, tally);
    rounds_run(&set, &view, parts_again, &rest, &found, tally);
    rounds_unite(&found);
    for (long k = 0; k < found.count; k++)
        heddle_list_append(&hits, found.at[k]);
    query->hits = hits.at;
    query->hits_count = (size_t)hits.count;
    query->hits_room = (size_t)hits.room;
    heddle_list_free(places);
    heddle_list_free(&pairs);
    heddle_list_free(corners);
    heddle_list_free(edges);
    heddle_list_free(&hard);
    heddle_list_free(&parts);
    heddle_list_free(&rest);
    heddle_list_free(&found);
}

static void by_jobs(struct query *query, tests_loop *tests, parts_loop *parts_again) {
    struct places places = {0};
    struct pairs corners = {0}, edges = {0};
    struct jobs_tally tally = {0, 0, 0};
    query->refit(query);
    for (uint32_t place = 0; place < query->tree.count; place++)
        heddle_list_append(&places, place);
    query->hits_count = 0;
    run_lists(query, tests, parts_again, &places, &corners, &edges, &tally);
    query->tests = tally.tests;
    query->cells = tally.cells;
    query->undecided = tally.undecided;
}

void query_settle(struct query *query, const struct pair *tests, long count) {
    struct places places = {0};
    struct pairs corners = {0}, edges = {0};
    struct jobs_tally tally = {0, 0, 0};
    for (long k = 0; k < count; k++)
        heddle_list_append(tests[k].first & PAIR_EDGES ? &edges : &corners, tests[k]);
    run_lists(query, jobs_tests_serial, jobs_parts_serial, &places, &corners, &edges, &tally);
    query->cells += tally.cells;
    query->undecided += tally.undecided;
}

void query_by_jobs(struct query *query) { by_jobs(query, jobs_tests_heddle, jobs_parts_heddle); }
void query_by_jobs_serially(struct query *query) { by_jobs(query, jobs_tests_serial, jobs_parts_serial); }
