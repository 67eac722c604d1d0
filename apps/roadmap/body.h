/* SPDX-License-Identifier: Apache-2.0 */
/* Triangles that may touch others: a mesh in the order of its hierarchy, without pointers between its parts. */
#ifndef ROADMAP_BODY_H
#define ROADMAP_BODY_H

#include "bvh.h"
#include "textfile.h"

struct corners {
    struct vec3 at[3];
};

struct body {
    struct vec3 *points;
    struct bvh_triangle *triangles;
    size_t point_count, triangle_count, point_room, triangle_room;
    struct bvh_tree tree;
    struct corners *soup; /* triangles in the order of the tree's leaves */
    struct bvh_box box;
    float radius; /* about its origin */
};

/* An OBJ file. False: the complaint says what is wrong. */
bool body_read(struct body *body, const char *path, struct complaint *c);
/* A box of about so many triangles. */
void body_add_box(struct body *body, const double *low, const double *high, long triangles);
/* A seeded shape of the mesh library, within the box. */
void body_add_shape(struct body *body, const char *name, const double *low, const double *high, long triangles,
                    uint64_t seed);
/* A sofa, and two rooms with furniture and a door between them; `triangles` in all. */
void body_sofa(struct body *sofa, struct body *rooms, long triangles, uint64_t seed);
/* The hierarchy, once all triangles are there; those with a corner that is not finite are left out and counted by it.
 */
void body_finish(struct body *body);
void body_free(struct body *body);

#endif
