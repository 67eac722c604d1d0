/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between the program's arrays and a device that go on beside the caller, by several threads: pipeline.c. */
#ifndef HEDDLE_STAGING_H
#define HEDDLE_STAGING_H
#include "segments.h"
#include "device/device.h"
#include <sched.h>

enum { HEDDLE__STAGE_PIECE = 2 << 20 }; /* bytes of a copy that one thread takes at a time, counted from its begin */

/* One direction of one device. */
struct heddle__stage;

/* Another device may have a piece already, and its link be faster than the host's. */
struct heddle__nearby {
    const char *(*find)(void *with, const char *host,
                        int *device);              /* where the piece that begins at `host` is; NULL: nowhere */
    void (*arrived)(void *with, const char *host); /* it is on this stage's device now */
    void *with;
};

/* What a number of copies of one stage have left. Zeroed before the first of them. */
struct heddle__done {
    size_t left; /* bytes */
    int error;   /* the first one */
};

/* `home`: from the device. On `cores` (NULL: the caller's), by a thread for every `share` of them, `most` at most.
 * NULL: no memory. */
HEDDLE_HIDDEN struct heddle__stage *heddle__stage_open(int device, bool home, const cpu_set_t *cores, int share,
                                                       int most);
/* All its copies have to be done. */
HEDDLE_HIDDEN void heddle__stage_close(struct heddle__stage *stage);
/* Returns at once. HEDDLE_ENOMEM: nothing was begun. */
HEDDLE_HIDDEN int heddle__stage_copy(struct heddle__stage *stage, char *host, char *there, size_t bytes,
                                     struct heddle__done *done);
/* Before the first copy, for stages to the device; kept by address. */
HEDDLE_HIDDEN void heddle__stage_nearby(struct heddle__stage *stage, const struct heddle__nearby *nearby);
/* Until nothing is left; returns the first error. */
HEDDLE_HIDDEN int heddle__stage_wait(struct heddle__stage *stage, struct heddle__done *done);
/* Without a stage: [at, end) of a range of a device's memory that holds these parts, to it or (`home`) from it, `there`
   being the range's first byte. Small arrays travel together; the caller copies, and others beside it where it is much,
   one for `share` of the cores at most. Returns the first error. */
HEDDLE_HIDDEN int heddle__stage_range(int device, bool home, const cpu_set_t *cores, int share,
                                      const struct heddle__part *part, int parts, char *there, size_t at, size_t end);
#endif
