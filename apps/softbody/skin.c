/* SPDX-License-Identifier: Apache-2.0 */
/* The surface of a shape. */
#include "builder.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct side {
    uint32_t sorted[3], corner[3];
};
static int compare_sides(const void *x, const void *y) {
    const struct side *a = x, *b = y;
    for (int k = 0; k < 3; k++)
        if (a->sorted[k] != b->sorted[k])
            return a->sorted[k] < b->sorted[k] ? -1 : 1;
    return 0;
}

/* Sides of one element only; more than two elements at a side are no solid. */
bool builder_skin(struct builder *b, const char *name, struct complaint *c) {
    static const int sides[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    struct shape *s = b->shape;
    struct side *side = app_alloc(4 * (size_t)s->elements, sizeof *side);
    size_t count = 0;
    bool good = true;
    for (uint32_t e = 0; e < s->elements; e++)
        for (int f = 0; !b->gap[e] && f < 4; f++) {
            struct side *at = &side[count++];
            for (int k = 0; k < 3; k++)
                at->corner[k] = at->sorted[k] = b->corner[e][sides[f][k]];
            for (int k = 0; k < 3; k++) /* three comparisons sort three numbers */
                if (at->sorted[k % 2] > at->sorted[k % 2 + 1]) {
                    const uint32_t other = at->sorted[k % 2];
                    at->sorted[k % 2] = at->sorted[k % 2 + 1], at->sorted[k % 2 + 1] = other;
                }
        }
    qsort(side, count, sizeof *side, compare_sides);
    s->face = app_alloc(count + 1, sizeof *s->face);
    for (size_t k = 0, end; k < count && good; k = end) {
        for (end = k + 1; end < count && !compare_sides(&side[k], &side[end]);)
            end++;
        if (end - k == 1)
            memcpy(s->face[s->faces++], side[k].corner, sizeof *s->face);
        else if (end - k > 2)
            good = complain(c, name, 0, "nodes %u, %u, %u (from 0) are a side of %zu tetrahedra",
                            s->order[side[k].sorted[0]], s->order[side[k].sorted[1]], s->order[side[k].sorted[2]],
                            end - k);
    }
    free(side);
    for (uint32_t f = 0; f < s->faces; f++)
        for (int k = 0; k < 3; k++)
            s->skin[s->face[f][k]] = 1;
    s->vertex = app_alloc(s->nodes + 1, sizeof *s->vertex);
    for (uint32_t k = 0; k < s->nodes; k++)
        if (s->skin[k] > 0)
            s->vertex[s->vertices++] = k;
    return good;
}

void builder_tree(struct builder *b) {
    struct shape *s = b->shape;
    struct bvh_box *box = app_alloc(s->faces + 1, sizeof *box);
    double sum = 0;
    for (uint32_t f = 0; f < s->faces; f++) {
        box[f] = bvh_empty();
        for (int k = 0; k < 3; k++) {
            const double *p = b->tets->point[s->order[s->face[f][k]]],
                         *q = b->tets->point[s->order[s->face[f][(k + 1) % 3]]];
            sum += sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) + pow(p[2] - q[2], 2));
            for (int a = 0; a < 3; a++) {
                box[f].low[a] = fminf(box[f].low[a], (float)p[a]);
                box[f].high[a] = fmaxf(box[f].high[a], (float)p[a]);
            }
        }
    }
    s->edge = (float)(sum / (3.0 * s->faces));
    bvh_tree_build(&s->tree, box, s->faces, BVH_NOTHING);
    free(box);
}
