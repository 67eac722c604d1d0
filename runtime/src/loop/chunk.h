/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One chunk's memory on a device. Its image is [environment | sections that come in | that come in and go out | that go
 * out | scratch], so that each way is one copy of one range, through the blocks of a channel on a GPU.
 */
#ifndef HEDDLE_LOOP_CHUNK_H
#define HEDDLE_LOOP_CHUNK_H

#include "engine.h"
#include "transfer/double_buffer.h"

enum { HEDDLE__KEEP_BYTES = 256 << 20 };

/* Kept between loops, one for each thread that serves a device. */
struct heddle__slot {
    struct heddle__double_buffer copies; /* its channel's stream runs the chunk's kernel, too */
    char *memory;
    size_t bytes;
    char *red; /* of the host, (partial) results of reductions as they come and go */
    size_t red_bytes;
};

struct heddle__section {
    const struct heddle_map *map;
    size_t at;   /* in the image */
    char *there; /* on the device; outside the image where the program keeps it there */
};

struct heddle__chunk_transfer { /* a chunk on its way */
    struct heddle__participant *participant;
    struct heddle__server *server;
    struct heddle__slot *slot;
    struct heddle_map *maps; /* nmaps of them */
    struct heddle__section *section;
    char *env;  /* with this chunk's device pointers */
    bool wrote; /* some of its results have reached the program's arrays */
    size_t in_end, out_begin, out_end, total;
    long lo, count; /* of its iterations */
    long partials;  /* of reductions, at out_begin; 0: none */
    size_t red;     /* bytes of them; or, where arrays are reduced, of the structure and the copies behind it */
    struct heddle_reduce_control control;
    int teams, threads; /* ... and what computes it */
};

/* Bytes of a structure of reductions with the copies of arrays behind it. */
HEDDLE_HIDDEN HEDDLE__FIRST size_t heddle__loop_red_bytes(const struct heddle_loop *loop);
/* One of them, as a worker starts from it; what is behind the structure is zero. */
HEDDLE_HIDDEN void heddle__loop_red_start(const struct heddle_loop *loop, void *red);

/* Of a chunk on a device: bytes behind all others that its threads need; and where things lie. */
HEDDLE_HIDDEN size_t heddle__reduce_plan(struct heddle__chunk_transfer *c);
HEDDLE_HIDDEN void heddle__reduce_place(struct heddle__chunk_transfer *c, char *result, char *values);

HEDDLE_HIDDEN int heddle__slot_make(struct heddle__slot *s, int device, double timeout);
HEDDLE_HIDDEN void heddle__slot_trim(struct heddle__slot *s, int device);
/* Lays the chunk's image out and finds memory for it; HEDDLE_ENOMEM: it does not fit. */
HEDDLE_HIDDEN int heddle__chunk_plan(struct heddle__chunk_transfer *c, const struct heddle_loop_chunk *chunk);
/* Partial results of a kernel's reductions: all started; joined into `red` when they are back. */
HEDDLE_HIDDEN void heddle__chunk_red_start(struct heddle__chunk_transfer *c);
HEDDLE_HIDDEN void heddle__chunk_red_join(const struct heddle__chunk_transfer *c, void *red);
/* To the device and back. Without `wait` what comes in may still be on its way: what follows on the stream waits for
 * it. */
HEDDLE_HIDDEN int heddle__chunk_send(struct heddle__chunk_transfer *c, bool wait);
HEDDLE_HIDDEN int heddle__chunk_fetch(struct heddle__chunk_transfer *c);
HEDDLE_HIDDEN int heddle__chunk_wait(struct heddle__chunk_transfer *c); /* for the slot's stream */

#endif
