/* SPDX-License-Identifier: Apache-2.0 */
/* A query by lists where everything stays on one device: boxes, refit, traversal, pairs of triangles, both types of
 * test. A list that is too short is made longer, and what fills it runs again. */
#include "device.h"

#include "app.h"
#include "traverse.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_initial_device(void) { return 0; }
static void *omp_target_alloc(size_t size, int device) { return (void)device, malloc(size); }
static void omp_target_free(void *at, int device) { (void)device, free(at); }
static int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                             int to_device, int from_device) {
    (void)to_device, (void)from_device;
    memcpy((char *)to + to_offset, (const char *)from + from_offset, size);
    return 0;
}
#endif

/* HARD_: tests that are not done after a few cells, so that they do not hold up others of their warp. REST: those
 * that are not done after many, of both types, which a core of the host walks through faster than one lane. */
enum { PAIRS, CORNERS, EDGES, HARD_CORNERS, HARD_EDGES, REST, HITS, LISTS };
enum { CELLS_FEW = 8, CELLS_MANY = 4096 };
struct list {
    void *at;
    uint32_t room;
    size_t size; /* of an item */
};

/* Everything but this structure lies on the device. */
struct device_query {
    int device;
    const char *failure;
    struct view view;
    struct view *there; /* view's copy on the device */
    void *owned[16];
    int owned_count;
    struct list list[LISTS];
    uint32_t *counts, count[LISTS]; /* there, here */
    uint32_t places, points;
};

static void *take(struct device_query *q, size_t size) {
    void *at = omp_target_alloc(size ? size : 1, q->device);
    if (!at)
        q->failure = "the device's memory is too small";
    return at;
}

static void copy(struct device_query *q, void *to, const void *from, size_t size, bool out) {
    const int host = omp_get_initial_device();
    if (!q->failure && size && omp_target_memcpy(to, from, size, 0, 0, out ? host : q->device, out ? q->device : host))
        q->failure = "a copy to or from the device failed";
}

static void *put(struct device_query *q, const void *from, size_t size) {
    void *at = take(q, size);
    q->owned[q->owned_count++] = at;
    copy(q, at, from, size, false);
    return at;
}

static void resize(struct device_query *q, int which, uint32_t room) {
    struct list *list = &q->list[which];
    if (list->at)
        omp_target_free(list->at, q->device);
    list->room = room;
    list->at = take(q, room * list->size);
}

struct device_query *device_open(const struct query *query, int device) {
    const struct mesh *mesh = &query->mesh;
    const size_t faces = mesh->faces_count, points = mesh->points_count * sizeof(struct vec3);
    const struct view here = query_view(query);
    struct device_query *q = app_alloc(1, sizeof *q);
    *q = (struct device_query){.device = device < 0 ? omp_get_initial_device() : device,
                               .places = query->tree.count,
                               .points = mesh->points_count,
                               .list = {[PAIRS].size = sizeof(struct pair),
                                        [CORNERS].size = sizeof(struct pair),
                                        [EDGES].size = sizeof(struct pair),
                                        [HARD_CORNERS].size = sizeof(struct pair),
                                        [HARD_EDGES].size = sizeof(struct pair),
                                        [REST].size = sizeof(struct pair),
                                        [HITS].size = sizeof(struct contact)}};
    q->view = (struct view){put(q, here.before, points),
                            put(q, here.after, points),
                            put(q, here.faces, faces * sizeof *here.faces),
                            put(q, here.face_edges, faces * sizeof *here.face_edges),
                            put(q, here.edges, mesh->edges_count * sizeof *here.edges),
                            put(q, here.owns, faces),
                            put(q, here.body, faces * sizeof *here.body),
                            put(q, here.nodes, here.ends * sizeof *here.nodes),
                            put(q, here.order, q->places * sizeof *here.order),
                            put(q, here.starts, q->places * sizeof *here.starts),
                            put(q, here.moving, here.ends * sizeof *here.moving),
                            put(q, here.movers, q->places * sizeof *here.movers),
                            here.ends,
                            here.which,
                            here.margin};
    q->there = put(q, &q->view, sizeof q->view);
    q->counts = put(q, q->count, sizeof q->count);
    for (int k = 0; k < LISTS; k++)
        resize(q, k, mesh->faces_count + 1024);
    return q;
}

