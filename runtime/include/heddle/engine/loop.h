/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What translated code tells the runtime of a `#pragma heddle for` loop: functions that run a chunk of it in each of
 * its forms, and the call record filled in where the pragma stood. Nobody includes this by hand.
 *
 * A chunk is `count` iterations, the first with loop variable `lo`, each further one `step` later.
 */
#ifndef HEDDLE_LOOP_CALL_H
#define HEDDLE_LOOP_CALL_H

#include <heddle/engine/bounds.h>
#include <heddle/engine/nest.h>
#include <heddle/engine/reduction.h>
#include <heddle/engine/wavefront/call.h>
#include <heddle/engine/device/launch.h>

enum {                           /* beside HEDDLE_MAP_* */
       HEDDLE_MAP_CHUNK = 32,    /* the section moves with the chunk */
       HEDDLE_MAP_RECTS = 64,    /* ... and of it what the loop's rectangles hold goes in and out */
       HEDDLE_MAP_REDUCED = 128, /* an array that is reduced: the host's alone, since devices have copies */
       HEDDLE_MAP_REACHED = 256  /* the section is looked up (heddle_loop_type.reach) */
};

/* Bytes of a section of `count` elements; a count below 0 is an empty section. */
#define HEDDLE_SECTION_BYTES(count, size) ((long)(count) > 0 ? (size_t)(count) * (size) : 0)

/* A part of an array of up to three dimensions, in bytes from its base. `run` 0: empty. */
struct heddle_rect {
    int map, kind; /* HEDDLE_MAP_TO, HEDDLE_MAP_FROM or both */
    ptrdiff_t first, pitch, plane;
    size_t run;
    long rows, planes;
};

/* Elements lo … hi of each dimension; extent: of all but the first one. What is outside of a row is not there. */
static HEDDLE_UNUSED void heddle_rect_set(struct heddle_rect *r, size_t element, int dims, const long *extent,
                                          const long *lo, const long *hi) {
    ptrdiff_t size = (ptrdiff_t)element;
    ptrdiff_t *const pitch[] = {&r->pitch, &r->plane};
    long *const rows[] = {&r->rows, &r->planes};
    int levels = 0, open = 1; /* all dimensions so far are whole: one run */
    r->first = r->pitch = r->plane = 0;
    r->rows = r->planes = 1;
    r->run = element;
    for (int d = dims - 1; d >= 0; d--) {
        const long from = d && lo[d] < 0 ? 0 : lo[d], to = d && hi[d] >= extent[d] ? extent[d] - 1 : hi[d];
        if (to < from) {
            r->run = 0;
            return;
        }
        r->first += from * size;
        if (open) {
            r->run = (size_t)(to - from + 1) * (size_t)size;
        } else if (to > from) {
            *pitch[levels] = size;
            *rows[levels++] = to - from + 1;
        }
        open = open && d && from == 0 && to == extent[d] - 1;
        size *= d ? extent[d] : 1;
    }
}

/* The sections around them. */
static HEDDLE_UNUSED void heddle_rect_spans(const struct heddle_rect *r, int n, struct heddle_map *maps) {
    for (int k = 0; k < n; k++)
        maps[r[k].map].bytes = 0;
    for (int k = 0; k < n; k++) {
        struct heddle_map *m = &maps[r[k].map];
        const ptrdiff_t end =
            r[k].first + (r[k].rows - 1) * r[k].pitch + (r[k].planes - 1) * r[k].plane + (ptrdiff_t)r[k].run;
        const ptrdiff_t before = m->first + (ptrdiff_t)m->bytes;
        if (!r[k].run)
            continue;
        const ptrdiff_t first = m->bytes && m->first < r[k].first ? m->first : r[k].first;
        m->bytes = (size_t)((m->bytes && before > end ? before : end) - first);
        m->first = first;
    }
}

