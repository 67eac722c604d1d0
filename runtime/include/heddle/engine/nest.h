/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What translated code knows about a loop nest: types made from its X-macro lists, the description handed
 * to the runtime, and the call record filled in where the pragma stood.
 *
 * `heddle-translate` writes, for each `#pragma heddle wavefront`, lists of the carried arrays, of the data
 * hoisted per row and per column and of the reductions, plus small functions that load and store them. This
 * header turns the lists into structures; heddle/engine/wavefront/wavefront.h instantiates the engines over them.
 * Nobody includes either by hand.
 */
#ifndef HEDDLE_NEST_H
#define HEDDLE_NEST_H

#include <stddef.h>
#include <stdint.h>
#include <heddle.h>
#include <heddle/engine/language.h>
#include <heddle/engine/site.h>

#define HEDDLE_INLINE inline __attribute__((__always_inline__, __unused__))

/* Around emitted text and the engines: what a compiler has to say of the user's statements it says where they stand as
   written, and the rest is not the user's. Tests compile the engines (tests/runtime) and emitted text (tests/pragmas)
   with warnings. */
#define HEDDLE_QUIET _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Weverything\"")
#define HEDDLE_LOUD _Pragma("clang diagnostic pop")

/* CUDA's library in clang takes the approximate square root of floats, and nvcc the exact one, as every host does. The
   library's function is not linked where there is one. */
#if defined(__NVPTX__) && !defined(__FAST_MATH__)
#pragma omp begin declare target
HEDDLE_C __attribute__((weak, always_inline)) float __nv_sqrtf(float x) {
    float root;
    __asm__("sqrt.rn.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
}
#pragma omp end declare target
#endif

/* heddle_w1_compute from HEDDLE_NEST = heddle_w1 */
#define HEDDLE_PASTE_(a, b) a##_##b
#define HEDDLE_PASTE(a, b) HEDDLE_PASTE_(a, b)
#define HEDDLE_N(name) HEDDLE_PASTE(HEDDLE_NEST, name)

#define HEDDLE_FIELD(type, name) __typeof__(type) name;
/* Data hoisted out of the loops has the type that C's promotions give it in any expression: narrow integers would
   otherwise be widened in every cell. */
#define HEDDLE_PROMOTED(type)                                                                                          \
    __typeof__(_Generic(*(__typeof__(type) *)0,                                                                        \
                   HEDDLE_BOOL: 0,                                                                                     \
                   char: 0,                                                                                            \
                   signed char: 0,                                                                                     \
                   unsigned char: 0,                                                                                   \
                   short: 0,                                                                                           \
                   unsigned short: 0,                                                                                  \
                   default: *(__typeof__(type) *)0))
#define HEDDLE_HOISTED(type, name) HEDDLE_PROMOTED(type) name;
#define HEDDLE_RED_FIELD(type, name, op) __typeof__(type) name;

/* What a CPU's lanes are counted by: a power of two, so that vectors of all fields are whole, and 32 at most, so that
   there is a lane for the largest structure. */
#define HEDDLE_LANE_BYTES(size)                                                                                        \
    ((size) <= 1 ? 1 : (size) <= 2 ? 2 : (size) <= 4 ? 4 : (size) <= 8 ? 8 : (size) <= 16 ? 16 : 32)

#define HEDDLE_EARLY_FIELD(type, name, stream, di, dj) __typeof__(type) name;

#define HEDDLE_NEST_TYPE(N, name, LIST, member)                                                                        \
    struct N##_##name {                                                                                                \
        N##_##LIST(member)                                                                                             \
    };
#define HEDDLE_NEST_TYPES(N)                                                                                           \
    HEDDLE_NEST_TYPE(N, cell, CELL, HEDDLE_FIELD)                                                                      \
    HEDDLE_NEST_TYPE(N, edge, EDGE, HEDDLE_FIELD)                                                                      \
    HEDDLE_NEST_TYPE(N, row, ROW, HEDDLE_HOISTED)                                                                      \
    HEDDLE_NEST_TYPE(N, col, COL, HEDDLE_HOISTED)                                                                      \
    HEDDLE_NEST_TYPE(N, early, EARLY, HEDDLE_EARLY_FIELD)                                                              \
    HEDDLE_NEST_TYPE(N, far, FAR, HEDDLE_FIELD)                                                                        \
    HEDDLE_NEST_TYPE(N, red, RED, HEDDLE_RED_FIELD)

