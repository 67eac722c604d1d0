/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heddle: plain C loops on every core and GPU of the machine
 * ===========================================================
 *
 * You write a serial C program and put one line before the loop that takes the time:
 *
 *     #pragma heddle wavefront map(to: a[0:n], b[0:m]) reduction(max: best)
 *     for (int i = 1; i <= n; i++)
 *         for (int j = 1; j <= m; j++) {
 *             int s = a[i - 1] == b[j - 1] ? 2 : -1;
 *             H[i & 1][j] = max3(0, H[(i - 1) & 1][j - 1] + s, max2(H[(i - 1) & 1][j], H[i & 1][j - 1]) - 1);
 *             if (H[i & 1][j] > best) best = H[i & 1][j];
 *         }
 *
 * and compile with `heddle cc -O3 -c align.c` instead of `clang -O3 -c align.c`. Each cell of this loop needs
 * its left, upper and upper left neighbour, so no iteration is independent of all others: OpenMP's `target`
 * cannot take it. heddle finds the dependences from the subscripts, keeps the cells in registers, and runs
 * blocks of rows on SIMD lanes and threads, or on the warps of a GPU, each block a little behind the one
 * above it; neighbours tell each other how far they are by counters in memory, never by a barrier.
 *
 * Delete the pragma and the program is still correct: it is the serial form, which every heddle test compares
 * with. A loop runs in another order only where its subscripts prove that it may, or where a word of the user's
 * asserts it: `independent` on `for` and `taskloop` (there: beyond its sinks), `task`, `depend`, `lanes`, `atomic`.
 * Otherwise the translator stops with an error that names the two accesses; it never guesses. A `sink` of a nest
 * asserts nothing: it has to name what the subscripts show. Sections of `map` clauses are no proof of what is written.
 *
 * What happens at the pragma at run time: arrays are mapped as OpenMP's `map` clauses would (data already
 * present on the device, for instance by an enclosing `target data`, is used there); a device is chosen
 * (clause `device`, HEDDLE_DEVICE, or by itself); the nest runs; results are back when the statement ends.
 * If anything stands in the way (no device, not enough memory, arrays that overlap) one line on stderr says
 * what, and the loop still computes the right result: on the host, in the worst case serially.
 *
 * Work that is not a loop nest becomes tasks:
 *
 *     static void place(struct board b, long *solutions)
 *     {
 *         if (b.row == depth) {
 *             long n = count_below(b);
 *             #pragma omp atomic
 *             *solutions += n;
 *             return;
 *         }
 *         for (unsigned free = candidates(b); free; free &= free - 1)
 *             #pragma heddle task
 *             place(child(b, free & -free), solutions);
 *     }
 *     ...
 *     #pragma heddle pool map(tofrom: solutions)
 *     {
 *         #pragma heddle task
 *         place(start, &solutions);
 *     }
 *
 * A task holds copies of the variables that its statement uses; what it computes comes back through the mapped
 * data of the pool. It runs on a worker, a warp of a GPU or a thread, at some time before the pool (or a
 * `taskwait`) ends, in any order with other tasks unless `depend` clauses or the sinks of a `taskloop` say
 * otherwise. The lanes of a warp run a task's code together; `#pragma heddle lanes` before a loop gives each lane
 * its share of the iterations. Outside such loops a store to shared data happens once. Without the pragmas the
 * calls happen where they are written, which is the meaning that the translator keeps or refuses to translate.
 *
 * A loop whose iterations never touch the same element, one of them writing, needs no order, but there may be several
 * devices to share it. What the subscripts do not prove, as of y[id[i]], is asserted: `#pragma heddle for independent`.
 *
 *     #pragma heddle for map(to: table[0:m], x[heddle_lo:heddle_count]) map(from: y[heddle_lo:heddle_count])
 *     for (long i = 0; i < n; i++)
 *         y[i] = look_up(table, m, x[i]);
 *
 * Chunks of iterations go to every device and to the threads of the host while the loop runs; heddle_lo is the value of
 * the loop variable in a chunk's first iteration, heddle_count its number of iterations. Sections that name them travel
 * with the chunk, others are copied to each device once. Floating-point reductions add up in another order than the
 * serial loop's. A `#pragma heddle variant` before a call in the body says what devices of a kind call instead, from
 * the host.
 *
 * This header is for programs that want to look or to steer; a program with pragmas needs no call at all.
 * All functions are thread-safe unless they say otherwise. Functions that return int return 0 for success
 * and a negative heddle_error otherwise.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <heddle/words.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define HEDDLE_VERSION_MAJOR 0
#define HEDDLE_VERSION_MINOR 3
#define HEDDLE_VERSION_PATCH 0

/* "0.3.0" of the library at run time. Static storage. */
const char *heddle_version(void);

