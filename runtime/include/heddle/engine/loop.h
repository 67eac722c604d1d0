/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What translated code tells the runtime of a `#pragma heddle for` loop: functions that run a chunk of it in each of
 * its forms, and the call record filled in where the pragma stood. Nobody includes this by hand.
 *
 * A chunk is `count` iterations, the first with loop variable `lo`, each further one `step` later.
 */
#ifndef HEDDLE_LOOP_CALL_H
#define HEDDLE_LOOP_CALL_H

#include <heddle/engine/nest.h>
#include <heddle/engine/reduction.h>
#include <heddle/engine/wavefront/call.h>
#include <heddle/engine/device/launch.h>

enum { HEDDLE_MAP_CHUNK = 32 /* beside HEDDLE_MAP_*: the section moves with the chunk */ };

/* Bytes of a section of `count` elements; a count below 0 is an empty section. */
#define HEDDLE_SECTION_BYTES(count, size) ((long)(count) > 0 ? (size_t)(count) * (size) : 0)

/* One launch of the loop's kernel. */
struct heddle_loop_launch {
    int device;
    const void *env; /* in device memory, with device pointers */
    const void *host_env;
    long lo, step, count;
    int spread;    /* every (1 << spread)th thread gets an iteration; spread.c of the runtime says why */
    void *red;     /* the host's: what an iteration starts from; without partials joined into */
    void *partial; /* in device memory, HEDDLE_LOOP_PARTIALS of them, started; NULL: type->partials is 0 */
};

/* Iterations on a device join their values into one of so many, by their number, atomically; the host joins these.
   Kernels with OpenMP's own reductions, started by several threads, run one after the other on a GPU where others
   overlap (clang 19; probably since memory is allocated and freed for each, and a free waits for all that runs there).
 */
enum { HEDDLE_LOOP_PARTIALS = 1024 };
#define HEDDLE_LOOP_ATOMIC_ADD(into, v) _Pragma("omp atomic update") into += v;
#define HEDDLE_LOOP_ATOMIC_MUL(into, v) _Pragma("omp atomic update") into *= v;
#define HEDDLE_LOOP_ATOMIC_AND(into, v) _Pragma("omp atomic update") into &= v;
#define HEDDLE_LOOP_ATOMIC_OR(into, v) _Pragma("omp atomic update") into |= v;
#define HEDDLE_LOOP_ATOMIC_XOR(into, v) _Pragma("omp atomic update") into ^= v;
/* Reals are compared and exchanged in a loop: nobody begins one who would change nothing. */
#define HEDDLE_LOOP_ATOMIC_BEST(into, v, before)                                                                       \
    {                                                                                                                  \
        __typeof__(v) heddle_seen;                                                                                     \
        _Pragma("omp atomic read") heddle_seen = into;                                                                 \
        if (v before heddle_seen) {                                                                                    \
            _Pragma("omp atomic compare") if (v before into) { into = v; }                                             \
        }                                                                                                              \
    }
#define HEDDLE_LOOP_ATOMIC_MAX(into, v) HEDDLE_LOOP_ATOMIC_BEST(into, v, >)
#define HEDDLE_LOOP_ATOMIC_MIN(into, v) HEDDLE_LOOP_ATOMIC_BEST(into, v, <)
#define HEDDLE_LOOP_ATOMIC_LAND(into, v)                                                                               \
    if (!v) {                                                                                                          \
        _Pragma("omp atomic write") into = 0;                                                                          \
    }
#define HEDDLE_LOOP_ATOMIC_LOR(into, v)                                                                                \
    if (v) {                                                                                                           \
        _Pragma("omp atomic write") into = 1;                                                                          \
    }

typedef void heddle_loop_form(const void *env, long lo, long step, long count, void *red);

/* One loop; static const in the translated file. */
struct heddle_loop_type {
    struct heddle_site site;
    size_t env_bytes, red_bytes;
    void (*red_start)(void *red); /* in: the user's values, out: what a worker starts from */
    void (*red_join)(void *into, const void *from);
    /* Sets first and bytes of the maps marked HEDDLE_MAP_CHUNK; NULL: there are none. env: the host's. */
    void (*sections)(const void *env, long lo, long count, struct heddle_map *maps);
    heddle_loop_form *host;
    void (*kernel)(const struct heddle_loop_launch *launch); /* NULL: the body has variants */
    int partials;                                            /* the kernel's reductions go to launch->partial */
    heddle_loop_form *host_driven_cuda,
        *host_driven_other; /* variants, run by the host thread of a device with device pointers; NULL: none */
};

/* One execution. Filled in by translated code, changed by nobody else. */
struct heddle_loop {
    const struct heddle_loop_type *type;
    void *env, *red;
    struct heddle_map *maps;
    int nmaps;
    long lo, hi, step;    /* for (i = lo; i < hi; i += step); a negative step: i > hi */
    int closed;           /* <= or >= */
    long inner;           /* collapse(2): iterations of the inner loop; 0: there is none */
    const char *schedule; /* NULL: auto */
    long chunk;           /* 0: the schedule's own */
    int device;           /* HEDDLE_DEVICE_AUTO, _ALL, _HOST or a device number */
};

#pragma GCC visibility push(default)
/* 0: done, results are in place. Nonzero: nothing was changed, run the loop serially. */
int heddle_loop_run(struct heddle_loop *loop);
/* Iterations of a loop; -1: more than half of what a long holds, or a step of 0. */
long heddle_loop_trips(long lo, long hi, long step, int closed);
#pragma GCC visibility pop

#define HEDDLE_LOOP_RED_FIELD(type, name, op) __typeof__(type) name;
#define HEDDLE_LOOP_RED_START(type, name, op) red->name = (__typeof__(type))HEDDLE_START_##op(red->name);
#define HEDDLE_LOOP_RED_JOIN(type, name, op) into->name = (__typeof__(type))HEDDLE_JOIN_##op(into->name, from->name);

#if HEDDLE_ON_GPU
#define HEDDLE_LOOP_ELSEWHERE 0
#else
/* A kernel's host version: the device did not take the launch. */
#define HEDDLE_LOOP_ELSEWHERE (omp_is_initial_device() && (heddle_note_fallback(), 1))
#endif

/* Reductions and the probe of a loop's image, from the list P_RED. */
#define HEDDLE_LOOP_TYPES(P)                                                                                           \
    struct P##_red {                                                                                                   \
        P##_RED(HEDDLE_LOOP_RED_FIELD)                                                                                 \
    };                                                                                                                 \
    static HEDDLE_UNUSED void P##_red_start(void *value) {                                                             \
        struct P##_red *red = value;                                                                                   \
        (void)red;                                                                                                     \
        P##_RED(HEDDLE_LOOP_RED_START)                                                                                 \
    }                                                                                                                  \
    static HEDDLE_UNUSED void P##_red_join(void *to, const void *other) {                                              \
        struct P##_red *into = to;                                                                                     \
        const struct P##_red *from = other;                                                                            \
        (void)into, (void)from;                                                                                        \
        P##_RED(HEDDLE_LOOP_RED_JOIN)                                                                                  \
    }                                                                                                                  \
    HEDDLE_PROBE(P##_probe, )
#endif