/* How a mapped array takes part; the kinds are OpenMP's. HEDDLE_MAP_W marks arrays that the nest writes. */
enum { HEDDLE_MAP_ALLOC = 0, HEDDLE_MAP_TO = 1, HEDDLE_MAP_FROM = 2, HEDDLE_MAP_TOFROM = 3, HEDDLE_MAP_W = 16 };

/* One array section that a nest uses on the device. */
struct heddle_map {
    const char *name; /* as the user wrote it, for messages */
    size_t slot;      /* offset of the pointer inside the environment */
    int kind;         /* HEDDLE_MAP_* */
    void *base;       /* the array's first element */
    ptrdiff_t first;  /* byte offset of the section */
    size_t bytes;     /* length of the section */
    ptrdiff_t slope;  /* bytes by which all references move from one row of the nest to the next; < 0: not known */
    long reach;       /* rows above and below its own part that a part of the nest's rows may read besides */
    ptrdiff_t row;    /* HEDDLE_MAP_W: byte offset of the nest's first cell, whose row is contiguous; < 0: not known */
    size_t size;      /* of an element */
};

#define HEDDLE_MAP_SECTION(N, field, mapkind, pointer, lo, count)                                                      \
    .name = #field, .slot = offsetof(struct N##_env, field), .kind = (mapkind), .base = (void *)(uintptr_t)(pointer),  \
    .first = (ptrdiff_t)(lo) * (ptrdiff_t)sizeof *(pointer), .bytes = (size_t)(count) * sizeof *(pointer)
#define HEDDLE_MAP(...) {HEDDLE_MAP_SECTION(__VA_ARGS__), .slope = -1, .row = -1}
#define HEDDLE_MAP_ROWS(N, field, mapkind, pointer, lo, count, step, rows, start)                                      \
    {HEDDLE_MAP_SECTION(N, field, mapkind, pointer, lo, count),                                                        \
     .slope = (ptrdiff_t)(step) * (ptrdiff_t)sizeof *(pointer), .reach = (rows),                                       \
     .row = (ptrdiff_t)(start) * (ptrdiff_t)sizeof *(pointer), .size = sizeof *(pointer)}

/* What a reference to rows behind pointers, table[i][j], reaches in the whole loop. */
enum { HEDDLE_ROWS_DEPTH = 3 };
struct heddle_rows {
    const char *name;
    const void *table;
    int variable;       /* its number: rows of others are never the same */
    int depth, written; /* depth: subscripts, of which the last one counts elements */
    size_t bytes;       /* of an element */
    long lo[HEDDLE_ROWS_DEPTH], hi[HEDDLE_ROWS_DEPTH], pace[HEDDLE_ROWS_DEPTH];
};

/* Prefix sums: S(i, j) = term + S(i, j - 1), along the rows, or term + S(i - 1, j), down the columns, or both and less
   S(i - 1, j - 1). GUARD: column (row) 0, if it is the first one, has nothing left of it (above it). */
enum {
    HEDDLE_PREFIX_ROW = 1,
    HEDDLE_PREFIX_COLUMN = 2,
    HEDDLE_PREFIX_GUARD_I = 4,
    HEDDLE_PREFIX_GUARD_J = 8,
    HEDDLE_PREFIX_INT = 16 /* both loops count in int */,
    HEDDLE_PREFIX_UNIT = 32 /* cells of a row follow each other in memory */,
    HEDDLE_PREFIX_ANY_ORDER = 64 /* the order of the additions does not matter: integers, or -ffast-math */
};

/* Instruction sets that a nest's CPU engine is compiled for; the runtime picks by the processor. The last one is
   no instruction set but the form without SIMD lanes (runtime/include/heddle/engine/wavefront/cpu_rows.h). */
