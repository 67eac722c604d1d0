/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The devices of the machine, and everything that is kept of each: one table, one `struct heddle__device` for each.
 *
 * Engines and transfers name a device by OpenMP's number, and reach it by the functions below, never by libomptarget's
 * or a driver's. Those stand in the files of this folder, one for each kind of device: cuda.c, omptarget.c, host.c. A
 * kind is a `struct heddle__device_ops`; what omptarget.c does is right on every device. These functions call
 * libomptarget's own entry points: the selector's hooks are for what the program does, and the memory that engines
 * allocate is none of its business. What the program has mapped is asked of the hooks while the selector is at work
 * (heddle__device_view), since it may have put copies of its own there, and what engines map goes by them then.
 *
 * Locks. Every call may come from any thread. `lock` guards the fields that say so; it is a leaf, held for a look at
 * them and never around a call that waits for the device. Each arena has a lock of its own, held by its engine for as
 * long as the device works with the memory: one nest and one pool at a time on a device, and a loop for each seat.
 * Order: an engine's lock, an arena's, `lock`. A child of fork has neither devices nor these locks: nothing here is
 * called there (core/fork.c).
 *
 * Errors are 0 or a negative heddle_error; sizes are bytes; nothing is freed before the process ends unless it is said.
 */
#ifndef HEDDLE_DEVICE_TABLE_H
#define HEDDLE_DEVICE_TABLE_H

#include "core/internal.h"
#include <pthread.h>
#include <stdint.h>

enum {
    HEDDLE__DEVICES = 64,           /* at most; numbers from there on have no device (HEDDLE_ENODEV) */
    HEDDLE__BLOCK_BYTES = 2 << 20,  /* of a page-locked block of a channel */
    HEDDLE__ARENA_KEEP = 256 << 20, /* bytes that an idle arena keeps (heddle__arena_trim) */
    HEDDLE__SLOTS = 8,              /* threads of a loop that serve a device */
    HEDDLE__SEATS = 4,              /* loops and jobs of several host threads at once (turns.h) */
    HEDDLE__WORK_SIZES = 64,        /* powers of two of a call's work */
    HEDDLE__DEVICE_SLACK = 64 << 20 /* bytes that kernels, their threads and libraries take for themselves */
};

struct heddle__device;

/* A kind of device. Streams and events are opaque; calls with one, and `pinned` and `locked`, are made by a thread that
   has entered the device, where `enter` is not NULL. */
struct heddle__device_ops {
    const char *kind; /* "cuda", "other" or "host": as in heddle_device_info */
    /* Fills name, units, memory and memory_free; false: there is no such device. Takes the driver its time. */
    bool (*facts)(struct heddle__device *d, struct heddle_device_info *info);

    /* Memory. NULL: there is none. `shared`: host and device use one address, pages come when they are touched. */
    void *(*alloc)(struct heddle__device *d, size_t bytes);
    void (*free)(struct heddle__device *d, void *at);
    void *(*shared_alloc)(struct heddle__device *d, size_t bytes);
    void (*shared_free)(struct heddle__device *d, void *at);
    /* Whether blocks of these sizes can be had together now; nothing stays allocated. */
    bool (*fits)(struct heddle__device *d, const size_t *bytes, int count);

    /* Copies and fills that are done when they return. `across`: from another device's memory. */
    int (*copy_in)(struct heddle__device *d, void *there, const void *here, size_t bytes);
    int (*copy_out)(struct heddle__device *d, void *here, const void *there, size_t bytes);
    int (*copy_across)(struct heddle__device *d, void *there, struct heddle__device *from, const void *at,
                       size_t bytes);
    int (*zero)(struct heddle__device *d, void *there, size_t bytes);

