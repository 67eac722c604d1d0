/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the app share: shapes of bodies, bodies, contacts, the scene and its step. All that tasks read or
 * write are plain arrays of floats and 32-bit numbers, so that a task can run where there is a copy of them. */
#ifndef SOFTBODY_SOFTBODY_H
#define SOFTBODY_SOFTBODY_H

#include "bvh.h"
#include "textfile.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SOFT_NODES_MOST 20000000u
#define SOFT_TETS_MOST 50000000u
#define SOFT_COORDINATE_MOST 1e6
#define SOFT_NO_TET UINT32_MAX

/* Nodes and tetrahedra as they are read or generated. */
struct tets {
    double (*point)[3];
    uint32_t (*tet)[4]; /* tet[0] == SOFT_NO_TET: a gap, which keeps neighbours in order */
    size_t points, tets, points_room, tets_room;
};

/* A body at rest, shared by all bodies of this shape. Rows are nodes, elements are tetrahedra, both in groups of
 * sixteen. A number "from" is the first of sixteen in a row, or, with LANES_GATHERED, a row of `gather`. The slots of a
 * group of rows are the diagonal, then those that stand for their transposes, too, then whole ones. */
struct shape {
    uint32_t nodes, rows, elements; /* rows, elements: whole groups */
    uint32_t slots, entries, gathers, backs;
    uint32_t *slot_first;  /* [rows / 16 + 1] slots of a group of rows; the first is the diagonal */
    uint32_t *whole_first; /* [rows / 16] its first whole slot */
    uint32_t *back_first;  /* [rows / 16 + 1] transposes of other rows' slots */
    uint32_t *back;   /* [backs][4] group and shift: lane l is lane (l + shift) % 16 of that group, in the slot that
                         comes third, or, from 16 on, of the next group, in the fourth; slot `slots` is none */
    uint32_t *column; /* [slots] from */
    uint32_t *entry_first; /* [slots + 1] pairs of corners that make a slot's blocks */
    uint32_t *entry;       /* [entries][2] from: corner c of element e is c * elements + e */
    uint32_t *corner;      /* [elements / 16][4] from */
    uint32_t *gather;      /* [gathers][16] */
    float *rest;           /* [elements / 16][10][16] gradients of corners 1 to 3, root of the volume */
    float *spring;         /* [slots + 1][2][16] length, stiffness for a modulus of 1; the last has none */
    float *mass;           /* [rows] for a density of 1 */
    float *skin;           /* [rows] 1: on the surface */
    float *at_rest;        /* [3][rows] */
    uint32_t *order;       /* [nodes] number in the file */
    uint32_t (*face)[3];   /* of the surface, outwards */
    uint32_t *vertex;      /* [vertices] rows on the surface */
    uint32_t faces, vertices;
    struct bvh_tree tree; /* over faces */
    void *block[2];       /* memory of slot_first to gather, and of rest to skin (layout.h) */
    float volume, edge;   /* mean edge of the surface */
};

struct material {
    float young, poisson, density, stretch_damping, mass_damping, friction;
    bool springs; /* a net of springs along the edges, else finite elements */
};

/* What a body's tasks tell the others; a cache line each. */
struct body_sums {
    float gamma, delta;
    float kinetic, elastic, height, contact;
    float momentum[3];
    uint32_t bad; /* a number that is not finite */
    uint32_t spare[6];
};

struct body {
    const struct shape *shape;
    struct material material;
    uint32_t number, set;
    float *x, *v, *u;                         /* [3][rows] places, velocities, the direction that neighbours read */
    float *turn;                              /* [elements / 16][4][16] rotations as quaternions */
    float *grad, *force;                      /* [3][4][elements] turned gradients, forces of corners */
    float *matrix;                            /* [slots][9][16] */
    float *inverse;                           /* [rows / 16][6][16] of the diagonal's blocks */
    float *r, *p, *s, *w;                     /* [3][rows] of the conjugate gradients */
    float *free;                              /* [rows] 0: held */
    struct bvh_binary *nodes;                 /* over faces, refitted */
    struct bvh_box *boxes;                    /* [faces] */
    uint32_t *meets, meets_count, meets_room; /* pairs of this body */
    struct body_sums *sums;
    const uint32_t *touch_first; /* [rows + 1] on a device: holds of a row (device.h) */
    int32_t place;               /* number of the device that has it; -1: the host */
    void *block;                 /* memory of x to matrix (layout.h) */
};

/* A vertex of one body that is held by a triangle of another (or, of an attachment, by a vertex). */
struct hold {
    uint32_t vertex, corner[3], side; /* side: which of both bodies has the vertex */
    float weight[3], normal[3], gap;
    float matrix[6], push[3], energy; /* of this step */
};
struct pair {
    uint32_t body[2];
    bool attached;
    uint32_t count, room;
    struct hold *hold;
    float contact; /* energy */
};

/* Bodies that hold each other are solved together. */
struct body_set {
    uint32_t first, count; /* in scene.member */
    float alpha, beta, gamma, start;
    uint32_t iterations, done;
    uint32_t split; /* several devices have its bodies: 1 and up, by set; 0: one has all */
};

