/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the app share: a mesh at two times, its elements and their numbers, candidates and hits. */
#ifndef CCD_CCD_H
#define CCD_CCD_H

#include "bvh.h"
#include "textfile.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CCD_NO_EDGE UINT32_MAX

/* Points and triangles of a frame. */
struct frame {
    struct vec3 *points;
    struct bvh_triangle *faces;
    size_t points_count, faces_count, points_room, faces_room;
    unsigned rounded; /* coordinates that are no floats */
};

struct edge {
    uint32_t end[2]; /* end[0] < end[1] */
};

/* Which of a face's corners and edges are tested on its behalf: each belongs to one face, so that nothing is tested
 * twice. */
enum { OWNS_CORNER = 1, OWNS_EDGE = 8 }; /* shifted by 0, 1, 2 */

struct mesh {
    struct vec3 *points[2]; /* before, after */
    struct bvh_triangle *faces;
    uint32_t points_count, faces_count, edges_count;
    struct edge *edges;              /* all, each once, by end[1], then by end[0] */
    struct bvh_triangle *face_edges; /* edge k: corners k and k + 1; CCD_NO_EDGE: both are one */
    uint8_t *owns;                   /* [faces] */
    uint32_t *body;                  /* [faces] connected faces have one number, from 0 */
    uint32_t bodies, loose;          /* loose: points of no face, which are not tested */
};

/* A vertex and a face, or two edges with first < second: numbers of their kind. */
#define PAIR_EDGES (UINT32_C(1) << 31) /* in `first` */
struct pair {
    uint32_t first, second;
};
struct contact {
    struct pair pair;
    double time;
};

/* Which faces are tested with each other. */
enum which { WHICH_ALL, WHICH_INTER, WHICH_SELF };

/* frames.c: what the command line names; none: one step that is generated. */
struct frames {
    char **path;
    long count, steps;
};
bool frames_find(struct frames *frames, char *const *input, int count, struct complaint *c);
void frames_free(struct frames *frames);

/* frame.c: OBJ or PLY, by content. */
bool frame_read(struct frame *frame, const char *path, struct complaint *c);
bool frame_parse(struct frame *frame, const char *bytes, size_t size, const char *name, struct complaint *c);
void frame_point(struct frame *frame, const float point[3]);
void frame_triangle(struct frame *frame, const uint32_t corner[3]);
void frame_free(struct frame *frame);

/* generate.c: seeded frames. */
void generate_cloth(struct frame *before, struct frame *after, long triangles, uint64_t seed);
void generate_funnel(struct frame *before, struct frame *after, long triangles, uint64_t seed);
void generate_bodies(struct frame *before, struct frame *after, long triangles, uint64_t seed);

/* mesh.c. Takes what the frames hold. False: they do not belong together. */
bool mesh_make(struct mesh *mesh, struct frame *before, struct frame *after, const char *name, struct complaint *c);
void mesh_free(struct mesh *mesh);

/* output.c. False: errno says why. */
bool output_header(FILE *file);
bool output_rows(FILE *file, long step, const struct mesh *mesh, const struct contact *hits, size_t count);
bool output_mesh(const struct mesh *mesh, const struct contact *hits, size_t count, const char *path);
/* [faces] 1: has a vertex or an edge that collides, or is met by a vertex. Caller frees. */
uint8_t *output_faces(const struct mesh *mesh, const struct contact *hits, size_t count);
/* The vertex and the face's three; the ends of both edges. */
void output_corners(const struct mesh *mesh, struct pair pair, uint32_t corner[4]);

/* picture.c. size: of its sides in pixels. False: the message says why. */
bool picture_write(const struct mesh *mesh, const struct contact *hits, size_t count, int size, const char *path,
                   char *message, size_t message_size);

#endif
