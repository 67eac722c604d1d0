/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP's own data and loops: jobs find on the device what is there. */
#include "resident.h"

#include "traverse.h"

#include <string.h>

#if defined(_OPENMP) && defined(__has_include)
#if __has_include(<heddle.h>)
#include <heddle.h>
#define HAVE_RUNTIME 1
#endif
#endif

#define ARRAYS                                                                                                         \
    const struct mesh *mesh = &query->mesh;                                                                            \
    const struct vec3 *before = mesh->points[0], *after = mesh->points[1];                                             \
    const struct bvh_triangle *faces = mesh->faces, *face_edges = mesh->face_edges;                                    \
    const struct edge *edges = mesh->edges;                                                                            \
    const uint8_t *owns = mesh->owns;                                                                                  \
    const uint32_t *body = mesh->body, *order = query->tree.order;                                                     \
    const struct bvh_binary *nodes = query->tree.nodes;                                                                \
    const struct start *starts = query->starts;                                                                        \
    struct moving *moving = query->moving, *movers = query->movers;                                                    \
    const uint32_t point_count = mesh->points_count, face_count = mesh->faces_count,                                   \
                   edge_count = mesh->edges_count ? mesh->edges_count : 1, places = query->tree.count,                 \
                   ends = query->tree.ends;                                                                            \
    (void)before, (void)after, (void)faces, (void)face_edges, (void)edges, (void)owns, (void)body, (void)order,        \
        (void)nodes, (void)starts, (void)moving, (void)movers, (void)point_count, (void)face_count, (void)edge_count,  \
        (void)places, (void)ends

/* A node of more than `below` triangles, from those below it that have no more. */
CCD_INLINE struct moving box_of(const struct bvh_binary *nodes, const struct moving *moving,
                                const struct moving *movers, uint32_t k, uint32_t below) {
    struct moving sum = movers[nodes[k].first];
    if (!below)
        for (uint32_t p = nodes[k].first + 1; p < nodes[k].first + nodes[k].count; p++)
            sum = ccd_join(&sum, &movers[p]);
    else
        for (uint32_t at = k + 1, end = bvh_end(nodes, k); at < end;) {
            const bool whole = nodes[at].count <= below || !nodes[at].right;
            if (whole)
                sum = ccd_join(&sum, &moving[at]);
            at = whole ? bvh_end(nodes, at) : at + 1;
        }
    return sum;
}

/* Nodes of `below` + 1 to `most` triangles, each for itself: few loops take the place of one for each level. */
static void refit_some(const struct query *query, int device, uint32_t below, uint32_t most) {
    ARRAYS;
    (void)device; /* only OpenMP uses it */
#pragma omp target teams distribute parallel for map(to : nodes[0 : ends], movers[0 : places]) map(tofrom : moving[0 : ends]) device(device) thread_limit(128)
    for (uint32_t k = 0; k < ends; k++)
        if (nodes[k].count > below && nodes[k].count <= most)
            moving[k] = box_of(nodes, moving, movers, k, below);
}

static void refit_on(const struct query *query, int device) {
    ARRAYS;
    if (!places)
        return;
#pragma omp target update to(before[0 : point_count], after[0 : point_count]) device(device)
#pragma omp target teams distribute parallel for map(to : before[0 : point_count], after[0 : point_count], faces[0 : face_count], order[0 : places]) map(tofrom : movers[0 : places]) device(device) thread_limit(128)
    for (uint32_t place = 0; place < places; place++) {
        const struct view view = {.before = before, .after = after, .faces = faces, .order = order};
        movers[place] = ccd_mover(&view, place);
    }
    refit_some(query, device, 0, 16);
    for (uint32_t below = 16; below < places; below = below < 1u << 28 ? below * 16 : UINT32_MAX)
        refit_some(query, device, below, below < 1u << 28 ? below * 16 : UINT32_MAX);
}

static void refit(struct query *query) {
    const int count = query->keepers;
#pragma omp parallel for num_threads(count) schedule(static, 1) if (count > 1)
    for (int k = 0; k < count; k++)
        refit_on(query, query->keeper[k]);
}

/* OpenMP ends the program where an array finds no memory. Half is left for lists. */
static bool fits(const struct query *query, int device) {
#ifdef HAVE_RUNTIME
    const struct mesh *mesh = &query->mesh;
    const size_t bytes = 2 * mesh->points_count * sizeof(struct vec3) + mesh->edges_count * sizeof *mesh->edges +
                         mesh->faces_count * (2 * sizeof *mesh->faces + sizeof *mesh->body + sizeof *mesh->owns +
                                              sizeof *query->starts + sizeof *query->movers + sizeof(uint32_t)) +
                         query->tree.ends * (sizeof *query->tree.nodes + sizeof *query->moving);
    return bytes < heddle_device_room(device) / 2;
#else
    return (void)query, (void)device, true;
#endif
}

int resident_gpus(int *device) {
    int gpus = 0;
#ifdef HAVE_RUNTIME
    const bool all = !strcmp(heddle_option_get("device"), "auto");
    for (int d = 0; all && d < heddle_device_count() && gpus < KEEPERS_MOST; d++) {
        struct heddle_device_info info;
        if (!heddle_device_info(d, &info) && !strcmp(info.kind, "cuda"))
            device[gpus++] = d;
    }
#else
    (void)device;
#endif
    return gpus;
}

bool resident_enter(struct query *query, const int *devices, int count) {
    for (int k = 0; k < count; k++)
        if (!fits(query, devices[k]))
            return false;
    query->refit = refit;
    query->keepers = count;
    memcpy(query->keeper, devices, (size_t)count * sizeof *devices);
    ARRAYS;
    for (int k = 0; k < count; k++) {
        const int device = devices[k];
        (void)device;
#pragma omp target enter data map(to : before[0 : point_count], after[0 : point_count], faces[0 : face_count]) \
    map(to : face_edges[0 : face_count], edges[0 : edge_count], owns[0 : face_count], body[0 : face_count]) \
    map(to : order[0 : places], nodes[0 : ends], starts[0 : places]) \
    map(alloc : moving[0 : ends], movers[0 : places]) device(device)
    }
    return true;
}

void resident_leave(struct query *query) {
    ARRAYS;
    for (int k = 0; k < query->keepers; k++) {
        const int device = query->keeper[k];
        (void)device;
#pragma omp target exit data map(delete : before[0 : point_count], after[0 : point_count], faces[0 : face_count]) \
    map(delete : face_edges[0 : face_count], edges[0 : edge_count], owns[0 : face_count], body[0 : face_count]) \
    map(delete : order[0 : places], nodes[0 : ends], starts[0 : places], moving[0 : ends], movers[0 : places]) \
    device(device)
    }
    query->keepers = 0;
    query->refit = query_refit;
}
