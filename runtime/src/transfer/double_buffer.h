/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The double buffer that all data between the host and a device goes through: while one block of a channel travels, its
 * thread fills or empties the other. Memory that the program has page-locked travels as it is, and so does all on a
 * device without page-locked blocks.
 */
#ifndef HEDDLE_TRANSFER_DOUBLE_BUFFER_H
#define HEDDLE_TRANSFER_DOUBLE_BUFFER_H
#include "device/device.h"
#include "segments.h"

/* A stretch of a copy, HEDDLE__BLOCK_BYTES at most. */
struct heddle__block {
    char *host, *there; /* host: NULL: bytes [at, at + bytes) of the segments */
    size_t bytes;
    const struct heddle__segment *segment;
    int segments;
    size_t at;
    void *of; /* the source's own */
    /* double_buffer.c: */
    bool travels, to_host, direct,
        waits; /* direct: through no block of the channel; waits: its event tells when it is there */
};

/* What is copied, as the double buffer asks for it. */
struct heddle__block_source {
    /* Fills the next block; false: there is none. `idle`: nothing travels, so it may wait for one. */
    bool (*take)(void *with, struct heddle__block *block, bool idle);
    /* Called once for each block: it is where it belongs, or failed. */
    void (*ended)(void *with, const struct heddle__block *block, int error);
    /* Where the block's bytes are on another device; NULL: nowhere. Optional. */
    const char *(*nearby)(void *with, const struct heddle__block *block, int *device);
    void *with;
};

/* Of one thread. Zeroed before the first run, but for these three. */
struct heddle__double_buffer {
    int device;
    double timeout;                  /* seconds */
    struct heddle__channel *channel; /* NULL: the device copies by itself */
    struct heddle__block block[2];
};

/* By a thread that has entered the device. Copies all that the source gives, `to_host`: from the device; returns the
   first error. Without `wait` the last two blocks may still travel when it returns: only to the device, and the
   segments have to stay until then. */
HEDDLE_HIDDEN int heddle__double_buffer_run(struct heddle__double_buffer *b, const struct heddle__block_source *source,
                                            bool to_host, bool wait);
#endif