void device_close(struct device_query *q) {
    for (int k = 0; k < q->owned_count; k++)
        if (q->owned[k])
            omp_target_free(q->owned[k], q->device);
    for (int k = 0; k < LISTS; k++)
        if (q->list[k].at)
            omp_target_free(q->list[k].at, q->device);
    free(q);
}

static void set_movers(const struct device_query *q) {
    const struct view *view = q->there;
    const uint32_t count = q->places;
#pragma omp target teams distribute parallel for is_device_ptr(view) device(q->device) thread_limit(128)
    for (uint32_t place = 0; place < count; place++)
        ((struct moving *)view->movers)[place] = ccd_mover(view, place);
}

/* A node of more than `below` triangles, from those below it that have no more. */
CCD_INLINE void refit_node(const struct view *view, uint32_t k, uint32_t below) {
    const struct bvh_binary *node = &view->nodes[k];
    struct moving sum = view->movers[node->first];
    if (!below)
        for (uint32_t p = node->first + 1; p < node->first + node->count; p++)
            sum = ccd_join(&sum, &view->movers[p]);
    else
        for (uint32_t at = k + 1, end = bvh_end(view->nodes, k); at < end;) {
            const struct bvh_binary *part = &view->nodes[at];
            const bool whole = part->count <= below || !part->right;
            if (whole)
                sum = ccd_join(&sum, &view->moving[at]);
            at = whole ? bvh_end(view->nodes, at) : at + 1;
        }
    ((struct moving *)view->moving)[k] = sum;
}

/* Nodes of `below` + 1 to `most` triangles, each for itself: four loops take the place of one for each level. */
static void refit(const struct device_query *q, uint32_t below, uint32_t most) {
    const struct view *view = q->there;
    const uint32_t count = q->view.ends;
#pragma omp target teams distribute parallel for is_device_ptr(view) device(q->device) thread_limit(128)
    for (uint32_t k = 0; k < count; k++)
        if (view->nodes[k].count > below && view->nodes[k].count <= most)
            refit_node(view, k, below);
}

static void traverse(const struct device_query *q) {
    const struct view *view = q->there;
    struct pair *pairs = q->list[PAIRS].at;
    uint32_t *counts = q->counts;
    const uint32_t count = q->places, room = q->list[PAIRS].room;
#pragma omp target teams distribute parallel for is_device_ptr(view, pairs, counts) device(q->device) thread_limit(128)
    for (uint32_t place = 0; place < count; place++) {
        const struct pair_list list = {pairs, 0, room, counts + PAIRS, true};
        struct ccd_walk walk = ccd_start(view, place);
        for (uint32_t other; (other = ccd_next_place(view, &walk)) != BVH_NOTHING;)
            ccd_append(&list, place, other);
    }
}

static void pairs(const struct device_query *q) {
    const struct view *view = q->there;
    const struct pair *from = q->list[PAIRS].at;
    struct pair *corners = q->list[CORNERS].at, *edges = q->list[EDGES].at;
    uint32_t *counts = q->counts;
    const uint32_t count = q->count[PAIRS], corners_room = q->list[CORNERS].room, edges_room = q->list[EDGES].room;
#pragma omp target teams distribute parallel for is_device_ptr(view, from, corners, edges, counts) device(q->device) thread_limit(128)
    for (uint32_t k = 0; k < count; k++) {
        const struct test_lists lists = {{corners, 0, corners_room, counts + CORNERS, true},
                                         {edges, 0, edges_room, counts + EDGES, true}};
        const struct vec3 move = ccd_move_of(&view->movers[from[k].first]);
        struct ccd_face face;
        ccd_load_face(view, view->order[from[k].first], move, view->margin, &face);
        ccd_pair(view, &face, move, view->order[from[k].second], &lists);
    }
}