enum { PLANES_MOST = 8 };
struct settings {
    float step, tolerance;
    float gravity[3];
    float plane[PLANES_MOST][4]; /* normal, distance */
    float plane_friction, thickness, contact_stiffness;
    uint32_t planes, iterations, turns;
    bool self, contacts;
    int wide; /* 0: as compiled, 1: AVX2, 2: AVX-512 */
};

struct scene {
    struct settings settings;
    struct shape *shape;
    struct body *body;
    struct pair *pair; /* attachments first */
    struct body_set *set;
    uint32_t *member;
    uint32_t shapes, bodies, attached, pairs, pairs_room, sets;
    struct body_sums *sums;
    uint64_t holds, iterations; /* of the last step */
    double detect_seconds, solve_seconds;
    struct devices *devices; /* beside the host; NULL: none */
    float ground;            /* height of the plane that the picture shows */
};

/* tets.c */
void tets_point(struct tets *tets, const double point[3]);
void tets_tet(struct tets *tets, const uint32_t tet[4]);
void tets_free(struct tets *tets);

/* tetgen.c, gmsh.c: the text has a 0 behind it. False: the complaint says where and why. */
bool tetgen_parse_nodes(struct tets *tets, const char *text, size_t size, const char *name, long *first,
                        struct complaint *c);
bool tetgen_parse_tets(struct tets *tets, const char *text, size_t size, const char *name, long first,
                       struct complaint *c);
bool gmsh_parse(struct tets *tets, const char *text, size_t size, const char *name, struct complaint *c);
/* A .msh file, or a .node file and the .ele file beside it (either may be named). */
bool tets_read(struct tets *tets, const char *path, struct complaint *c);

/* generate.c. A grid of about so many nodes; rounded: 0, a block, to 1, a ball; sides in units of length. */
void generate_grid(struct tets *tets, long nodes, const double side[3], double rounded);
void generate_box(struct tets *tets, const long cells[3], const double side[3], double rounded);
struct request {
    const char *name;
    long bodies, nodes;
    uint64_t seed;
    bool springs;
    float young;
};
bool generate_scene(struct scene *scene, const struct request *request);
/* All bodies of this one shape, falling onto the ground. */
bool scene_of_mesh(struct scene *scene, const struct tets *tets, const char *name, const struct request *request,
                   struct complaint *c);

/* shape.c. False: the complaint says what is wrong with the mesh. */
bool shape_build(struct shape *shape, const struct tets *tets, const char *name, struct complaint *c);
void shape_drop(struct shape *shape);

/* body.c: zeros, from a cache line on; `memory` is what free() takes */
void *soft_block(size_t bytes, void **memory);
/* Turned by a unit quaternion (x, y, z, w), then moved. */
void body_open(struct body *body, const struct shape *shape, const struct material *material, uint32_t number,
               const double turn[4], const double move[3], const double velocity[3]);
void body_close(struct body *body);
void scene_ready(struct scene *scene); /* all bodies are there */
void scene_close(struct scene *scene);
struct pair *scene_attach(struct scene *scene, uint32_t a, uint32_t b);
struct pair *scene_pair(struct scene *scene, uint32_t a, uint32_t b); /* of one step */
void pair_hold(struct pair *pair, const struct hold *hold);
void settings_defaults(struct settings *settings);

/* collide.c */
void collide_refit(struct body *body, float reach);
void collide_pairs(struct scene *scene);
void collide_narrow(const struct scene *scene, struct pair *pair);
void collide_sets(struct scene *scene);

/* nest_step.c: one step; false: a body has numbers that are not finite, whose number is in `bad`. */
bool step_heddle(struct scene *scene, int threads, uint32_t *bad);
bool step_serial(struct scene *scene, int threads, uint32_t *bad);
/* Its parts that others need: contacts of the places as they are; what the step had to do. */
void contacts_heddle(struct scene *scene, int threads);
void contacts_serial(struct scene *scene, int threads);
void count_work_heddle(struct scene *scene);
void count_work_serial(struct scene *scene);

/* output.c. False: errno says why. */
bool output_frame(const struct scene *scene, const char *path);
bool output_energies_header(FILE *file);
bool output_energies(FILE *file, const struct scene *scene, long step);
uint64_t output_hash(const struct scene *scene, uint64_t hash);

/* picture.c: a view of the scene beside those before. */
struct strip {
    uint8_t *rgb; /* [size][count * size][3] */
    int size, count, taken;
    float low[3], high[3];
    bool framed;
};
void strip_open(struct strip *strip, int size, int count);
void strip_view(struct strip *strip, const struct scene *scene); /* of what all pictures show */
void strip_take(struct strip *strip, const struct scene *scene);
void picture_draw(const struct strip *strip, const struct scene *scene, uint8_t *rgb, int stride);
void strip_close(struct strip *strip);

/* video.c: frames to ffmpeg. NULL: the message says why. */
struct video;
struct video *video_open(const char *path, int size, int rate, char *message, size_t room);
bool video_frame(struct video *video, const uint8_t *rgb);
bool video_close(struct video *video);

#endif
