/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One chunk's memory on a device. Its image is [environment | sections that come in | that come in and go out | that go
 * out | scratch], so that each way is one copy of one range, through pinned memory in pieces on a GPU.
 */
#ifndef HEDDLE_LOOP_DEVICE_H
#define HEDDLE_LOOP_DEVICE_H

#include "engine.h"

enum { HEDDLE__PIECE = 1 << 20, HEDDLE__KEEP_BYTES = 256 << 20 };

/* Kept between loops, one for each thread that serves a device. */
struct heddle__slot {
    bool made;
    void *stream;    /* of a GPU */
    char *pinned[2]; /* PIECE bytes each */
    void *event[2];  /* that piece has travelled */
    bool travels[2];
    char *memory;
    size_t bytes;
    char *red; /* of the host, partial results of reductions as they come and go */
    size_t red_bytes;
};

struct heddle__section {
    const struct heddle_map *map;
    size_t at;   /* in the image */
    char *there; /* on the device; outside the image where the program keeps it there */
};

struct heddle__flight { /* a chunk on its way */
    struct heddle__place *place;
    struct heddle__server *server;
    struct heddle__slot *slot;
    struct heddle_map *maps; /* nmaps of them */
    struct heddle__section *section;
    char *env;  /* with this chunk's device pointers */
    bool wrote; /* some of its results have reached the program's arrays */
    size_t in_end, out_begin, out_end, total;
    long partials; /* of reductions, at out_begin; 0: none */
};

HEDDLE_HIDDEN int heddle__slot_make(struct heddle__slot *s, int device, bool cuda);
HEDDLE_HIDDEN void heddle__slot_trim(struct heddle__slot *s, int device);
/* Lays the chunk's image out and finds room for it; HEDDLE_ENOMEM: it does not fit. */
HEDDLE_HIDDEN int heddle__flight_plan(struct heddle__flight *f, const struct heddle_loop_chunk *chunk);
/* Partial results of a kernel's reductions: all started; joined into `red` when they are back. */
HEDDLE_HIDDEN void heddle__flight_red_start(struct heddle__flight *f);
HEDDLE_HIDDEN void heddle__flight_red_join(const struct heddle__flight *f, void *red);
HEDDLE_HIDDEN int heddle__flight_in(struct heddle__flight *f, bool wait);
HEDDLE_HIDDEN int heddle__flight_out(struct heddle__flight *f);
HEDDLE_HIDDEN int heddle__flight_wait(struct heddle__flight *f); /* for the slot's stream */
/* transfer/resident.c: brings what every chunk needs, with pointers to it in the place's environment. */
HEDDLE_HIDDEN int heddle__kept_enter(struct heddle__place *p, const struct heddle_map *kept, int n);
HEDDLE_HIDDEN void heddle__kept_leave(struct heddle__place *p, const struct heddle_map *kept,
                                      int n); /* when no device copies any more */

#endif
