/* SPDX-License-Identifier: Apache-2.0 */
/* A step on a device: five launches for all of its bodies. Teams take parts of bodies; those that solve one set of
 * bodies meet in each iteration. */
#ifndef SOFTBODY_DEVICE_H
#define SOFTBODY_DEVICE_H

#include "tasks.h"

/* A part of a body's rows or elements. */
struct part {
    uint32_t body, part;
};
/* A team solves `count` sets of `work.order`, as the one with this rank of `size` teams, which meet at a counter. */
struct team {
    uint32_t first, count, rank, size, meeting;
};
/* What a pair's hold does to a row: as the vertex (0), or as one of three corners. */
struct touch {
    uint32_t pair, hold, role;
};

/* Arrays of the device, by the numbers of the scene; those of a step lie in one block. */
struct work {
    struct settings settings;
    uint32_t bodies, pairs, teams, rows, elements; /* rows, elements: parts */
    struct body *body;
    struct body_sums *sums;
    struct body_set *set;
    uint32_t *member, *order, *pair_list, *meeting;
    struct pair *pair;
    struct part *row, *element;
    uint32_t *set_rows;    /* [sets][2] first part of a set's rows, their number */
    uint32_t *body_rows;   /* [bodies of the scene] first part of a body's rows */
    uint32_t *body_others; /* ... of its elements */
    struct team *team;
    float *element_total;     /* [elements] */
    float (*row_total)[SUMS]; /* [rows] */
    float (*dots)[2];         /* [rows] */
    uint32_t *bad;            /* [rows] */
    size_t *place;            /* [bodies of the scene] of its x in `moved` */
    float *moved;             /* new places of all bodies */
    struct touch *touch;
    uint32_t *failed;
};

struct device_facts {
    uint32_t threads, teams; /* of a team; at most, so that all run at once */
};
/* False: there is no such device. */
bool device_probe(int device, struct device_facts *facts);
void device_assemble(int device, const struct device_facts *facts, const struct work *work, uint32_t parts);
void device_solve(int device, const struct device_facts *facts, const struct work *work, uint32_t teams);
void device_move(int device, const struct device_facts *facts, const struct work *work, uint32_t parts);

#endif
