/* SPDX-License-Identifier: Apache-2.0 */
/* Large copies between the host and a device by several threads: pipeline.c. */
#ifndef HEDDLE_TRANSFER_PIPELINE_H
#define HEDDLE_TRANSFER_PIPELINE_H
#include "segments.h"
#include <sched.h>

/* One direction of one device. */
struct heddle__transfer;

/* Another device may have a block already, and its link be faster than the host's. Blocks are HEDDLE__BLOCK_BYTES,
   counted from the begin of their copy. */
struct heddle__nearby {
    const char *(*find)(void *with, const char *host, int *device); /* the block that begins at `host`; NULL: nowhere */
    void (*arrived)(void *with, const char *host);                  /* it is on this transfer's device now */
    void *with;
};

/* What a number of copies of one transfer have left. Zeroed before the first of them. */
struct heddle__done {
    size_t left; /* bytes */
    int error;   /* the first one */
};

/* `to_host`: from the device. On `cores` (NULL: the caller's), by a copy worker for every `share` of them, `most` at
   most. NULL: no memory. */
HEDDLE_HIDDEN struct heddle__transfer *heddle__transfer_open(int device, bool to_host, const cpu_set_t *cores,
                                                             int share, int most);
/* All its copies have to be done. NULL may be closed. */
HEDDLE_HIDDEN void heddle__transfer_close(struct heddle__transfer *transfer);
/* Returns at once. HEDDLE_ENOMEM: nothing was begun. */
HEDDLE_HIDDEN int heddle__transfer_copy(struct heddle__transfer *transfer, char *host, char *there, size_t bytes,
                                        struct heddle__done *done);
/* Before the first copy, for transfers to the device; kept by address. */
HEDDLE_HIDDEN void heddle__transfer_nearby(struct heddle__transfer *transfer, const struct heddle__nearby *nearby);
/* Until nothing is left; returns the first error. */
HEDDLE_HIDDEN int heddle__transfer_wait(struct heddle__transfer *transfer, struct heddle__done *done);
/* At once: [at, end) of a range of a device's memory that holds these segments, to it or (`to_host`) from it, `there`
   being the range's first byte. Small arrays travel together; the caller copies, and others beside it where it is much,
   one for `share` of the cores at most. Returns the first error. */
HEDDLE_HIDDEN int heddle__transfer_range(int device, bool to_host, const cpu_set_t *cores, int share,
                                         const struct heddle__segment *segment, int segments, char *there, size_t at,
                                         size_t end);
#endif