/* A chunk with reductions of arrays on a device (loop_reduce.h), in its memory. */
struct heddle_reduce_control {
    const void *env;
    long lo, step;
    long items;       /* iterations, of both loops */
    void *result;     /* the structure, started, and the copies of arrays behind it: joined into */
    void *values;     /* a structure for each thread */
    uint64_t arrived; /* blocks that are done */
    long shared;      /* nonzero: each block has copies in its own memory */
    long spread;      /* every (1 << spread)th thread gets iterations */
    long last;        /* the block that came last */
};

/* One launch of the loop's kernel. */
struct heddle_loop_launch {
    int device;
    const void *env; /* in device memory, with device pointers */
    const void *host_env;
    long lo, step, count;
    int spread;    /* every (1 << spread)th thread gets an iteration; spread.c of the runtime says why */
    void *red;     /* the host's: what an iteration starts from; without partials joined into */
    void *partial; /* in device memory, HEDDLE_LOOP_PARTIALS of them, started; NULL: type->partials is 0 */
    struct heddle_reduce_control *control; /* type->reduces: of what is above only the device counts */
    int teams, threads;
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
    /* Of operators that the user declared, around a piece of a thread's iterations: its values start anew, from the
       user's; then they are joined into what the thread had. So each copy sees its iterations in the loop's order.
       NULL: there are none. */
    void (*red_fresh)(void *red, const void *users);
    void (*red_again)(void *red, void *had);
    size_t (*red_more)(const void *red); /* bytes behind it for copies of arrays, zeroed; NULL: none, or no kernel */
    /* Sets first and bytes of the maps marked HEDDLE_MAP_CHUNK; NULL: there are none. env: the host's. */
    void (*sections)(const void *env, long lo, long count, struct heddle_map *maps);
    /* Sets first and bytes of the maps marked HEDDLE_MAP_REACHED; NULL: there are none. It reads what the iterations
       read of the arrays that lead there. In stages, 1 ... reach_stages, each for some of the references: what a stage
       reads is known not to be written when sections of the stages before it overlap nothing that is. */
    void (*reach)(const void *env, long lo, long step, long count, int stage, struct heddle_map *maps);
    int reach_stages;
    int nrects; /* of all maps marked HEDDLE_MAP_RECTS */
    void (*rects)(const void *env, long lo, long count, struct heddle_rect *rects);
    heddle_loop_form *host;             /* assumes that what it writes overlaps nothing else ... */
    heddle_loop_form *host_overlapping; /* ... where there is this one, which does not; NULL: host does not either */
    void (*kernel)(const struct heddle_loop_launch *launch); /* NULL: the body has variants */
    int host_only;                                           /* no kernel, which the compiler said */
    int partials;                                            /* the kernel's reductions go to launch->partial */
    int reduces;                                             /* ... or to launch->control->result */
    heddle_loop_form *host_driven_cuda,
        *host_driven_other; /* variants, run by the host thread of a device with device pointers; NULL: none */
    const char *order;      /* of loops that the host's form has exchanged, for people; NULL: all are as written */
};

/* One execution. Filled in by translated code, changed by nobody else. */
struct heddle_loop {
    const struct heddle_loop_type *type;
    void *env, *red;
    struct heddle_map *maps;
    int nmaps, nkept;               /* nkept: of scalars behind them that must not be what the loop writes */
    long lo, hi, step;              /* for (i = lo; i < hi; i += step); a negative step: i > hi */
    int closed;                     /* <= or >= */
    long inner;                     /* collapse(2): iterations of the inner loop; 0: there is none */
    const char *schedule;           /* NULL: auto */
    long chunk;                     /* 0: the schedule's own */
    int device;                     /* HEDDLE_DEVICE_AUTO, _ALL, _HOST or a device number */
    const struct heddle_rows *rows; /* that have to be apart */
    int nrows;
    const char *unproven; /* why the iterations may not be independent, where their condition does not hold */
    int *said;            /* that the loop runs serially for such a reason; NULL: it never does */
};

#pragma GCC visibility push(default)
/* 0: done, results are in place. Nonzero: nothing was changed, run the loop serially. */
HEDDLE_C int heddle_loop_run(struct heddle_loop *loop);
/* Iterations of a loop; -1: more than half of what a long holds, or a step of 0. */
HEDDLE_C long heddle_loop_trips(long lo, long hi, long step, int closed);
/* low … high are widened to hold all of so many numbers. */
HEDDLE_C void heddle_reach_ints(const int *first, long count, int *low, int *high);
#pragma GCC visibility pop

