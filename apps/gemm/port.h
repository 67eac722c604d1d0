/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tile pipeline needs of a kind of device. Two kinds: GPUs with streams and cuBLAS (port_cuda.c), and any
 * OpenMP device, whose calls are done when they return (port_omp.c). Events are marks in the order of a device's work;
 * NULL is an event that is done. Functions that return int return 0, or a negative number when the device failed.
 */
#ifndef GEMM_PORT_H
#define GEMM_PORT_H

#include "tile.h"

enum { PORT_LANES = 2 }; /* products run in this many orders beside each other: one fills the gaps of the other */

struct port;
struct port_ops {
    int (*enter)(struct port *); /* the calling thread is going to use the device */
    void (*leave)(struct port *);
    size_t (*room)(struct port *); /* free memory in bytes; 0: not known */
    void *(*alloc)(struct port *, size_t bytes);
    void (*free)(struct port *, void *memory);
    void *(*event)(struct port *);
    void (*event_free)(struct port *, void *event);
    int (*done)(struct port *, void *event); /* 1: done, 0: not yet */
    /* Copies to and from the device; `event` is done after it. A store begins when `after` is done. */
    int (*load)(struct port *, void *to, const void *from, size_t bytes, void *event);
    /* Whether copies from `other`, of the same kind, can go past the host; NULL: never. */
    bool (*reaches)(struct port *, const struct port *other);
    int (*load_from)(struct port *, void *to, const struct port *other, const void *from, size_t bytes, void *event);
    int (*store)(struct port *, void *to, const void *from, size_t bytes, void *after, void *event);
    /* With device addresses; begins when the events `after` are done. */
    int (*multiply)(struct port *, int lane, const struct product *p, void *const after[3], void *event);
    void (*close)(struct port *);
};
struct port {
    const struct port_ops *ops;
    int device;
    bool is_gpu;
    bool plain;       /* the library chooses its kernels */
    char library[64]; /* what multiplies: "cuBLAS 13.1", "OpenMP kernel" */
    void *state;
};

/* A GPU. `library`: the cuBLAS to take, "none" for the OpenMP kernel, NULL for the usual places. False: not a GPU, no
 * driver, or, with `message` set, a library that was asked for is not usable. */
bool port_cuda_open(struct port *port, int device, const char *library, char *message, size_t size);
/* Page-locks host memory, and undoes it; false: not possible, copies are slower then. */
bool port_cuda_lock(void *memory, size_t bytes);
void port_cuda_unlock(void *memory);
/* Any OpenMP device. */
bool port_omp_open(struct port *port, int device);

/* kernel_target.c: the product on an OpenMP device, by a kernel of ours. Waits for it. */
int product_target(int device, const struct product *p);

#endif
