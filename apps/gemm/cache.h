/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tile cache of a device: slots of equal size in its memory, each with a segment of a panel of A or B (a range of
 * the depth k), least recently used first to go. It keeps books only; who fills the slots is the caller's business
 * (device_work.c). It belongs to one thread; others may only borrow (cache_lend) and give back (cache_unbind).
 */
#ifndef GEMM_CACHE_H
#define GEMM_CACHE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct segment {
    int matrix; /* GEMM_A or GEMM_B */
    long panel, index;
    void *at;
    long length;         /* of the depth */
    long issued, loaded; /* so much of it is on its way or there; there */
    void *last;          /* event of the load that brings `issued`; NULL when that is there */
    int users;           /* a segment in use stays */
    long stamp;
};

struct cache {
    struct segment *slot;
    int slots, used;
    long clock;
    long hits, misses;    /* binds that found their segment, and those that did not */
    pthread_mutex_t lock; /* over what users and loaded say, and which segment is where */
    bool stale;           /* nothing is lent: the matrices have changed */
};

/* `slots` slots of `bytes` each, from `memory` on. False: no memory for the books. */
bool cache_open(struct cache *cache, int slots, void *memory, size_t bytes);
void cache_close(struct cache *cache);
/* The segment, in use once more until cache_unbind. A new one has loaded = issued = 0. NULL: every slot is in use or
 * being loaded. */
struct segment *cache_bind(struct cache *cache, int matrix, long panel, long index, long length);
void cache_unbind(struct cache *cache, struct segment *segment);
/* It is on its way, or there, up to `upto`. */
void cache_issued(struct cache *cache, struct segment *segment, long upto);
void cache_loaded(struct cache *cache, struct segment *segment, long upto);
/* For another thread: the segment, in use once more until cache_unbind, if it is there up to `upto`. */
struct segment *cache_lend(struct cache *cache, int matrix, long panel, long index, long upto);
/* For another thread: whether the part of the segment that ends at `upto` is on its way, but not there. */
bool cache_coming(struct cache *cache, int matrix, long panel, long index, long upto);
/* The matrices have changed: from any thread, nothing is lent until cache_clear, which forgets what is there. No
 * segment is in use then. */
void cache_stale(struct cache *cache);
void cache_clear(struct cache *cache);

#endif