/* Its code may be there twice, and the processor decides. Sanitizers are not there yet when that is done. */
#define HEDDLE_REACH_FUNCTION static
#if defined __clang__ && defined __x86_64__ && defined __linux__ && defined __GLIBC__ && !defined __AVX2__ &&          \
    !defined __NVPTX__ && !defined __AMDGCN__ /* which see the host's macros */
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)
#undef HEDDLE_REACH_FUNCTION
#define HEDDLE_REACH_FUNCTION static __attribute__((__target_clones__("avx2", "default")))
#endif
#endif

/* ---- looking up what a loop reads through an index: the least and the greatest place of it ---- */
#define HEDDLE_REACH_JOIN(least, most, low, high)                                                                      \
    low = (least) < low ? (__typeof__(low))(least) : low;                                                              \
    high = (most) > high ? (__typeof__(high))(most) : high;
#define HEDDLE_REACH(place, low, high)                                                                                 \
    {                                                                                                                  \
        const __typeof__(low) heddle_place = (__typeof__(low))(place);                                                 \
        HEDDLE_REACH_JOIN(heddle_place, heddle_place, low, high)                                                       \
    }
/* Without a branch around the comparisons, several of which are one instruction then. */
#define HEDDLE_REACH_IF(condition, place, low, high)                                                                   \
    {                                                                                                                  \
        const int heddle_is = (condition) != 0;                                                                        \
        const __typeof__(low) heddle_place = heddle_is ? (__typeof__(low))(place) : 0;                                 \
        const __typeof__(low) heddle_none =                                                                            \
            sizeof(low) == sizeof(int) ? (__typeof__(low))__INT_MAX__ : (__typeof__(low))__LONG_MAX__;                 \
        HEDDLE_REACH_JOIN(heddle_is ? heddle_place : heddle_none, heddle_is ? heddle_place : -heddle_none, low, high)  \
    }
/* Of `count` elements side by side. */
#define HEDDLE_REACH_ROW(first, count, low, high)                                                                      \
    for (long heddle_q = 0, heddle_n = (long)(count); heddle_q < heddle_n; heddle_q++)                                 \
    HEDDLE_REACH((first)[heddle_q], low, high)
#define HEDDLE_REACH_INTS(first, count, low, high) heddle_reach_ints(first, (long)(count), &low, &high);
/* Each of `count` rows begins where the one before it ends, so all of them are one piece. */
#define HEDDLE_ROWS_FOLLOW(begin, count)                                                                               \
    ({                                                                                                                 \
        int heddle_back = 0;                                                                                           \
        for (long heddle_q = 0; heddle_q < (count); heddle_q++)                                                        \
            heddle_back |= (begin)[heddle_q] > (begin)[heddle_q + 1];                                                  \
        !heddle_back;                                                                                                  \
    })
static inline HEDDLE_UNUSED void heddle_reached(struct heddle_map *m, long low, long high, long bytes) {
    m->first = low <= high ? (ptrdiff_t)((size_t)low * (size_t)bytes) : 0;
    m->bytes = low <= high ? (size_t)(high - low + 1) * (size_t)bytes : 0;
}

#define HEDDLE_LOOP_RED_FIELD(type, name, op) __typeof__(type) name;
#define HEDDLE_LOOP_RED_START(type, name, op) red->name = (__typeof__(type))HEDDLE_START_##op(red->name);
#define HEDDLE_LOOP_RED_JOIN(type, name, op) into->name = (__typeof__(type))HEDDLE_JOIN_##op(into->name, from->name);

#if HEDDLE_ON_GPU
#define HEDDLE_LOOP_ELSEWHERE 0
#else
/* A kernel's host version: the device did not take the launch. */
#define HEDDLE_LOOP_ELSEWHERE (heddle_is_host() && (heddle_note_fallback(), 1))
#endif

