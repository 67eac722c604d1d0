/* SPDX-License-Identifier: Apache-2.0 */
/* What the makers of a shape share. */
#ifndef SOFTBODY_BUILDER_H
#define SOFTBODY_BUILDER_H

#include "softbody.h"

#include "lanes.h"

struct builder {
    struct shape *shape;
    const struct tets *tets;
    uint32_t *row;                   /* [points] of a node, UINT32_MAX: of no element */
    uint32_t (*corner)[4];           /* [elements] rows; turned so that volumes are positive */
    uint8_t *gap;                    /* [elements] */
    double *volume;                  /* [elements] */
    uint32_t *first, *corners;       /* of a row: the elements' corners c * elements + e */
    uint32_t *mirror_first, *mirror; /* of a group: first columns of the slots that stand for their transposes */
    size_t slots_room, entries_room, gathers_room;
    uint32_t neighbour[GROUP]; /* of the slot at hand; UINT32_MAX: none */
};

/* mirror.c: which neighbours of a group are at one distance behind it, the farthest first; their blocks are stored
 * once. Then, with all slots there, the lists of transposes. */
void builder_mirrors(struct builder *b);
bool builder_mirrored(const struct builder *b, uint32_t row, uint32_t behind);
void builder_backs(struct builder *b);

/* shape.c: neighbours (lane, row) of a group's rows, each once; how many. */
size_t builder_neighbours(const struct builder *b, uint32_t group, int64_t (**list)[2]);
/* The distance that most of the list's neighbours which may be read in one piece have; how many have it. */
uint32_t builder_usual(const struct builder *b, int64_t (*list)[2], size_t count, int64_t *usual);
enum { RUN_LEAST = 6 }; /* neighbours at one distance that are worth a slot */

/* elements.c: elements, their corners as rows; skin.c: faces and vertices of the surface, a tree over faces. False: the
 * complaint says what is wrong. */
bool builder_elements(struct builder *b, const char *name, struct complaint *c);
bool builder_skin(struct builder *b, const char *name, struct complaint *c);
void builder_tree(struct builder *b);

#endif