    /* Work that goes on beside the caller. A kind that has no streams leaves all of these NULL: copies are done at
       once, every event is done, and any host memory counts as page-locked (it travels as it is). */
    int (*enter)(struct heddle__device *d); /* the device becomes this thread's; nests */
    void (*leave)(struct heddle__device *d);
    int (*stream)(struct heddle__device *d, void **stream); /* in order; different ones beside each other */
    void (*stream_free)(struct heddle__device *d, void *stream);
    int (*event)(struct heddle__device *d, void **event);
    void (*event_free)(struct heddle__device *d, void *event);
    int (*record)(struct heddle__device *d, void *event, void *stream); /* of what the stream was given so far */
    int (*done)(struct heddle__device *d, void *event);                 /* 1, 0: not yet, negative: the device failed */
    int (*start_in)(struct heddle__device *d, void *there, const void *here, size_t bytes, void *stream);
    int (*start_out)(struct heddle__device *d, void *here, const void *there, size_t bytes, void *stream);
    int (*start_across)(struct heddle__device *d, void *there, struct heddle__device *from, const void *at,
                        size_t bytes, void *stream);
    void *(*pinned)(struct heddle__device *d, size_t bytes); /* page-locked; the device has it under the same address */
    bool (*locked)(struct heddle__device *d, const void *here, size_t bytes); /* is host memory page-locked? */
    int (*reach)(struct heddle__device *d, struct heddle__device *other);     /* lets it read the other one's memory */
};

/* What a thread drives copies with: a stream, and two page-locked blocks that travel in turn. */
struct heddle__channel {
    struct heddle__channel *next; /* of those that nobody uses */
    void *stream, *event[2];
    char *pinned[2]; /* HEDDLE__BLOCK_BYTES each; NULL on a device without streams, where memory travels as it is */
};

/* Device memory that an engine keeps from one run to the next, since a driver takes its time to allocate and frees only
   when all that runs on the device is done. */
enum heddle__arena_use {
    HEDDLE__ARENA_LOOP, /* data that every chunk of a loop needs; one for each seat */
    HEDDLE__ARENA_NEST =
        HEDDLE__ARENA_LOOP + HEDDLE__SEATS, /* a wavefront's control block; its lock is held for the call */
    HEDDLE__ARENA_EDGES,      /* ... tagged words, and nothing else ever; under the lock of HEDDLE__ARENA_NEST */
    HEDDLE__ARENA_POOL,       /* a pool's queues; its lock is held for the run */
    HEDDLE__ARENA_POOL_SPILL, /* ... shared memory for what does not fit; under the lock of HEDDLE__ARENA_POOL */
    HEDDLE__ARENA_RING,       /* of the kernel that tasks from the host go to: it keeps its own */
    HEDDLE__ARENA_RING_SPILL,
    HEDDLE__ARENAS
};
struct heddle__arena {
    pthread_mutex_t lock;
    char *memory;
    size_t bytes;
    uint32_t next_tag; /* of HEDDLE__ARENA_EDGES: tags only grow, so old words never look new */
};

/* What is known of one of the program's kernels on a device. */
struct heddle__kernel_facts {
    struct heddle__kernel_facts *next; /* they are only added to, at the head */
    const struct heddle_site *of;
    struct heddle_image image;
    struct heddle__run_times { /* of a call, by the logarithm of its work (resolve.c) */
        float seconds;
        int runs; /* no more than two are counted */
    } times[HEDDLE__WORK_SIZES];
    int halved; /* a pool that needs all its workers at once: how often they were halved until they fit; arena's lock */
};

struct heddle__device {
    int number; /* OpenMP's, or HEDDLE_DEVICE_HOST */
    const struct heddle__device_ops *ops;
    void *own; /* what the kind keeps of it; ops' alone */

    pthread_mutex_t lock;            /* guards what follows, to the arenas */
    struct heddle_device_info facts; /* .kind is NULL until they are asked for; memory_free is 0 */
    int failures;                    /* loops in a row that lost it */
    const void *told;                /* the last directive that was told why it does not run here */
    uint64_t reached;                /* bit set of the devices whose memory this one reads directly */
    struct heddle__channel *spare;
    int spares;
    struct heddle__kernel_facts *kernels; /* read without the lock */

    struct heddle__arena arena[HEDDLE__ARENAS];
    /* loop/chunk.h: of the threads that serve it in a loop; whoever has the seat */
    struct heddle__slot *slot[HEDDLE__SEATS][HEDDLE__SLOTS];
};

