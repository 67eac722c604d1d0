/* SPDX-License-Identifier: Apache-2.0 */
/* An offload device's part of the jobs: what its thread (device.c) knows of it, and one launch there (launch.c). */
#ifndef HEDDLE_JOBS_PLACE_H
#define HEDDLE_JOBS_PLACE_H

#include "engine.h"
#include "transfer/resident.h"

enum heddle__jobs_outcome { /* of a launch, beside HEDDLE_OK and negative errors */
                            HEDDLE__JOBS_OVERFLOWN = 1,
                            HEDDLE__JOBS_TOO_LARGE,
                            HEDDLE__JOBS_ELSEWHERE /* another device's memory cannot be read: waits_for */
};

struct heddle__jobs_there { /* a type on the device */
    char *env;              /* with device pointers of its arrays */
    bool entered;           /* by itself */
    double *each;           /* elements that a job appends to each of its outputs, at most, as far as is known */
    double *seen;           /* ... in this execution */
    long *need;             /* ... that the last batch did */
};

struct heddle__jobs_piece { /* of the batch */
    const char *at;
    long count;
    struct heddle__jobs_device *on; /* NULL: the host */
};

/* What all types read, each section once. */
struct heddle__jobs_arrays {
    bool tried;
    struct heddle_map *map; /* NULL: they are not there together */
    char **base;            /* on the device, of each */
    int count;
    struct heddle__resident_group group;
    struct heddle__resident resident;
};

struct heddle__jobs_place {
    struct heddle__jobs_device *d;
    struct heddle__jobs_arrays arrays;
    struct heddle__channel *channel; /* whose page-locked block is `head` */
    char *head, *heap;               /* on the host: what a launch is told, or answers; of its own memory */
    size_t heap_bytes;
    struct heddle__jobs_buffer *there, *copy; /* on the device: the head, and records from elsewhere */
    struct heddle__jobs_there *kind;
    struct heddle__jobs_piece *piece;
    int pieces, piece_room;
    struct heddle__jobs_device *waits_for;
    long batch, room; /* HEDDLE_TUNE; 0: chosen */
};

/* NULL: no memory. */
HEDDLE_HIDDEN struct heddle__jobs_place *heddle__jobs_make_place(struct heddle__jobs_device *d);
HEDDLE_HIDDEN void heddle__jobs_free_place(struct heddle__jobs_place *p);
/* The jobs of d->batch, `count` in `piece`, in one launch. */
HEDDLE_HIDDEN int heddle__jobs_launch(struct heddle__jobs_place *p, int type, long count);
HEDDLE_HIDDEN bool heddle__jobs_given_up(struct heddle__jobs_device *d);
/* arrays.c. Nonzero: they are not there together; each type has to bring its own, if that can be. */
HEDDLE_HIDDEN int heddle__jobs_enter_arrays(struct heddle__jobs_place *p);
HEDDLE_HIDDEN void heddle__jobs_leave_arrays(struct heddle__jobs_place *p);

#endif
