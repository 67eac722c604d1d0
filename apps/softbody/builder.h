/* SPDX-License-Identifier: Apache-2.0 */
/* What the makers of a shape share. */
#ifndef SOFTBODY_BUILDER_H
#define SOFTBODY_BUILDER_H

#include "softbody.h"

#include "lanes.h"

struct builder {
    struct shape *shape;
    const struct tets *tets;
    uint32_t *row;             /* [points] of a node, UINT32_MAX: of no element */
    uint32_t (*corner)[4];     /* [elements] rows; turned so that volumes are positive */
    uint8_t *gap;              /* [elements] */
    double *volume;            /* [elements] */
    uint32_t *first, *corners; /* of a row: the elements' corners c * elements + e */
    size_t slots_room, entries_room, gathers_room;
    uint32_t neighbour[GROUP]; /* of the slot at hand; UINT32_MAX: none */
};

/* elements.c: elements, their corners as rows; skin.c: faces and vertices of the surface, a tree over faces. False: the
 * complaint says what is wrong. */
bool builder_elements(struct builder *b, const char *name, struct complaint *c);
bool builder_skin(struct builder *b, const char *name, struct complaint *c);
void builder_tree(struct builder *b);

#endif
