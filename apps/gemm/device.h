/* SPDX-License-Identifier: Apache-2.0 */
/* What device.c (queue, thread) and device_work.c (the pipeline) share. */
#ifndef GEMM_DEVICE_H
#define GEMM_DEVICE_H

#include "cache.h"
#include "devices.h"

#include <pthread.h>

enum {
    WINDOW_MOST = 64, /* tiles of C on the device */
    AHEAD = 16,       /* more tiles whose segments are fetched already */
    LOADS = 16,       /* transfers under way */
    DEPTH = 2,        /* products under way in each lane */
    SEGMENTS_AHEAD = 2,
    GROUPS = 4 /* of an order's tiles, at most */
};

/* A call of devices_run. */
struct order {
    long first, count, left;
    bool *failed; /* [count], by the driver under the device's lock */
};

/* A tile of C on its way. */
struct work {
    struct order *order;
    long t;
    long group; /* an order's first tiles are loaded before others, and so on */
    struct gemm_tile at;
    int slot;         /* of C on the device; -1: none yet */
    void *slot_event; /* of the load of C; NULL: it is there, or not needed */
    bool slot_ready;  /* C is there, not needed, or on its way under slot_event */
    long k;           /* so much of the depth is done or under way */
    long bound;       /* segments before this one were bound; those before the current one are let go */
    struct segment *a[SEGMENTS_AHEAD], *b[SEGMENTS_AHEAD]; /* by segment number modulo */
    bool busy, storing;
};

struct load {
    struct segment *segment;
    long upto;
    struct work *work;     /* a tile of C, instead of a segment */
    struct device *lender; /* the device that a slab comes from, and its segment there; NULL: from the host */
    struct segment *lent;
    void *event;
};
struct running {
    struct work *work;
    void *event;
};

struct device {
    struct gemm *g;
    struct port port;
    struct cache cache;
    bool *reaches; /* [devices]: copies from there go past the host */
    int rank;      /* in the list of devices */
    void *memory;
    long segment_length, segments, slab; /* of the depth: in a slot, in k, in a transfer */
    double rate;                         /* flop/s of an inner tile's whole depth; 0: not measured */
    long step;                           /* least depth of a product that does not end a segment */
    int lanes;                           /* products run beside each other */
    int window;
    char *c_memory;
    size_t c_bytes, segment_bytes; /* of a slot each */
    bool c_used[WINDOW_MOST];

    struct load load[LOADS]; /* rings: oldest at `first`, `count` of them */
    int load_first, load_count;
    struct running lane[PORT_LANES][DEPTH];
    int lane_first[PORT_LANES], lane_count[PORT_LANES];
    struct running store[WINDOW_MOST];
    int store_first, store_count;

    struct work **work; /* in order */
    long count, room;

    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t more, less;
    struct work **incoming; /* under the lock */
    long incoming_count, incoming_room;
    long groups; /* given out */
    bool closing, failed, forget;
    double run_start, last_step; /* clocks: of the first tile after devices_forget; of the last round */
    bool was_idle;
    struct device_totals totals, published; /* the driver's; under the lock, as of the last tile */
};

struct devices {
    int count;
    struct device **device;
    int locked; /* of A, B, C, in this order */
};

/* What a device's thread runs: takes in tiles and moves them on until the device is closed. */
void *device_drive(void *device);
/* One round of the pipeline: whether anything changed; negative: the device failed. */
int device_step(struct device *d);
/* Waits for the loads under way. */
int device_drain(struct device *d);
/* Gives back what the loads under way were borrowing; they failed. */
void device_drop_loads(struct device *d);
/* The tile is in C (or, failed, is not): the driver lets go of it. */
void device_finish(struct device *d, long index, bool failed);

#endif
