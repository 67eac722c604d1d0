/* SPDX-License-Identifier: Apache-2.0 */
#include "body.h"

#include "app.h"
#include "meshfile.h"
#include "shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t add_point(struct body *b, struct vec3 at) {
    if (b->point_count == b->point_room) {
        b->point_room = b->point_room ? 2 * b->point_room : 256;
        b->points = app_resize(b->points, b->point_room, sizeof *b->points);
    }
    b->points[b->point_count] = at;
    return (uint32_t)b->point_count++;
}

static void add_triangle(struct body *b, uint32_t i, uint32_t j, uint32_t k) {
    if (b->triangle_count == b->triangle_room) {
        b->triangle_room = b->triangle_room ? 2 * b->triangle_room : 256;
        b->triangles = app_resize(b->triangles, b->triangle_room, sizeof *b->triangles);
    }
    b->triangles[b->triangle_count++] = (struct bvh_triangle){{i, j, k}};
}

/* ---- files */

static void read_point(void *to, const float point[3]) { add_point(to, vec(point[0], point[1], point[2])); }

static void read_normal(void *to, const float normal[3]) { (void)to, (void)normal; }

static void read_triangle(void *to, const uint32_t corners[3], const uint32_t *normals) {
    (void)normals;
    add_triangle(to, corners[0], corners[1], corners[2]);
}

bool body_read(struct body *body, const char *path, struct complaint *c) {
    const struct obj_sink sink = {body, read_point, read_normal, read_triangle, NULL, NULL};
    size_t size;
    char *bytes = meshfile_load(path, &size, c);
    const bool good = bytes && meshfile_scan(&sink, bytes, size, path, NULL, c);
    free(bytes);
    return good;
}

/* ---- made here */

/* The unit square in rows and columns, placed by a corner and two edges. */
static void add_face(struct body *b, const double *corner, const double *along, const double *up, long rows,
                     long columns) {
    const uint32_t first = (uint32_t)b->point_count;
    for (long r = 0; r <= rows; r++)
        for (long c = 0; c <= columns; c++) {
            double at[3];
            for (int k = 0; k < 3; k++)
                at[k] = corner[k] + along[k] * (double)c / (double)columns + up[k] * (double)r / (double)rows;
            add_point(b, vec((float)at[0], (float)at[1], (float)at[2]));
        }
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < columns; c++) {
            const uint32_t at = first + (uint32_t)(r * (columns + 1) + c), above = at + (uint32_t)columns + 1;
            add_triangle(b, at, at + 1, above + 1);
            add_triangle(b, at, above + 1, above);
        }
}

void body_add_box(struct body *body, const double *low, const double *high, long triangles) {
    const double size[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    const double area = 2 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]),
                 side = sqrt(2 * area / (double)(triangles > 12 ? triangles : 12));
    long parts[3];
    for (int k = 0; k < 3; k++)
        parts[k] = size[k] > 1.5 * side ? lround(size[k] / side) : 1;
    for (int axis = 0; axis < 3; axis++)
        for (int end = 0; end < 2; end++) {
            const int a = (axis + 1) % 3, b = (axis + 2) % 3;
            double corner[3] = {low[0], low[1], low[2]}, along[3] = {0, 0, 0}, up[3] = {0, 0, 0};
            corner[axis] = end ? high[axis] : low[axis];
            along[end ? a : b] = size[end ? a : b];
            up[end ? b : a] = size[end ? b : a];
            add_face(body, corner, along, up, parts[end ? b : a], parts[end ? a : b]);
        }
}

