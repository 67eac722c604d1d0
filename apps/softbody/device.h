/* SPDX-License-Identifier: Apache-2.0 */
/* A step on a device: one launch for all of its bodies. Teams take parts of bodies; those that have one set of bodies
 * meet between its phases, and in each iteration. */
#ifndef SOFTBODY_DEVICE_H
#define SOFTBODY_DEVICE_H

#include "tasks.h"

/* A part of a body's rows or elements. */
struct part {
    uint32_t body, part;
};
/* A team has `count` sets of `work.order`, as the one with this rank of `size` teams, which meet at a counter. */
struct team {
    uint32_t first, count, rank, size, meeting;
};
/* What a pair's hold does to a row: as the vertex (0), or as one of three corners. */
struct touch {
    uint32_t pair, hold, role;
};

/* Parts of a set, its parts of elements, its pairs in `pair_list`: the first and how many. */
struct set_parts {
    uint32_t row, rows, element, elements, pair, pairs;
};

/* Arrays of the device, by the numbers of the scene. What a step brings lies in one block, what it returns in another.
 */
struct work {
    struct settings settings;
    uint32_t teams;
    struct body *body;
    const struct body_set *begin; /* which bodies a set has */
    struct set_parts *set_parts;
    uint32_t *member, *order, *pair_list;
    uint32_t *meeting; /* two counters a team: a step uses one and clears the other */
    struct pair *pair;
    struct part *row, *element;
    uint32_t *body_rows;   /* [bodies of the scene] first part of a body's rows */
    uint32_t *body_others; /* ... of its elements */
    struct team *team;
    size_t *place; /* [bodies of the scene] of its x in `moved` */
    struct touch *touch;
    float *element_total;     /* [elements] */
    float (*row_total)[SUMS]; /* [rows] */
    float (*dots)[2];         /* [rows] */
    /* returned */
    struct body_sums *sums;
    struct body_set *set;
    uint32_t *failed;
    uint32_t *bad; /* [rows] */
    float *moved;  /* new places of all bodies */
};
enum { MEETING_WORDS = 64 }; /* of a team: two lines of the cache */

struct device_facts {
    uint32_t threads, teams; /* of a team; at most, so that all run at once */
    uint32_t keep;           /* parts whose rows a team can keep; 0: it is a processor */
};
/* False: there is no such device. */
bool device_probe(int device, struct device_facts *facts);
/* `turn`: 0 and 1 alternate. */
void device_step(int device, const struct device_facts *facts, const struct work *work, uint32_t teams, uint32_t turn);

#endif