/* What a test made: a hit, nothing, or a hard test. */
struct kept {
    struct contact *hits;
    struct pair *hard;
    uint32_t *hits_count, *hard_count;
    uint32_t hits_room, hard_room, few; /* cells from which on it is hard; 0: it never is */
};

CCD_INLINE void keep(const struct kept *to, struct pair pair, double time, uint32_t cells) {
    if (to->few && cells >= to->few) {
        const uint32_t k = ccd_next(to->hard_count);
        if (k < to->hard_room)
            to->hard[k] = pair;
    } else if (time <= 1) {
        const uint32_t k = ccd_next(to->hits_count);
        if (k < to->hits_room)
            to->hits[k] = (struct contact){pair, time};
    }
}

static void vertex_face(const struct device_query *q, int from, int left, struct ccd_limits limits, uint32_t few) {
    const struct view *view = q->there;
    const struct pair *tests = q->list[from].at;
    struct pair *hard = q->list[left].at;
    struct contact *hits = q->list[HITS].at;
    uint32_t *counts = q->counts;
    const uint32_t count = q->count[from], room = q->list[HITS].room, hard_room = q->list[left].room,
                   boxes = few ? few : limits.boxes;
    const double tolerance = limits.tolerance;
#pragma omp target teams distribute parallel for is_device_ptr(view, tests, hard, hits, counts) device(q->device) thread_limit(64)
    for (uint32_t k = 0; k < count; k++) {
        const struct ccd_limits here = {tolerance, boxes};
        const struct kept to = {hits, hard, counts + HITS, counts + left, room, hard_room, few};
        uint32_t cells;
        const double time = ccd_vertex_face(view, &here, tests[k], &cells);
        keep(&to, tests[k], time, cells);
    }
}

static void edge_edge(const struct device_query *q, int from, int left, struct ccd_limits limits, uint32_t few) {
    const struct view *view = q->there;
    const struct pair *tests = q->list[from].at;
    struct pair *hard = q->list[left].at;
    struct contact *hits = q->list[HITS].at;
    uint32_t *counts = q->counts;
    const uint32_t count = q->count[from], room = q->list[HITS].room, hard_room = q->list[left].room,
                   boxes = few ? few : limits.boxes;
    const double tolerance = limits.tolerance;
#pragma omp target teams distribute parallel for is_device_ptr(view, tests, hard, hits, counts) device(q->device) thread_limit(64)
    for (uint32_t k = 0; k < count; k++) {
        const struct ccd_limits here = {tolerance, boxes};
        const struct kept to = {hits, hard, counts + HITS, counts + left, room, hard_room, few};
        uint32_t cells;
        const double time = ccd_edge_edge(view, &here, tests[k], &cells);
        keep(&to, tests[k], time, cells);
    }
}

/* Empties lists [first, last]. */
static void clear(struct device_query *q, int first, int last) {
    memset(q->count + first, 0, (size_t)(last - first + 1) * sizeof *q->count);
    copy(q, q->counts + first, q->count + first, (size_t)(last - first + 1) * sizeof *q->count, false);
}

/* Whether all that was appended found room; makes it where not. */
static bool fetch(struct device_query *q, int first, int last) {
    bool all = true;
    copy(q, q->count, q->counts, sizeof q->count, true);
    for (int k = first; k <= last && !q->failure; k++)
        if (q->count[k] > q->list[k].room) {
            resize(q, k, q->count[k] + q->count[k] / 4);
            all = false;
        }
    return all || q->failure;
}

static void mark(double *now, double *stage) {
    const double time = app_seconds();
    *stage = time - *now;
    *now = time;
}