/* ---- Errors ------------------------------------------------------------------------------------------- */
#define HEDDLE_ERROR_MAP(X)                                                                                            \
    X(OK, 0, "no error")                                                                                               \
    X(EINVAL, -1, "invalid argument")                                                                                  \
    X(ENOMEM, -2, "out of memory")                                                                                     \
    X(ENODEV, -3, "no such device")                                                                                    \
    X(ETIMEDOUT, -4, "a wait on the device made no progress within HEDDLE_TIMEOUT")                                    \
    X(EOVERLAP, -5, "arrays under different names overlap")                                                            \
    X(ELAUNCH, -6, "the device did not run the kernel")                                                                \
    X(ESERIAL, -7, "the serial form was asked for")
enum heddle_error {
#define HEDDLE_X(name, value, text) HEDDLE_##name = value,
    HEDDLE_ERROR_MAP(HEDDLE_X)
#undef HEDDLE_X
};
/* Text for an error code; for an unknown code too. Static storage. */
const char *heddle_strerror(int error);

/* ---- Options ------------------------------------------------------------------------------------------ */
/* One table gives the environment variable, this interface, `heddle options` and docs/reference/environment.md. */
struct heddle_option {
    const char *name;     /* "device" */
    const char *env;      /* "HEDDLE_DEVICE"; "HEDDLE_TUNE": the name is a key of it */
    const char *fallback; /* value when nothing is set */
    const char *values;   /* what may stand there, for people */
    const char *help;     /* one or two sentences */
};
/* The table, ended by an entry whose name is NULL. Static storage. */
const struct heddle_option *heddle_options(void);
/* Current value: set by heddle_option_set, else the environment, else the default. NULL: no such option.
   The string stays valid until the option is set again. */
const char *heddle_option_get(const char *name);
/* Copies `value`; NULL returns to the environment's. HEDDLE_EINVAL for an unknown name, HEDDLE_ENOMEM without memory
   for the copy. */
int heddle_option_set(const char *name, const char *value);

/* ---- Devices ------------------------------------------------------------------------------------------ */
enum { HEDDLE_DEVICE_ALL = -3, HEDDLE_DEVICE_AUTO = -2, HEDDLE_DEVICE_HOST = -1 };
struct heddle_device_info {
    int number;                 /* OpenMP device number; HEDDLE_DEVICE_HOST for the host */
    const char *kind;           /* "host", "cuda" or "other"; static storage */
    char name[96];              /* "NVIDIA H100 80GB HBM3"; the processor's model name for the host */
    int units;                  /* cores, or streaming multiprocessors */
    size_t memory, memory_free; /* bytes; 0: not known */
};
/* Devices besides the host. They start at the first question about them, this one too; for a GPU that takes a third of
   a second. */
int heddle_device_count(void);
/* Starts them on a thread of its own, beside what the program does meanwhile, unless HEDDLE_DEVICE is host. A loop that
   names a device waits for it; with `auto` it runs on the host if it comes before. */
void heddle_start_devices(void);
/* Fills `info`, which is the caller's, for HEDDLE_DEVICE_HOST or 0 … heddle_device_count() - 1. HEDDLE_ENODEV: no such
   device, or it does not answer; all but `number` is then 0. */
int heddle_device_info(int device, struct heddle_device_info *info);
/* Bytes of its memory that a program may take now: what is free less 64 MiB that kernels and libraries take themselves,
   HEDDLE_MEMORY_LIMIT at most. SIZE_MAX: not known. */
size_t heddle_device_room(int device);

/* ---- Wavefronts --------------------------------------------------------------------------------------- */
/* Values of clause `schedule` and of HEDDLE_WAVEFRONT; `heddle options` says what each does. */
enum {
#define HEDDLE_X(name, text) HEDDLE_SCHEDULE_##name,
    HEDDLE_WAVEFRONT_SCHEDULES(HEDDLE_X)
#undef HEDDLE_X
};

/* Values of clause `layout` and of HEDDLE_LAYOUT: how the memory form's cells lie on a GPU. */
enum {
#define HEDDLE_X(name, text) HEDDLE_LAYOUT_##name,
    HEDDLE_LAYOUTS(HEDDLE_X)
#undef HEDDLE_X
};

/*
 * The hybrid layout of PeerWave (ICS 2015, section 3.4) for a matrix in tile rows of h rows: tile row after tile row,
 * within one diagonal after diagonal, h cells each. Cells that wavefront threads use at the same time are neighbours.
 *
 *     struct heddle_hybrid at = {.rows = n, .columns = m, .h = 256};
 *     float *cells = malloc(heddle_hybrid_count(&at) * sizeof *cells);
 *     cells[heddle_hybrid_index(&at, i, j)] = ...;
 */
