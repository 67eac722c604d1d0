/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a shape, and the order of its rows. */
#include "builder.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 128 };

static double signed_volume(const struct tets *t, const uint32_t *n) {
    double e[3][3];
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++)
            e[a][k] = t->point[n[a + 1]][k] - t->point[n[0]][k];
    return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
            e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
           6;
}

static double longest_edge(const struct tets *t, const uint32_t *n) {
    double most = 0;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++) {
            double square = 0;
            for (int k = 0; k < 3; k++)
                square += pow(t->point[n[a]][k] - t->point[n[b]][k], 2);
            most = square > most ? square : most;
        }
    return sqrt(most);
}

/* Rows: nodes as they come in grids, in other meshes by their number of elements within windows. */
static void order_rows(struct builder *b, const uint32_t *uses, bool grid) {
    struct shape *s = b->shape;
    for (size_t k = 0; k < b->tets->points; k++)
        if (uses[k])
            s->order[s->nodes++] = (uint32_t)k;
    for (uint32_t w = 0; !grid && w < s->nodes; w += WINDOW)
        for (uint32_t k = w + 1; k < w + WINDOW && k < s->nodes; k++)
            for (uint32_t i = k; i > w && uses[s->order[i]] > uses[s->order[i - 1]]; i--) {
                const uint32_t other = s->order[i];
                s->order[i] = s->order[i - 1], s->order[i - 1] = other;
            }
    for (uint32_t k = 0; k < s->nodes; k++)
        b->row[s->order[k]] = k;
    s->rows = (s->nodes + GROUP - 1) / GROUP * GROUP;
}

bool builder_elements(struct builder *b, const char *name, struct complaint *c) {
    const struct tets *t = b->tets;
    struct shape *s = b->shape;
    bool grid = false, any = false;
    uint32_t *uses = app_alloc(t->points + 1, sizeof *uses);
    memset(uses, 0, (t->points + 1) * sizeof *uses);
    s->elements = ((uint32_t)t->tets / GROUP + 1) * GROUP; /* the last is always a gap */
    b->corner = app_alloc(s->elements, sizeof *b->corner);
    b->gap = app_alloc(s->elements, 1);
    b->volume = app_alloc(s->elements, sizeof *b->volume);
    memset(b->gap, 1, s->elements);
    memset(b->volume, 0, s->elements * sizeof *b->volume);
    for (uint32_t e = 0; e < t->tets; e++) {
        const uint32_t *n = t->tet[e];
        if (n[0] == SOFT_NO_TET) {
            grid = true;
            continue;
        }
        const double volume = signed_volume(t, n), edge = longest_edge(t, n);
        if (!(fabs(volume) > 1e-9 * edge * edge * edge)) {
            free(uses);
            return complain(c, name, 0, "tetrahedron %u is flat (nodes %u, %u, %u, %u, counted from 0)", e, n[0], n[1],
                            n[2], n[3]);
        }
        const bool turned = volume < 0;
        const uint32_t corner[4] = {n[0], n[turned ? 2 : 1], n[turned ? 1 : 2], n[3]};
        memcpy(b->corner[e], corner, sizeof corner);
        b->gap[e] = 0;
        b->volume[e] = fabs(volume);
        for (int k = 0; k < 4; k++)
            uses[n[k]]++;
        any = true;
    }
    if (any)
        order_rows(b, uses, grid);
    free(uses);
    for (uint32_t e = 0; e < s->elements; e++)
        for (int k = 0; k < 4; k++)
            b->corner[e][k] = b->gap[e] ? 0 : b->row[b->corner[e][k]];
    return any || complain(c, name, 0, "there are no tetrahedra");
}