/* ---- device.c: the table -------------------------------------------------------------------------------------- */
/* NULL: there is no such device. Cheap. Any negative number is the host. */
HEDDLE_HIDDEN struct heddle__device *heddle__device(int device);
/* What does not change of a device, asked once; NULL: there is no such device. */
HEDDLE_HIDDEN const struct heddle_device_info *heddle__device_facts(int device);
HEDDLE_HIDDEN bool heddle__device_is_cuda(int device);
/* spread.c: of a kernel of so many threads, one of `kernels` side by side, every (1 << result)th is to have work. */
HEDDLE_HIDDEN int heddle__device_spread(int device, double threads, int kernels);
/* A loop that lost the device, or did not: the failures in a row. */
HEDDLE_HIDDEN int heddle__device_failures(int device);
HEDDLE_HIDDEN int heddle__device_judge(int device, bool failed);
/* False: `of` has just been told something about this device; a thousand equal lines help nobody. */
HEDDLE_HIDDEN bool heddle__device_first_told(int device, const void *of);

/* slow.c: the factor that HEDDLE_SLOW=0:2,host:3 gives to a device; 1: none. */
HEDDLE_HIDDEN double heddle__device_slowness(int device);

/* ---- memory.c: memory and copies, done when they return; `there` is the device's, `here` the host's ------------ */
HEDDLE_HIDDEN bool heddle__device_fits(int device, const size_t *bytes, int count);
/* omptarget.c, of a device that is no GPU: libomp gives a kernel a thread for each processor, and ends the program when
 * it cannot start one. All servers of a loop may start a kernel at the same time. */
HEDDLE_HIDDEN bool heddle__kernel_teams_fit(void);
HEDDLE_HIDDEN void *heddle__device_alloc(int device, size_t bytes); /* NULL, without a word: there is none */
HEDDLE_HIDDEN void heddle__device_free(int device, void *at);       /* NULL may be freed */
HEDDLE_HIDDEN int heddle__device_copy_in(int device, void *there, const void *here, size_t bytes);
HEDDLE_HIDDEN int heddle__device_copy_out(int device, void *here, const void *there, size_t bytes);
HEDDLE_HIDDEN int heddle__device_copy_across(int device, void *there, int from, const void *at, size_t bytes);
HEDDLE_HIDDEN int heddle__device_zero(int device, void *there, size_t bytes);
/* libomptarget's entry points for what is mapped; the selector's, while it is at work. */
typedef void heddle__data_call(void *location, int64_t device, int32_t count, void **bases, void **begins,
                               int64_t *bytes, int64_t *kinds, void **names, void **mappers);
struct heddle__device_view {
    int (*is_present)(const void *here, int device);
    void *(*mapped_ptr)(const void *here, int device);
    heddle__data_call *map, *unmap;
};
HEDDLE_HIDDEN void heddle__device_view(const struct heddle__device_view *view);
/* As the program sees it: is the byte mapped there, and where. */
HEDDLE_HIDDEN bool heddle__device_present(int device, const void *here);
HEDDLE_HIDDEN void *heddle__device_mapped(int device, const void *here);
/* Maps the sections that are not empty, in one call; there[k] is where section k lies. HEDDLE_ENOMEM: none is. */
HEDDLE_HIDDEN void heddle__device_load(int device); /* the program's code */
HEDDLE_HIDDEN HEDDLE__FIRST int
heddle__devices_started(void); /* that may hold something: 0 before the first question */
HEDDLE_HIDDEN int heddle__device_map(int device, const struct heddle_map *maps, int nmaps, void **there);
HEDDLE_HIDDEN void heddle__device_unmap(int device, const struct heddle_map *maps, int nmaps, bool keep);

/* ---- arena.c --------------------------------------------------------------------------------------------------- */
HEDDLE_HIDDEN struct heddle__arena *heddle__arena(int device, enum heddle__arena_use use);
/* At least so many bytes; what it held is gone if it grows. NULL: no memory, and what it had may be gone, too. */
HEDDLE_HIDDEN char *heddle__arena_reserve(int device, enum heddle__arena_use use, size_t bytes);
/* Gives back what is more than HEDDLE__ARENA_KEEP. */
HEDDLE_HIDDEN void heddle__arena_trim(int device, enum heddle__arena_use use);
/* Leaves the memory to a thread that hangs in the device. */
HEDDLE_HIDDEN void heddle__arena_forget(int device, enum heddle__arena_use use);