struct heddle_hybrid {
    long rows, columns, h;
};
/* Cells to allocate: with the ends of the diagonals and the last tile row filled up. */
static inline size_t heddle_hybrid_count(const struct heddle_hybrid *at) {
    return (size_t)((at->rows + at->h - 1) / at->h) * (size_t)(at->columns + at->h - 1) * (size_t)at->h;
}
/* 0 <= i < rows, 0 <= j < columns; `rows` itself is not read. */
static inline size_t heddle_hybrid_index(const struct heddle_hybrid *at, long i, long j) {
    const long lane = i % at->h;
    return ((size_t)(i / at->h) * (size_t)(at->columns + at->h - 1) + (size_t)(j + lane)) * (size_t)at->h +
           (size_t)lane;
}
/* The way back. 0: there is such a cell; -1: the index is one that only fills up. */
static inline int heddle_hybrid_cell(const struct heddle_hybrid *at, size_t index, long *i, long *j) {
    const long steps = at->columns + at->h - 1, lane = (long)(index % (size_t)at->h),
               step = (long)(index / (size_t)at->h);
    *i = step / steps * at->h + lane;
    *j = step % steps - lane;
    return *i < at->rows && *j >= 0 && *j < at->columns ? 0 : -1;
}

/* What the calling thread's last nest did; all zeros before its first. Times in seconds, host clock. Texts are static
   storage. */
struct heddle_report {
    const char *file;
    int line;
    int device;           /* HEDDLE_DEVICE_HOST, HEDDLE_DEVICE_ALL or a device number */
    const char *schedule; /* a word of HEDDLE_WAVEFRONT_SCHEDULES */
    const char *layout;   /* memory form: "row" or "hybrid"; else "" */
    long tile_h, tile_w;  /* memory form */
    long rows, columns;
    int workers;           /* threads, or warps on a GPU (blocks in the memory forms) */
    int rows_per_worker;   /* rows of a row block or tile */
    double seconds;        /* all of it */
    double kernel_seconds; /* without mapping and transfers */
    double device_seconds; /* memory form on a GPU: of its kernel alone, by the device's clock; else 0 */
    int error;             /* heddle_error */
    long panels;           /* of rows, where the arrays do not fit into the device's memory; else 0 */
};
void heddle_last_report(struct heddle_report *report);

/* ---- Loops over every device --------------------------------------------------------------------------- */
/* What the calling thread's last `#pragma heddle for` loop did. Times in seconds; begin and end count from the loop's
   start. `device` is static storage, valid until that thread's next loop; all is 0 before its first. */
struct heddle_loop_device_report {
    int device; /* HEDDLE_DEVICE_HOST: one thread of the host */
    long iterations;
    int chunks;
    double compute, move; /* in its chunks; in transfers that computing did not hide */
    double ready;         /* until data that every chunk needs was there */
    double begin, end;    /* of its first and its last chunk */
    int lost;             /* 1: it failed, others took over */
};
struct heddle_loop_report {
    const char *file;
    int line;
    const char *schedule;
    long iterations;
    double seconds;
    double efficiency; /* ideal / measured; ideal: all devices at work all the time at the speed that they had */
    double balance;    /* first finished / last finished */
    int devices;
    const struct heddle_loop_device_report *device;
    int error; /* heddle_error */
};
void heddle_last_loop_report(struct heddle_loop_report *report);

/* What is measured of a loop is kept by its file, line and number of iterations. Where an iteration may be small work
   in one call and large in the next, which devices do at other relative speeds, the calling thread's next loops are
   told apart by this name as well ("fp32, tiles of 2048"; up to 63 characters, copied). NULL or "": no name any more.
 */
void heddle_loop_case(const char *name);

/* For functions that a `#pragma heddle variant` names: the device that the calling thread drives; HEDDLE_DEVICE_HOST on
   a thread that computes itself. An NVIDIA GPU's context is current. */
int heddle_variant_device(void);
/* On an NVIDIA GPU this thread's stream there (a CUstream); else NULL. Sections of the chunk arrive on that stream,
   results leave on it, and the runtime waits for it, so a variant that gives all its work to the stream may return
   before it is done. The stream is the runtime's. */
void *heddle_variant_stream(void);

/* What HEDDLE_TIMERS measured inside the kernel of the calling thread's last nest that ran on a GPU with its cells in
   memory. Times in seconds, those of tiles from the kernel's start. Static storage, valid until that thread's next
   nest. */
struct heddle_block_times {
    int multiprocessor;
    long tiles;
    double busy;           /* in tiles */
    double corner, middle; /* idle while fewer tiles than blocks could run (the nest's corners), and otherwise */
    double sync;           /* flags and barriers themselves, when nobody had to be waited for */
};
struct heddle_tile_times {
    double begin, end;
    int row, tile, multiprocessor, block;
};
struct heddle_times {
    double seconds; /* of the kernel, by the device's clock */
    int blocks;     /* 0: no times */
    const struct heddle_block_times *block;
    long tiles, dropped; /* recorded; did not fit into HEDDLE_TIMERS */
    const struct heddle_tile_times *tile;
};
void heddle_last_times(struct heddle_times *times);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
