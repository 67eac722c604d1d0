/* SPDX-License-Identifier: Apache-2.0 */
/* A step on a device: one launch for all of its bodies. Teams take parts of bodies; those that have one set of bodies
 * meet between its phases, and in each iteration. */
#ifndef SOFTBODY_DEVICE_H
#define SOFTBODY_DEVICE_H

#include "tasks.h"

/* A part of a body's rows or elements; of rows, its number among all parts of the scene. */
struct part {
    uint32_t body, part, number;
};
/* A team has `count` sets of `work.order`, as the one with this rank of `size` teams, which meet at a counter. */
struct team {
    uint32_t first, count, rank, size, meeting;
};
/* What a pair's hold does to a row: as the vertex (0), or as one of three corners. */
struct touch {
    uint32_t pair, hold, role;
};

/* Parts of a set that are here, its parts of elements, its pairs in `pair_list`: the first and how many. */
struct set_parts {
    uint32_t row, rows, element, elements, pair, pairs;
    uint64_t devices; /* a split set's, a bit each */
};

/* Arrays of the device, by the numbers of the scene. What a step brings lies in one block, what it returns in another.
 */
struct work {
    struct settings settings;
    uint32_t teams, number, devices; /* number of this device, of `devices` */
    struct body *body;               /* those of split sets that others have, too */
    const struct body_set *begin;    /* which bodies a set has */
    struct set_parts *set_parts;
    uint32_t *member, *order, *pair_list;
    uint32_t *meeting; /* of a set's teams two counters and two words, of each a step uses one and clears the other, and
                          a word more */
    struct pair *pair;
    struct part *row, *element;
    uint32_t *body_rows;   /* [bodies of the scene] first part of a body's rows */
    uint32_t *body_others; /* ... of its elements */
    struct team *team;
    size_t *place; /* [bodies of the scene] of its x in `moved` */
    struct touch *touch;
    float *element_total;     /* [elements] */
    float (*row_total)[SUMS]; /* [rows] */
    float (**dots)[2];        /* [devices][parts of the scene] */
    uint32_t **inbox;         /* [devices][sets that are split][devices] lines */
    uint32_t *part_first;     /* [bodies of the scene] number of a body's first part */
    /* returned */
    struct body_sums *sums;
    struct body_set *set;
    uint32_t *failed;
    uint32_t *bad; /* [rows] */
    float *moved;  /* new places of all bodies */
};
enum { LINE_WORDS = 32, MEETING_WORDS = 5 * LINE_WORDS };

struct device_facts {
    uint32_t threads, teams; /* of a team; at most, so that all run at once */
    uint32_t keep;           /* parts whose rows a team can keep; 0: it is a processor */
};
/* False: there is no such device. */
bool device_probe(int device, struct device_facts *facts);
/* `turn`: 0 and 1 alternate; `meets`: more than at the last step by all meetings of one. */
void device_step(int device, const struct device_facts *facts, const struct work *work, uint32_t teams, uint32_t turn,
                 uint32_t meets);

#endif
