/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded shapes: grids of squares, two triangles each, laid over a surface. */
#ifndef HEDDLE_MESH_SHAPE_H
#define HEDDLE_MESH_SHAPE_H

#include "bvh.h"

struct shape {
    long rows, columns; /* of squares */
    uint64_t seed;
    struct vec3 (*point)(const struct shape *shape, double u, double v); /* of [0, 1] x [0, 1] */
};

/* About so many triangles of "terrain", "knot" or "blob", within about [-1, 1]; false: no such shape. */
bool shape_find(struct shape *shape, const char *name, long triangles, uint64_t seed);
uint32_t shape_points(const struct shape *shape);
struct vec3 shape_point(const struct shape *shape, uint32_t k);
uint32_t shape_triangles(const struct shape *shape);
struct bvh_triangle shape_triangle(const struct shape *shape, uint32_t k); /* numbers of points from 0 */

#endif
