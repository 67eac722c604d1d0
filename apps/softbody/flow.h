/* SPDX-License-Identifier: Apache-2.0 */
/* A scene for tasks that may run anywhere. Bodies are in groups of neighbouring numbers, a group's arrays of one kind
 * lie side by side, and where the arrays of a body are is told by numbers: no pointer is in what tasks read. */
#ifndef SOFTBODY_FLOW_H
#define SOFTBODY_FLOW_H

#include "softbody.h"

/* Where a shape's arrays begin, and how many there are of everything; never changes. */
struct flow_shape {
    uint32_t nodes, rows, elements, slots, entries, gathers, backs;
    float volume, edge;
    uint64_t numbers, values;
};
struct flow_body {
    struct material material;
    uint32_t shape;
    uint64_t rows, elements, slots; /* of the bodies before */
    uint32_t row_part, row_parts, element_part, element_parts;
};
/* A part of a body's rows or elements. */
struct flow_part {
    uint32_t body, part;
};
/* A contact between two bodies, the vertex' one first. */
struct flow_hold {
    struct hold hold;
    uint32_t a, b, attached;
};
/* A row that contacts touch, and what they do to it: a hold's number, and as what (0: the vertex, 1 to 3: a corner). */
struct flow_row {
    uint32_t body, row, first, count;
};
struct flow_touch {
    uint32_t hold, role;
};

/* All that tasks reach. Arrays of rows are [3][rows] a body. */
struct flow {
    const struct flow_shape *shape;
    const struct flow_body *body;
    const uint32_t *number;
    const float *value, *free;
    const struct flow_part *row_part, *element_part;
    float *x, *v, *u, *w;
    float *turn, *pull, *matrix, *inverse, *cg; /* pull: turned gradients and forces; cg: r, p, s */
    float *elastic, (*total)[8], (*dots)[2];    /* sums of parts */
    uint32_t *bad, *go;                         /* a part; all: places may move */
    struct flow_hold *hold;
    const struct flow_row *row;
    const struct flow_touch *touch;
    struct body_set *set;
    const uint32_t *member, *set_of; /* of sets, by body */
};

/* Bodies, parts of their rows and of their elements, and where their arrays are: first, count. */
struct flow_group {
    uint32_t body[2], row_part[2], element_part[2];
    size_t rows[2], elements[2], slots[2]; /* in rows, elements, slots */
    bool alone;                            /* touches nobody, and is not the only one: solved by one task */
};
/* What two groups, or one with itself, have between them in this step; sections have room for some more. */
struct flow_link {
    uint32_t group[2], room, hold, holds, row, rows, touch, touches; /* sections: room, and four times as many */
};
/* Groups, one after the other, that are solved together. */
struct flow_cluster {
    uint32_t group, groups, link, links, set, sets;
};

struct flow_scene {
    struct scene *scene;
    struct flow all;  /* the tasks' arrays */
    struct flow next; /* what the host found of a step: sets, members, contacts; a task brings it to the others */
    size_t rows, elements, slots, numbers, values, hold_room, holds; /* room; what the links' sections take */
    struct flow_group *group;
    struct flow_link *link;
    struct flow_cluster *cluster;
    uint32_t groups, links, links_room, clusters, row_parts, element_parts;
    uint32_t *first; /* [pairs] hold */
    void *block[32];
    uint32_t blocks;
};

/* Takes the scene's bodies apart; their pointers are the arrays' from then on. */
void flow_open(struct flow_scene *f, struct scene *scene, uint32_t groups);
/* Contacts are there: links, clusters, and what the step begins with. */
void flow_prepare(struct flow_scene *f);
/* What the step's tasks said is in the scene's sums, pairs and sets; the number of a body that broke, or bodies. */
uint32_t flow_results(struct flow_scene *f);
void flow_close(struct flow_scene *f);

/* nest_flow.c: what is done before and behind each step is the caller's. */
struct flow_run {
    struct flow_scene *flow;
    long steps;
    uint32_t threads;                                       /* of a device's team */
    bool teams;                                             /* a device runs several */
    bool (*before)(void *context, long step);               /* finds contacts; false: no further step */
    bool (*behind)(void *context, long step, uint32_t bad); /* places are there */
    void *context;
};
void flow_heddle(const struct flow_run *run);
void flow_serial(const struct flow_run *run);

#endif