/* Copies of arrays lie behind the structure, one after the other, each on lines of its own; the pointer is to where
   element 0 would be. They start from the neutral element where that is 0, else from the user's values. */
enum { HEDDLE_LOOP_RED_LINE = 64 };
#define HEDDLE_LOOP_RED_BYTES(red, name, count)                                                                        \
    ((HEDDLE_SECTION_BYTES((red)->count, sizeof *(red)->name) + HEDDLE_LOOP_RED_LINE - 1) / HEDDLE_LOOP_RED_LINE *     \
     HEDDLE_LOOP_RED_LINE)
#define HEDDLE_ZERO_ADD 1
#define HEDDLE_ZERO_XOR 1
#define HEDDLE_ZERO_MUL 0
#define HEDDLE_ZERO_MAX 0
#define HEDDLE_ZERO_MIN 0
#define HEDDLE_ZERO_AND 0
#define HEDDLE_ZERO_OR 0
#define HEDDLE_ZERO_LAND 0
#define HEDDLE_ZERO_LOR 0
#define HEDDLE_LOOP_RED_ARRAY_FIELD(type, name, first, count, op)                                                      \
    __typeof__(type) *name;                                                                                            \
    long first, count;
#define HEDDLE_LOOP_RED_ARRAY_MORE(type, name, first, count, op)                                                       \
    heddle_bytes += HEDDLE_LOOP_RED_BYTES(red, name, count);
#define HEDDLE_LOOP_RED_ARRAY_START(type, name, first, count, op)                                                      \
    {                                                                                                                  \
        const __typeof__(type) *heddle_users = red->name + red->first;                                                 \
        __typeof__(type) *heddle_mine = (__typeof__(type) *)heddle_more;                                               \
        heddle_more += HEDDLE_LOOP_RED_BYTES(red, name, count);                                                        \
        for (long heddle_k = 0; !HEDDLE_ZERO_##op && heddle_k < red->count; heddle_k++)                                \
            heddle_mine[heddle_k] = (__typeof__(type))HEDDLE_START_##op(heddle_users[heddle_k]);                       \
        (void)heddle_users;                                                                                            \
        red->name = heddle_mine - red->first;                                                                          \
    }
#define HEDDLE_LOOP_RED_ARRAY_JOIN(type, name, first, count, op)                                                       \
    {                                                                                                                  \
        const __typeof__(type) *__restrict heddle_from = from->name + from->first;                                     \
        __typeof__(type) *__restrict heddle_into = into->name + into->first;                                           \
        for (long heddle_k = 0; heddle_k < from->count; heddle_k++)                                                    \
            heddle_into[heddle_k] = (__typeof__(type))HEDDLE_JOIN_##op(heddle_into[heddle_k], heddle_from[heddle_k]);  \
    }
/* The pointers to copies that begin at `more`. */
#define HEDDLE_LOOP_RED_ARRAY_PLACE(type, name, first, count, op)                                                      \
    red->name = (__typeof__(type) *)heddle_more - red->first;                                                          \
    heddle_more += HEDDLE_LOOP_RED_BYTES(red, name, count);
#define HEDDLE_LOOP_RED_BEHIND(red)                                                                                    \
    ((char *)(red) + (sizeof *(red) + HEDDLE_LOOP_RED_LINE - 1) / HEDDLE_LOOP_RED_LINE * HEDDLE_LOOP_RED_LINE)
#define HEDDLE_LOOP_NONE(X)
#define HEDDLE_LOOP_TYPES(P) HEDDLE_LOOP_TYPES_OF(P, HEDDLE_LOOP_NONE, HEDDLE_LOOP_NONE)
#define HEDDLE_LOOP_TYPES_USERS(P) HEDDLE_LOOP_TYPES_OF(P, HEDDLE_LOOP_NONE, P##_RED_USERS)
#define HEDDLE_LOOP_RED_USER_FRESH(type, name, start, join) start(&red->name, &from->name);
#define HEDDLE_LOOP_RED_USER_AGAIN(type, name, start, join)                                                            \
    join(&saved->name, &red->name);                                                                                    \
    red->name = saved->name;
#define HEDDLE_LOOP_FRESH(P)                                                                                           \
    static void P##_red_fresh(void *value, const void *users) {                                                        \
        struct P##_red *red = HEDDLE_PTR(value);                                                                       \
        const struct P##_red *from = HEDDLE_PTR(users);                                                                \
        P##_RED_USERS(HEDDLE_LOOP_RED_USER_FRESH)                                                                      \
    }                                                                                                                  \
    static void P##_red_again(void *value, void *had) {                                                                \
        struct P##_red *red = HEDDLE_PTR(value), *saved = HEDDLE_PTR(had);                                             \
        P##_RED_USERS(HEDDLE_LOOP_RED_USER_AGAIN)                                                                      \
    }