enum { HEDDLE_ISA_BASE, HEDDLE_ISA_AVX2, HEDDLE_ISA_AVX512, HEDDLE_ISA_INTERLEAVED };

/* What nest->top_halo gives: the row above the nest; left of it, the column next to the nest and the one before; on its
   right. The last two also beside other rows. */
enum { HEDDLE_HALO_TOP, HEDDLE_HALO_CORNER, HEDDLE_HALO_BEHIND, HEDDLE_HALO_RIGHT };

/* One row block on the CPU. The edge buffers hold a row of edge cells. */
struct heddle_cpu_block {
    const void *env;
    long i0, i1, j0, j1; /* the whole nest, inclusive */
    long row;            /* the block's first row */
    long chunk;          /* columns, of prefix sums rows, between two looks at the neighbours; 0: the engine's own */
    int isa;             /* HEDDLE_ISA_* */
    int stream;          /* the nest's results are larger than the caches: they may go past them */
    /* Prefix sums: a stripe of columns, whose first is j0 or a multiple of HEDDLE_SCAN_UNIT after it, `rows` rows from
       `row` on. The edge buffers hold a sum for each row, wait() and publish() count rows. */
    long column, columns, rows;
    const void *edge_in;   /* bottom row of the block above, or the top halo: from `before` columns before j0 on */
    void *edge_out;        /* NULL: nobody reads it */
    void *red;             /* this thread's reduction: joined into */
    const void *red_start; /* what a lane starts from */
    /* Waits until the row above has done its first `columns` columns; nonzero: give up. NULL: all there. `ready`: so
       many are known to be. */
    int (*wait)(struct heddle_cpu_block *block, long columns);
    long ready;
    void (*publish)(struct heddle_cpu_block *block, long columns);
    void *runtime; /* the runtime's own */
};

/* Where the steps from s0 on, which need as many columns of the row above, end: at s1, or sooner, whole `unit`s of
   steps later, with what is there: a block close behind another one does not wait for more. 0: give up. */
static HEDDLE_INLINE long heddle_follow(struct heddle_cpu_block *b, long s0, long s1, long columns, long unit) {
    const long need = s1 < columns ? s1 : columns, some = s0 + unit < need ? s0 + unit : need;
    if (!b->wait || b->ready >= need)
        return s1;
    if (b->wait(b, some))
        return 0;
    return b->ready >= need ? s1 : s0 + (b->ready - s0) / unit * unit;
}

/* HEDDLE_SWEEP_ROWS rows of a group of sweeps on the CPU, all columns: heddle/engine/wavefront/cpu_sweeps.h */
enum { HEDDLE_SWEEP_ROWS = 4 };
struct heddle_cpu_pass {
    const void *env;
    long i0, i1, j0, j1; /* the whole nest, inclusive */
    long t0;             /* first sweep of the group */
    int sweeps;          /* how many it has, at most a vector's lanes */
    int isa;             /* HEDDLE_ISA_* */
    long row;            /* the first sweep's first row; each further sweep is one row behind */
    void *carry;         /* vectors of cells, one for each column, three more and the lanes: of the rows above */
    void *red;           /* this thread's reduction: joined into */
    const void *red_start;
    /* Waits until all that the first `steps` steps read is there, and says that they are done. NULL: it is */
    void (*wait)(struct heddle_cpu_pass *pass, long steps);
    void (*publish)(struct heddle_cpu_pass *pass, long steps);
    void *runtime; /* the runtime's own */
};

struct heddle_gpu_call;