void body_add_shape(struct body *body, const char *name, const double *low, const double *high, long triangles,
                    uint64_t seed) {
    struct shape shape;
    const uint32_t first = (uint32_t)body->point_count;
    if (!shape_find(&shape, name, triangles, seed))
        return;
    struct bvh_box box = bvh_empty();
    for (uint32_t k = 0; k < shape_points(&shape); k++) {
        const struct vec3 p = shape_point(&shape, k);
        const struct bvh_box at = {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
        bvh_join(&box, &at);
        add_point(body, p);
    }
    for (uint32_t k = first; k < body->point_count; k++) {
        float *p = &body->points[k].x;
        for (int axis = 0; axis < 3; axis++)
            p[axis] = (float)(low[axis] + (high[axis] - low[axis]) * (double)(p[axis] - box.low[axis]) /
                                              fmax(1e-9, (double)(box.high[axis] - box.low[axis])));
    }
    for (uint32_t k = 0; k < shape_triangles(&shape); k++) {
        const struct bvh_triangle t = shape_triangle(&shape, k);
        add_triangle(body, first + t.corner[0], first + t.corner[1], first + t.corner[2]);
    }
}

#define BOX(body, triangles, ...)                                                                                      \
    do {                                                                                                               \
        const double place[6] = {__VA_ARGS__};                                                                         \
        body_add_box(body, place, place + 3, triangles);                                                               \
    } while (0)

/* Metres, y is up. The door in the wall at x = 3.5 is 1.5 wide and 2.1 high. */
void body_sofa(struct body *sofa, struct body *rooms, long triangles, uint64_t seed) {
    const long part = triangles / 20;
    *sofa = (struct body){0};
    *rooms = (struct body){0};
    BOX(sofa, 2 * part, -.9, -.35, -.4, .9, .05, .4);
    BOX(sofa, part, -.9, .05, .2, .9, .45, .4);
    BOX(sofa, part / 2, -.9, .05, -.4, -.72, .25, .2);
    BOX(sofa, part / 2, .72, .05, -.4, .9, .25, .2);
    BOX(rooms, 2 * part, 0, -.1, 0, 7, 0, 4);
    BOX(rooms, part, 0, 2.6, 0, 7, 2.7, 4);
    BOX(rooms, part, -.1, 0, 0, 0, 2.6, 4);
    BOX(rooms, part, 7, 0, 0, 7.1, 2.6, 4);
    BOX(rooms, part, 0, 0, -.1, 7, 2.6, 0);
    BOX(rooms, part, 0, 0, 4, 7, 2.6, 4.1);
    BOX(rooms, part / 2, 3.45, 0, 0, 3.55, 2.6, 1.2);
    BOX(rooms, part / 2, 3.45, 0, 2.7, 3.55, 2.6, 4);
    BOX(rooms, part / 2, 3.45, 2.1, 1.2, 3.55, 2.6, 2.7);
    BOX(rooms, part / 2, .1, .7, .1, 1.1, .75, .7); /* a table on one leg */
    BOX(rooms, part / 2, .5, 0, .35, .6, .7, .45);
    static const double plant[6] = {6.1, 0, 3.1, 6.9, 1.3, 3.9}, lamp[6] = {1.2, 2, 1.6, 1.8, 2.6, 2.2},
                        vase[6] = {.3, .75, .2, .6, 1.2, .5}, rug[6] = {4.2, .001, .8, 6.2, .03, 3};
    body_add_shape(rooms, "knot", plant, plant + 3, 3 * part, seed);
    body_add_shape(rooms, "blob", lamp, lamp + 3, 2 * part, seed + 1);
    body_add_shape(rooms, "blob", vase, vase + 3, part, seed + 2);
    body_add_shape(rooms, "terrain", rug, rug + 3, 2 * part, seed + 3);
}

/* ---- hierarchy */

/* Without the places that leaves of several triangles leave free: what travels to a device, and what lies near each
 * other, is a third of that. A node's first child stays behind it. */
static uint32_t pack(struct bvh_binary *nodes, uint32_t from, uint32_t to) {
    const struct bvh_binary node = nodes[from];
    const uint32_t at = to++;
    nodes[at] = node;
    if (node.right) {
        to = pack(nodes, from + 1, to);
        nodes[at].right = to;
        to = pack(nodes, node.right, to);
    }
    return to;
}

void body_finish(struct body *body) {
    struct bvh_box *boxes = app_alloc(body->triangle_count, sizeof *boxes);
    body->box = bvh_empty();
    body->radius = 0;
    for (size_t k = 0; k < body->triangle_count; k++) {
        boxes[k] = bvh_empty();
        bool good = true;
        for (int c = 0; c < 3; c++) {
            const struct vec3 p = body->points[body->triangles[k].corner[c]];
            const struct bvh_box at = {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
            good &= bvh_finite(&at);
            bvh_join(&boxes[k], &at);
        }
        if (!good) {
            boxes[k] = bvh_empty();
            continue;
        }
        bvh_join(&body->box, &boxes[k]);
        for (int c = 0; c < 3; c++) {
            const struct vec3 p = body->points[body->triangles[k].corner[c]];
            body->radius = most(body->radius, square_root(dot(p, p)));
        }
    }
    bvh_tree_build(&body->tree, boxes, (uint32_t)body->triangle_count, BVH_NOTHING);
    body->tree.ends = body->tree.count ? pack(body->tree.nodes, 0, 0) : 0;
    body->soup = app_alloc(body->tree.count ? body->tree.count : 1, sizeof *body->soup);
    for (uint32_t k = 0; k < body->tree.count; k++)
        for (int c = 0; c < 3; c++)
            body->soup[k].at[c] = body->points[body->triangles[body->tree.order[k]].corner[c]];
    free(boxes);
}

void body_free(struct body *body) {
    bvh_tree_free(&body->tree);
    free(body->points);
    free(body->triangles);
    free(body->soup);
    *body = (struct body){0};
}