/* All tests for a few cells, those that are left for many. */
static void narrow(struct device_query *q, struct ccd_limits limits, struct device_times *times, double *now) {
    const uint32_t few = limits.boxes > CELLS_FEW ? CELLS_FEW : 0, many = limits.boxes > CELLS_MANY ? CELLS_MANY : 0;
    bool all = false;
    while (!all && !q->failure) {
        if (q->count[CORNERS])
            vertex_face(q, CORNERS, HARD_CORNERS, limits, few);
        mark(now, &times->vertex_face);
        if (q->count[EDGES])
            edge_edge(q, EDGES, HARD_EDGES, limits, few);
        all = fetch(q, HARD_CORNERS, HITS);
        mark(now, &times->edge_edge);
        if (all && q->count[HARD_CORNERS])
            vertex_face(q, HARD_CORNERS, REST, limits, many);
        mark(now, &times->hard_vertex_face);
        if (all && q->count[HARD_EDGES])
            edge_edge(q, HARD_EDGES, REST, limits, many);
        all = all && fetch(q, REST, HITS);
        mark(now, &times->hard_edge_edge);
        times->hard = q->count[HARD_CORNERS] + q->count[HARD_EDGES];
        if (!all)
            clear(q, HARD_CORNERS, HITS);
    }
}

/* Behind the hits that are there. */
static void finish_rest(struct device_query *q, struct query *query) {
    const struct view view = query_view(query);
    const uint32_t count = q->count[REST];
    struct pair *rest = app_alloc(count, sizeof *rest);
    double *times = app_alloc(count, sizeof *times);
    copy(q, rest, q->list[REST].at, count * sizeof *rest, true);
    if (!q->failure) {
#pragma omp parallel for schedule(dynamic, 1)
        for (uint32_t k = 0; k < count; k++) {
            uint32_t cells;
            times[k] = rest[k].first & PAIR_EDGES ? ccd_edge_edge(&view, &query->limits, rest[k], &cells)
                                                  : ccd_vertex_face(&view, &query->limits, rest[k], &cells);
        }
        for (uint32_t k = 0; k < count; k++)
            if (times[k] <= 1) {
                query_reserve(query, query->hits_count + 1);
                query->hits[query->hits_count++] = (struct contact){rest[k], times[k]};
            }
    }
    free(rest);
    free(times);
}

bool device_run(struct device_query *q, struct query *query, struct device_times *times, const char **failure) {
    const size_t points = q->points * sizeof(struct vec3);
    double now = app_seconds();
    copy(q, (void *)q->view.before, query->mesh.points[0], points, false);
    copy(q, (void *)q->view.after, query->mesh.points[1], points, false);
    clear(q, PAIRS, HITS);
    mark(&now, &times->upload);
    if (!q->failure && q->places) {
        set_movers(q);
        refit(q, 0, 16);
        for (uint32_t below = 16; below < q->places; below = below < 1u << 28 ? below * 16 : UINT32_MAX)
            refit(q, below, below < 1u << 28 ? below * 16 : UINT32_MAX);
    }
    mark(&now, &times->refit);
    if (!q->failure && q->places)
        for (traverse(q); !fetch(q, PAIRS, PAIRS); traverse(q))
            clear(q, PAIRS, PAIRS);
    mark(&now, &times->traverse);
    if (!q->failure && q->count[PAIRS])
        for (pairs(q); !fetch(q, CORNERS, EDGES); pairs(q))
            clear(q, CORNERS, EDGES);
    mark(&now, &times->pairs);
    narrow(q, query->limits, times, &now);
    if (!q->failure) {
        query_reserve(query, q->count[HITS]);
        copy(q, query->hits, q->list[HITS].at, q->count[HITS] * sizeof *query->hits, true);
    }
    query->hits_count = q->failure ? 0 : q->count[HITS];
    query->tests = (size_t)q->count[CORNERS] + q->count[EDGES];
    times->pair_count = q->count[PAIRS];
    times->rest_count = q->count[REST];
    mark(&now, &times->download);
    if (!q->failure && q->count[REST])
        finish_rest(q, query);
    mark(&now, &times->rest);
    *failure = q->failure;
    return !q->failure;
}