/* ---- channel.c: by a thread that has entered the device -------------------------------------------------------- */
HEDDLE_HIDDEN int heddle__device_enter(int device);
HEDDLE_HIDDEN void heddle__device_leave(int device);
HEDDLE_HIDDEN struct heddle__channel *heddle__channel_take(int device); /* NULL: none can be had */
HEDDLE_HIDDEN void heddle__channel_give(int device, struct heddle__channel *c);
/* After an error, when nobody knows whether the device still writes to its blocks: they stay locked. */
HEDDLE_HIDDEN void heddle__channel_drop(int device, struct heddle__channel *c);
HEDDLE_HIDDEN int heddle__channel_in(int device, struct heddle__channel *c, void *there, const void *here,
                                     size_t bytes);
HEDDLE_HIDDEN int heddle__channel_out(int device, struct heddle__channel *c, void *here, const void *there,
                                      size_t bytes);
HEDDLE_HIDDEN int heddle__channel_across(int device, struct heddle__channel *c, void *there, int from, const void *at,
                                         size_t bytes);
/* Event k is done when all that the channel was given before is; `wait`: at most `timeout` seconds, short waits spin
   and long ones sleep (HEDDLE_ETIMEDOUT: the device may be gone). */
HEDDLE_HIDDEN int heddle__channel_record(int device, struct heddle__channel *c, int k);
HEDDLE_HIDDEN int heddle__channel_wait(int device, struct heddle__channel *c, int k, double timeout);
/* Can host memory travel as it is? */
HEDDLE_HIDDEN bool heddle__device_locked(int device, const void *here, size_t bytes);
HEDDLE_HIDDEN void *heddle__device_pinned(int device, size_t bytes);
/* Whether the device reads the other one's memory directly from now on. */
HEDDLE_HIDDEN bool heddle__device_reach(int device, int other);

/* ---- launch.c ---------------------------------------------------------------------------------------------------- */
/* Around each kernel and directive with a device() clause of heddle's own, on this thread: the device number holds
   whatever the selector does. They nest. The end tells whether a kernel was not taken by its device meanwhile. */
HEDDLE_HIDDEN void heddle__launch_begin(void);
HEDDLE_HIDDEN int heddle__launch_end(void); /* HEDDLE_OK or HEDDLE_ELAUNCH */
HEDDLE_HIDDEN bool heddle__launching(void); /* for the selector's hooks */
/* A directive's code for a device, asked once; and its HEDDLE_ARCH_* alone. */
HEDDLE_HIDDEN struct heddle_image heddle__image(const struct heddle_site *site, int device);
HEDDLE_HIDDEN int heddle__architecture(const struct heddle_site *site, int device);
/* NULL: there is no such device, or no memory. */
HEDDLE_HIDDEN struct heddle__kernel_facts *heddle__kernel_facts(const struct heddle_site *site, int device);

/* ---- for the selector: addresses in devices' memory ------------------------------------------------------------ */
HEDDLE_HIDDEN int heddle__device_owner(uintptr_t at); /* device whose memory that is; -1: none's */
/* Is one of the aligned 8-byte words of [at, at + bytes) in device memory inside one of the ranges, [from, to) each?
   1: yes; 0: no; -1: the device cannot look itself. */
HEDDLE_HIDDEN int heddle__device_search(int device, const void *at, size_t bytes, const uintptr_t (*ranges)[2],
                                        int count);

/* ---- of the kinds ------------------------------------------------------------------------------------------------ */
HEDDLE_HIDDEN extern const struct heddle__device_ops heddle__ops_cuda, heddle__ops_omptarget, heddle__ops_host;
/* omptarget.c: what libomptarget does on every kind. */
HEDDLE_HIDDEN int heddle__target_count(void);
HEDDLE_HIDDEN void *heddle__target_alloc(struct heddle__device *d, size_t bytes);
HEDDLE_HIDDEN void heddle__target_free(struct heddle__device *d, void *at);
HEDDLE_HIDDEN void *heddle__target_shared_alloc(struct heddle__device *d, size_t bytes);
HEDDLE_HIDDEN void heddle__target_shared_free(struct heddle__device *d, void *at);
HEDDLE_HIDDEN bool heddle__target_fits(struct heddle__device *d, const size_t *bytes, int count);
HEDDLE_HIDDEN int heddle__target_copy_in(struct heddle__device *d, void *there, const void *here, size_t bytes);
HEDDLE_HIDDEN int heddle__target_copy_out(struct heddle__device *d, void *here, const void *there, size_t bytes);
HEDDLE_HIDDEN int heddle__target_copy_across(struct heddle__device *d, void *there, struct heddle__device *from,
                                             const void *at, size_t bytes);

#endif
