/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The devices that take part, each with a tile cache, a thread that drives it, and a queue of tiles.
 *
 * The pipeline of a device: tiles of C in the queue's order get room on the device (a window of tiles), the segments of
 * A and B that they need are fetched slab by slab, and whatever part of the depth is there is multiplied: a tile whose
 * depth is all there is finished and goes back to the host while others are computed; as long as none is, the tile with
 * most to do is advanced. So products begin with the first slabs, the link is busy from the first to the last moment
 * that it has something to carry, and a panel is fetched once while it fits.
 */
#ifndef GEMM_DEVICES_H
#define GEMM_DEVICES_H

#include "port.h"

struct devices_config {
    double cache_bytes; /* memory for tiles per device; 0: most of what is free */
    const char *cublas; /* as port_cuda_open's `library` */
    long slab_bytes;    /* of one transfer; 0: chosen */
    long step;          /* least depth of a product that does not end a segment; 0: chosen */
    bool plain;         /* the library chooses its kernels */
    int lanes;          /* products beside each other; 0: chosen */
};

/* Sets up `device`, or every one there is (device = -1), for the sizes of g. Devices that cannot be used are left out
 * with a line on stderr; nonzero: the one asked for cannot be used, `message` says why. g->devices is set even if there
 * is none. */
int devices_open(struct gemm *g, int device, const struct devices_config *config, char *message, size_t size);
void devices_close(struct gemm *g);
int devices_count(const struct gemm *g);
/* Products of all devices together, in flop/s as measured while setting up; 0: there is none, or one was not measured.
 * `list` gets their numbers, as HEDDLE_DEVICE takes them. */
double devices_rate(const struct gemm *g, char *list, size_t size);
/* Page-locks the matrices if a GPU takes part: its copies then run beside everything else at the link's full speed. It
 * takes about as long as copying them once. False: not locked. */
bool devices_lock(struct gemm *g);
/* The matrices have changed on the host: what is cached is not valid any more. No loop is running. */
void devices_forget(struct gemm *g);

/* Tiles first ... first + count - 1 of the loop on `device`; returns when they are in C on the host. Several threads
 * may call it for one device: their tiles share one queue, so one call's transfers overlap the other's products. What a
 * device cannot do is done on the host, with a line on stderr. */
void devices_run(struct gemm *g, int device, long first, long count);
/* The variant of the loop: on the device of the calling thread's chunk. */
void gemm_device(struct gemm *g, long first, long count);

/* What is learnt of the loop's speeds holds for tiles of this size. */
void gemm_name_loop(const struct gemm *g);

struct device_totals {
    int device;
    const char *library;
    long tiles;                 /* of C */
    double bytes_in, bytes_out; /* from and to the host */
    double bytes_across;        /* from other devices */
    long fetched, found;        /* segments of A and B: fetched; asked for and there */
    double idle_seconds;        /* while it had tiles but no product was under way */
    /* last run: until the first product could begin, the last transfer to the device had ended, the last product had */
    double start_seconds, load_seconds, product_seconds;
};
struct device_totals devices_totals(const struct gemm *g, int which);

#endif
