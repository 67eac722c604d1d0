/* SPDX-License-Identifier: Apache-2.0 */
/* Collisions as a table, and as the triangles that take part. */
#include "ccd.h"

#include "app.h"
#include "create.h"

#include <inttypes.h>
#include <stdlib.h>

void output_corners(const struct mesh *mesh, struct pair pair, uint32_t corner[4]) {
    if (pair.first & PAIR_EDGES) {
        const struct edge *a = &mesh->edges[pair.first & ~PAIR_EDGES], *b = &mesh->edges[pair.second];
        corner[0] = a->end[0], corner[1] = a->end[1], corner[2] = b->end[0], corner[3] = b->end[1];
    } else {
        corner[0] = pair.first;
        for (int k = 0; k < 3; k++)
            corner[k + 1] = mesh->faces[pair.second].corner[k];
    }
}

bool output_header(FILE *file) { return fprintf(file, "step\tkind\tfirst\tsecond\ttime\tv0\tv1\tv2\tv3\n") > 0; }

bool output_rows(FILE *file, long step, const struct mesh *mesh, const struct contact *hits, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const struct pair pair = hits[k].pair;
        uint32_t c[4];
        output_corners(mesh, pair, c);
        fprintf(file, "%ld\t%s\t%" PRIu32 "\t%" PRIu32 "\t%.17g\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n",
                step, pair.first & PAIR_EDGES ? "ee" : "vf", pair.first & ~PAIR_EDGES, pair.second, hits[k].time, c[0],
                c[1], c[2], c[3]);
    }
    return !ferror(file);
}

uint8_t *output_faces(const struct mesh *mesh, const struct contact *hits, size_t count) {
    uint8_t *points = app_alloc((size_t)mesh->points_count + 1, 1),
            *edges = app_alloc((size_t)mesh->edges_count + 1, 1), *faces = app_alloc((size_t)mesh->faces_count + 1, 1);
    for (uint32_t k = 0; k < mesh->points_count; k++)
        points[k] = 0;
    for (uint32_t k = 0; k < mesh->edges_count; k++)
        edges[k] = 0;
    for (uint32_t k = 0; k < mesh->faces_count; k++)
        faces[k] = 0;
    for (size_t k = 0; k < count; k++) {
        const struct pair pair = hits[k].pair;
        if (pair.first & PAIR_EDGES)
            edges[pair.first & ~PAIR_EDGES] = edges[pair.second] = 1;
        else
            points[pair.first] = faces[pair.second] = 1;
    }
    for (uint32_t f = 0; f < mesh->faces_count; f++)
        for (int k = 0; k < 3; k++) {
            const uint32_t e = mesh->face_edges[f].corner[k];
            faces[f] |= points[mesh->faces[f].corner[k]] | (e != CCD_NO_EDGE ? edges[e] : 0);
        }
    free(points);
    free(edges);
    return faces;
}

bool output_mesh(const struct mesh *mesh, const struct contact *hits, size_t count, const char *path) {
    FILE *file = app_create(path);
    if (!file)
        return false;
    uint8_t *chosen = output_faces(mesh, hits, count);
    uint32_t *number = app_alloc(mesh->points_count, sizeof *number), next = 1;
    for (uint32_t k = 0; k < mesh->points_count; k++)
        number[k] = 0;
    for (uint32_t f = 0; f < mesh->faces_count; f++)
        for (int k = 0; chosen[f] && k < 3; k++) {
            const uint32_t c = mesh->faces[f].corner[k];
            const struct vec3 p = mesh->points[0][c];
            if (number[c])
                continue;
            number[c] = next++;
            fprintf(file, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y, (double)p.z);
        }
    for (uint32_t f = 0; f < mesh->faces_count; f++)
        if (chosen[f])
            fprintf(file, "f %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", number[mesh->faces[f].corner[0]],
                    number[mesh->faces[f].corner[1]], number[mesh->faces[f].corner[2]]);
    free(number);
    free(chosen);
    return app_finish(file, !ferror(file));
}
