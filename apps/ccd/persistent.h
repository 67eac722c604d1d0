/* SPDX-License-Identifier: Apache-2.0 */
/* A query by devices alone: one launch on each, whose threads stay from the corners to the hits and meet between
 * phases. So the host is asked nothing, and lists never leave the device. (persistent.c has the memory,
 * persistent_kernel.h what the threads do.) */
#ifndef CCD_PERSISTENT_H
#define CCD_PERSISTENT_H

#include "halves.h"
#include "query.h"

struct persistent;
/* From now on these devices do the query, each a share of the triangles that look for others. NULL: one of them cannot,
 * and nothing has changed. */
struct persistent *persistent_enter(struct query *query, const int *devices, int count);
/* False: a device failed, or has no room for lists; nothing is left but to leave. */
bool persistent_run(struct persistent *p, struct query *query);
void persistent_leave(struct persistent *p, struct query *query);

/* ---- what the kernel sees ---- */
enum { PHASE_CORNERS, PHASE_FACES, PHASE_BOXES, PHASE_WALKS, PHASE_PAIRS, PHASE_LOOKS, PHASE_HARD, PHASES };

/* A triangle with its corners at both times, so that a pair reads two stretches of memory. */
struct face_ids {
    uint32_t corner[3], number, edge[3], owns;
} __attribute__((aligned(16)));
struct packed_face {
    struct face_ids ids;
    float at[2][3][3], spare[2];
};
struct packed_node {
    struct moving box;
    uint32_t first, count, right, spare;
} __attribute__((aligned(16)));
struct packed_mover {
    struct moving box;
} __attribute__((aligned(16)));
struct packed_point {
    float at[2][3], spare[2];
} __attribute__((aligned(16)));

/* In a list a test is its pair's number above which of the pair's it is: 0 to 2: a corner of the first triangle, to 5:
 * of the second one, to 14: an edge of each. */
enum { TEST_BITS = 4, PAIR_BITS = 28 };
struct test {
    struct pair pair;
    uint32_t corner[4]; /* the vertex and the face's, or the ends of both edges */
};
/* A test whose whole cell is open. */
struct open_test {
    struct test test;
    uint32_t halves, spare; /* those it goes on with */
} __attribute__((aligned(16)));

/* Work that a lane has given away: a walk's range of nodes, or a cell of a test. */
struct given {
    uint32_t of;       /* a place, or a hard test */
    uint32_t from, to; /* a walk's */
    struct ccd_waiting cell;
};

/* A test of which several lanes have cells. */
struct shared_test {
    uint64_t first, spent; /* first: bits of a time; spent: cells */
    uint64_t open;         /* lanes and cells that are not done */
};

/* A line of memory each: all lanes of the device add to them. */
struct counter {
    uint64_t value, spare[15];
};
/* Of a phase whose lanes give work away: seeds are taken by number, then tickets for what others give. `pending`: what
 * was given, less what is done: when nothing is left, the negative of the seeds. */
struct work_queue {
    struct counter seeds, head, tail, pending;
};
struct counters {
    struct counter meeting, query; /* of all queries: blocks that came to meetings; queries before this one */
    struct counter failed, pairs, tests, hard, hits, doubts, cells;
    struct work_queue walks, cells_queue;
    uint64_t clock[PHASES + 1];
};
/* What the host is told, and how much room lists would have needed. */
struct report {
    uint64_t failed, pairs, tests, hard, hits, doubts, cells;
};

struct persistent_work {
    struct view view;                     /* the device's */
    uint32_t points, places, part, parts; /* this device's part of the places */
    uint32_t leaf_count;
    const uint32_t *leaves, *parents; /* parents: of nodes */
    uint32_t *arrived;                /* of nodes: children that have come, of all queries */
    struct packed_point *packed_points;
    struct packed_face *packed_faces; /* of places */
    struct packed_node *packed_nodes;
    struct packed_mover *packed_movers; /* of places */

    struct pair *pairs;
    uint32_t *tests;
    struct open_test *hard;
    struct ccd_waiting *stacks; /* CCD_DEPTH_MOST of each thread */
    struct shared_test *slots;  /* of hard tests */
    struct given *given;
    uint32_t *flags; /* of what is given: the query that it belongs to */
    struct contact *hits;
    struct pair *doubts;
    uint64_t pairs_room, tests_room, hard_room, slots_room, given_room, hits_room, doubts_room;
    uint64_t cells_most;
    double tolerance;
    struct counters *counters;
    struct report *report; /* where the host finds it behind the query */
};

#endif
