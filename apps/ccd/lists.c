/* SPDX-License-Identifier: Apache-2.0 */
/* The query from list to list, as one writes it down: the reference of --check. */
#include "traverse.h"

#include "app.h"

#include <stdlib.h>

struct test_list {
    struct pair *at;
    uint32_t count, room;
};

static void reserve(struct test_list *list) {
    if (list->count > list->room) {
        list->room = list->count;
        list->at = app_resize(list->at, list->room, sizeof *list->at);
    }
}

static void traverse_all(const struct view *view, uint32_t places, struct test_list *corners, struct test_list *edges) {
    do {
        reserve(corners);
        reserve(edges);
        corners->count = edges->count = 0;
        const struct test_lists lists = {{corners->at, 0, corners->room, &corners->count, false},
                                         {edges->at, 0, edges->room, &edges->count, false}};
        for (uint32_t place = 0; place < places; place++)
            ccd_traverse(view, place, &lists);
    } while (corners->count > corners->room || edges->count > edges->room);
}

static void keep(struct query *query, struct pair pair, double time, uint32_t cells) {
    query->cells += cells;
    query->undecided += cells >= query->limits.boxes;
    if (time > 1)
        return;
    query_reserve(query, query->hits_count + 1);
    query->hits[query->hits_count++] = (struct contact){pair, time};
}

void query_by_lists(struct query *query) {
    query_refit(query);
    const struct view view = query_view(query);
    struct test_list corners = {app_alloc(1, sizeof(struct pair)), 0, 1},
                     edges = {app_alloc(1, sizeof(struct pair)), 0, 1};
    uint32_t cells;
    traverse_all(&view, query->tree.count, &corners, &edges);
    query->tests = (size_t)corners.count + edges.count;
    query->hits_count = query->cells = query->undecided = 0;
    for (uint32_t k = 0; k < corners.count; k++) {
        const double time = ccd_vertex_face(&view, &query->limits, corners.at[k], &cells);
        keep(query, corners.at[k], time, cells);
    }
    for (uint32_t k = 0; k < edges.count; k++) {
        const double time = ccd_edge_edge(&view, &query->limits, edges.at[k], &cells);
        keep(query, edges.at[k], time, cells);
    }
    free(corners.at);
    free(edges.at);
}
