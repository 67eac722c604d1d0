/* SPDX-License-Identifier: Apache-2.0 */
/* The stream of tasks from the host: what its block (stream.c) and its kernel (resident.c) share. */
#ifndef HEDDLE_SRC_POOL_STREAM_H
#define HEDDLE_SRC_POOL_STREAM_H

#include "pool.h"
#include <pthread.h>
#include <string.h>

struct heddle__stream {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct heddle_pool pool;        /* the latest block's */
    struct heddle_pool kernel;      /* the kernel's, without arrays: it outlives its block */
    struct heddle__segment segment; /* empty */
    struct heddle__run run;
    struct heddle_pool_ring *ring;
    int device;
    char *env;
    size_t env_bytes;
    uint64_t submitted, retired; /* tickets */
    uint64_t next_launch;        /* the ticket that the next kernel begins with */
    bool open, launcher, monitor;
    bool wanted;                  /* the kernel is to come */
    bool running;                 /* it is there, or on its way */
    bool leaving, back;           /* it has been told to leave; it comes back */
    bool owed;                    /* it had to wait for others: who asks for the device next waits until it has come */
    bool failed, rescued;         /* it could not be run; its tasks have been run on the host */
    int waiting[HEDDLE__DEVICES]; /* threads that need this device: it does not come before they have had it */
    uint64_t clock;               /* ns; the monitor's last look, also without the lock */
    uint64_t since;               /* when the kernel was launched, by that clock */
    bool own_map[64];             /* arrays that this block has brought to the device */
    double last;                  /* when the monitor has seen something to do */
    double start;
    uint64_t tasks;
    unsigned turns, first_turn; /* how often this kernel has come, and that before this block */
    int workers;                /* of the last kernel that has left */
};

/* There is one. */
extern HEDDLE_HIDDEN struct heddle__stream heddle__the_stream;

static inline uint64_t heddle__ring_load(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }

/* The launcher's thread sets it when it knows how large the kernel is; 0 before. */
static inline int heddle__stream_pollers(const struct heddle__stream *s) {
    return __atomic_load_n(&s->run.pollers, __ATOMIC_ACQUIRE);
}

/* Tickets up to the first that is not done are retired. */
static inline void heddle__ring_retire(struct heddle__stream *s) {
    while (s->retired < s->submitted &&
           heddle__ring_load(&s->ring->done[s->retired % HEDDLE_RING_SLOTS]) == s->retired + 1)
        s->retired++;
}

static inline void heddle__ring_put(struct heddle__stream *s, uint32_t kind, const void *record, size_t bytes) {
    uint64_t *slot = s->ring->slot[s->submitted % HEDDLE_RING_SLOTS];
    const uint64_t tag = (uint64_t)(uint32_t)(s->submitted + 1) << 32;
    const size_t words = s->pool.type->record_bytes / 4;
    uint32_t data[HEDDLE_RING_WORDS];
    memset(data, 0, words * sizeof *data);
    if (bytes)
        memcpy(data, record, bytes);
    for (size_t q = 0; q < words; q++)
        __atomic_store_n(&slot[1 + q], tag | data[q], __ATOMIC_RELAXED);
    __atomic_store_n(&slot[0], tag | kind, __ATOMIC_RELEASE);
    s->submitted++;
}

/* resident.c: the threads that bring the kernel and let it go, started once. */
HEDDLE_HIDDEN bool heddle__resident_start(struct heddle__stream *s);
/* Whether it has left the device within HEDDLE_TIMEOUT. It does not come back before something is sent. */
HEDDLE_HIDDEN bool heddle__resident_stop(struct heddle__stream *s, int device);
/* With the lock held: the kernel leaves if its turn is over, and comes back. Whoever sends or waits calls this, since
   those who hold the lock nearly always might keep the monitor from it. */
HEDDLE_HIDDEN void heddle__resident_check_turn(struct heddle__stream *s);

#endif