/* Facts and entry points of one nest; static const in the translated file. */
struct heddle_nest {
    struct heddle_site site;
    unsigned flags;         /* HEDDLE_NEST_* */
    int skew, ahead, depth; /* memory form: columns a row is behind the one above, columns it looks
                               ahead there, rows it looks up */
    int before, after; /* register form: columns of the row above that a row wants besides its own, left and right */
    int last_rows, last_col; /* rows and columns given back at the end */
    int prefix;              /* HEDDLE_PREFIX_*; 0: not a prefix sum */
    size_t sum_bytes;        /* of a value on its way between tiles */
    size_t env_bytes, edge_bytes, cell_bytes, far_bytes, red_bytes;
    int cpu_chain; /* lanes: the rows of a lane work on the same column */
    int (*cpu_rows)(int isa);
    int (*cpu_block)(struct heddle_cpu_block *block);
    int (*cpu_scan)(struct heddle_cpu_block *block); /* a stripe of columns */
    void (*cpu_tile)(const void *env, const struct heddle_cpu_block *block, long r0, long r1, long s0, long s1,
                     long skew);
    int (*gpu)(const struct heddle_gpu_call *call);
    void (*red_start)(void *red); /* in: the user's values, out: what a worker starts from */
    void (*red_join)(void *into, const void *from);
    void (*top_halo)(const void *env, long i, long j, int which, void *edge); /* HEDDLE_HALO_* */
    void (*left_halo)(const void *env, long i, long j, void *cell);
    void (*put_last_row)(const void *env, long i, long j, long rows_left, const void *cell);
    void (*put_last_col)(const void *env, long i, long j, const void *cell);
    int in_place;                             /* the engines for several sweeps at once are there */
    void (*set_sweep)(void *env, long t);     /* NULL: no loop over sweeps */
    int (*cpu_lanes)(int isa, size_t *carry); /* these two: in-place stencils only. carry: bytes for each step */
    void (*cpu_sweeps)(struct heddle_cpu_pass *pass);
};
/* Prefix sums on a CPU: columns of a stripe at most, columns done at a time, and what both are multiples of. */
enum { HEDDLE_SCAN_STRIPE = 4096, HEDDLE_SCAN_CHUNK = 64, HEDDLE_SCAN_UNIT = 64 };
enum {
    HEDDLE_NEST_REGISTERS = 1,
    HEDDLE_NEST_MEMORY = 2,
    HEDDLE_NEST_HOST_BORDER = 4,
    HEDDLE_NEST_STORE = 8,
    HEDDLE_NEST_PURE = 16 /* nothing is loaded per cell */,
    HEDDLE_NEST_SPLIT = 32 /* all that a row hands on is in memory at the end */,
    HEDDLE_NEST_BATCH = 64 /* sweeps are independent of each other */,
    HEDDLE_NEST_EXTENDED =
        128 /* a row reads further along the one above: registers, no lanes on CPUs, no hybrid layout */
};

#pragma GCC visibility push(default)
/* For kernels' host versions: the launch was not taken by the device. */
HEDDLE_C void heddle_note_fallback(void);
#pragma GCC visibility pop

/* One execution of a wavefront nest. Filled in by translated code, changed by nobody else. */
struct heddle_wavefront {
    const struct heddle_nest *nest;
    void *env, *red;
    struct heddle_map *maps;
    int nmaps,
        nkept; /* nkept: of arrays behind them in `maps` that stay on the host, and must share no memory with others */
    long i0, i1, j0, j1;    /* inclusive */
    long t0, t1;            /* sweeps, inclusive; both 0 without a loop over sweeps */
    int schedule;           /* HEDDLE_SCHEDULE_* */
    long tile_h, tile_w;    /* 0: chosen by the runtime */
    int layout;             /* HEDDLE_LAYOUT_* */
    int device;             /* HEDDLE_DEVICE_AUTO, HEDDLE_DEVICE_HOST or a device number */
    int trial;              /* the runtime's own: compute, give nothing back (hybrid layout) */
    const void *device_env; /* the runtime's own: the environment with arrays that are on the device already; or NULL */
    /* Tiles of time steps: loops of all steps together, and rows of each; row -1 - k of the nest is loop k, its columns
       are the loop's rows, which are independent. 0: there are no such rows. And tiles that can run at once. */
    long loops, loop_rows, at_once;
    const struct heddle_rows *rows; /* that have to be apart, or it runs serially */
    int nrows;
    int *said; /* that it does */
};

/* 0: done, results are in place. Nonzero: nothing was changed, run the loop serially. */
#pragma GCC visibility push(default)
HEDDLE_C int heddle_wavefront_run(struct heddle_wavefront *call);
#pragma GCC visibility pop

#endif