#define HEDDLE_LOOP_TYPES_ARRAYS(P)                                                                                    \
    HEDDLE_LOOP_TYPES_OF(P, P##_RED_ARRAYS, P##_RED_USERS)                                                             \
    static size_t P##_red_more(const void *value) {                                                                    \
        const struct P##_red *red = HEDDLE_PTR(value);                                                                 \
        size_t heddle_bytes = HEDDLE_LOOP_RED_LINE;                                                                    \
        P##_RED_ARRAYS(HEDDLE_LOOP_RED_ARRAY_MORE) return heddle_bytes;                                                \
    }

/* By an operator that the user declared: start(to, the user's value) and join(into, from). */
#define HEDDLE_LOOP_RED_USER_FIELD(type, name, start, join) __typeof__(type) name;
#define HEDDLE_LOOP_RED_USER_START(type, name, start, join)                                                            \
    {                                                                                                                  \
        const __typeof__(type) heddle_was = red->name;                                                                 \
        start(&red->name, &heddle_was);                                                                                \
    }
#define HEDDLE_LOOP_RED_USER_JOIN(type, name, start, join) join(&into->name, &from->name);

/* Reductions and the probe of a loop's image, from the list P_RED. */
#define HEDDLE_LOOP_TYPES_OF(P, ARRAYS, USERS)                                                                         \
    struct P##_red {                                                                                                   \
        P##_RED(HEDDLE_LOOP_RED_FIELD) USERS(HEDDLE_LOOP_RED_USER_FIELD) ARRAYS(HEDDLE_LOOP_RED_ARRAY_FIELD)           \
    };                                                                                                                 \
    static HEDDLE_UNUSED void P##_red_start(void *value) {                                                             \
        struct P##_red *red = HEDDLE_PTR(value);                                                                       \
        char *heddle_more = HEDDLE_LOOP_RED_BEHIND(red);                                                               \
        (void)red, (void)heddle_more;                                                                                  \
        P##_RED(HEDDLE_LOOP_RED_START) USERS(HEDDLE_LOOP_RED_USER_START) ARRAYS(HEDDLE_LOOP_RED_ARRAY_START)           \
    }                                                                                                                  \
    static HEDDLE_UNUSED void P##_red_place(struct P##_red *red, char *heddle_more) {                                  \
        (void)red, (void)heddle_more;                                                                                  \
        ARRAYS(HEDDLE_LOOP_RED_ARRAY_PLACE)                                                                            \
    }                                                                                                                  \
    static HEDDLE_UNUSED void P##_red_join_values(struct P##_red *into, const struct P##_red *from) {                  \
        (void)into, (void)from;                                                                                        \
        P##_RED(HEDDLE_LOOP_RED_JOIN) USERS(HEDDLE_LOOP_RED_USER_JOIN)                                                 \
    }                                                                                                                  \
    static HEDDLE_UNUSED void P##_red_join(void *to, const void *other) {                                              \
        struct P##_red *into = HEDDLE_PTR(to);                                                                         \
        const struct P##_red *from = HEDDLE_PTR(other);                                                                \
        P##_red_join_values(into, from);                                                                               \
        ARRAYS(HEDDLE_LOOP_RED_ARRAY_JOIN)                                                                             \
    }                                                                                                                  \
    HEDDLE_PROBE(P##_probe, )
#endif
