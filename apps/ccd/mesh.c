/* SPDX-License-Identifier: Apache-2.0 */
/* Edges, their owners, and connected bodies. Edges are numbered as in the data set Sample-Scalable-CCD-Data: each once,
 * ends in order, sorted by the larger end, then by the smaller one. */
#include "ccd.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

/* An edge of a face, before equal ones are joined. */
struct half {
    uint64_t key; /* the larger end, the smaller end */
    uint32_t face, place;
};

static int compare_halves(const void *left, const void *right) {
    const struct half *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->face != b->face)
        return a->face < b->face ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static size_t fill_halves(const struct mesh *mesh, struct half *halves) {
    size_t count = 0;
    for (uint32_t f = 0; f < mesh->faces_count; f++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t a = mesh->faces[f].corner[k], b = mesh->faces[f].corner[(k + 1) % 3];
            mesh->face_edges[f].corner[k] = CCD_NO_EDGE;
            if (a != b)
                halves[count++] = (struct half){(uint64_t)(a > b ? a : b) << 32 | (a > b ? b : a), f, k};
        }
    return count;
}

static void make_edges(struct mesh *mesh) {
    struct half *halves = app_alloc(3 * (size_t)mesh->faces_count, sizeof *halves);
    mesh->face_edges = app_alloc(mesh->faces_count, sizeof *mesh->face_edges);
    mesh->owns = app_alloc(mesh->faces_count, 1);
    memset(mesh->owns, 0, mesh->faces_count);
    const size_t count = fill_halves(mesh, halves);
    mesh->edges = app_alloc(count, sizeof *mesh->edges);
    qsort(halves, count, sizeof *halves, compare_halves);
    for (size_t k = 0; k < count; k++) {
        if (!k || halves[k].key != halves[k - 1].key) {
            mesh->edges[mesh->edges_count++] =
                (struct edge){{(uint32_t)halves[k].key, (uint32_t)(halves[k].key >> 32)}};
            mesh->owns[halves[k].face] |= (uint8_t)(OWNS_EDGE << halves[k].place);
        }
        mesh->face_edges[halves[k].face].corner[halves[k].place] = mesh->edges_count - 1;
    }
    free(halves);
}

static uint32_t find(uint32_t *parent, uint32_t k) {
    while (parent[k] != k)
        k = parent[k] = parent[parent[k]];
    return k;
}

static void make_bodies(struct mesh *mesh) {
    uint32_t *parent = app_alloc(mesh->points_count, sizeof *parent),
             *number = app_alloc(mesh->points_count, sizeof *number);
    for (uint32_t k = 0; k < mesh->points_count; k++) {
        parent[k] = k;
        number[k] = UINT32_MAX;
    }
    for (uint32_t f = 0; f < mesh->faces_count; f++)
        for (int k = 1; k < 3; k++) {
            const uint32_t a = find(parent, mesh->faces[f].corner[0]), b = find(parent, mesh->faces[f].corner[k]);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    mesh->body = app_alloc(mesh->faces_count, sizeof *mesh->body);
    for (uint32_t f = 0; f < mesh->faces_count; f++) {
        uint32_t *n = &number[find(parent, mesh->faces[f].corner[0])];
        if (*n == UINT32_MAX)
            *n = mesh->bodies++;
        mesh->body[f] = *n;
    }
    free(parent);
    free(number);
}

static void own_corners(struct mesh *mesh) {
    uint8_t *owned = app_alloc(mesh->points_count, 1);
    memset(owned, 0, mesh->points_count);
    mesh->loose = mesh->points_count;
    for (uint32_t f = 0; f < mesh->faces_count; f++)
        for (int k = 0; k < 3; k++) {
            uint8_t *mine = &owned[mesh->faces[f].corner[k]];
            if (!*mine) {
                mesh->owns[f] |= (uint8_t)(OWNS_CORNER << k);
                mesh->loose--;
            }
            *mine = 1;
        }
    free(owned);
}

bool mesh_make(struct mesh *mesh, struct frame *before, struct frame *after, const char *name, struct complaint *c) {
    *mesh = (struct mesh){.faces = NULL};
    if (before->points_count != after->points_count || before->faces_count != after->faces_count)
        return complain(c, name, 0,
                        "%zu points and %zu triangles, but %zu and %zu in the first frame: not the same mesh",
                        after->points_count, after->faces_count, before->points_count, before->faces_count);
    for (size_t f = 0; f < before->faces_count; f++)
        if (memcmp(&before->faces[f], &after->faces[f], sizeof *before->faces))
            return complain(c, name, 0, "triangle %zu has other corners than in the first frame", f);
    *mesh = (struct mesh){.points = {before->points, after->points},
                          .faces = before->faces,
                          .points_count = (uint32_t)before->points_count,
                          .faces_count = (uint32_t)before->faces_count};
    before->points = after->points = NULL;
    before->faces = NULL;
    make_edges(mesh);
    own_corners(mesh);
    make_bodies(mesh);
    return true;
}

void mesh_free(struct mesh *mesh) {
    free(mesh->points[0]);
    free(mesh->points[1]);
    free(mesh->faces);
    free(mesh->edges);
    free(mesh->face_edges);
    free(mesh->owns);
    free(mesh->body);
    *mesh = (struct mesh){.faces = NULL};
}
