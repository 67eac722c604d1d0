/* SPDX-License-Identifier: Apache-2.0 */
/* The records through which the runtime and a batch's kernels talk; the same layout on host and device. */
#ifndef HEDDLE_WAVEFRONT_BATCH_CALL_H
#define HEDDLE_WAVEFRONT_BATCH_CALL_H
#include <heddle/engine/wavefront/batch.h>
#include <heddle/engine/wavefront/call.h>

/* Bytes of tables that a block keeps in its own memory; threads of a block; sizes of groups: 4, 8, 16 and 32 lanes. */
enum { HEDDLE_BATCH_TABLE_BYTES = 8192, HEDDLE_BATCH_THREADS = 128, HEDDLE_BATCH_CLASSES = 4, HEDDLE_BATCH_TABLES = 4 };
/* Of a profile that a block keeps; what its rows are a multiple of, so that lanes find their rows in different banks.
 */
enum { HEDDLE_BATCH_PROFILE_BYTES = 40960, HEDDLE_BATCH_PROFILE_ROWS = 64 };

/* All problems; of problem p0 only the statements before the nest, or only those behind it; the sizes of all; the
 * profile. */
enum { HEDDLE_BATCH_RUN, HEDDLE_BATCH_OPEN, HEDDLE_BATCH_CLOSE, HEDDLE_BATCH_MEASURE, HEDDLE_BATCH_PROFILE };

/* Problems that groups of so many lanes do: order[first] to order[first + count - 1], some of them a ticket. */
struct heddle_batch_class {
    int64_t first, count, tickets, lanes;
};

/* An array of which blocks keep copies: where it is in device memory, and in a block's. */
struct heddle_batch_table {
    const char *from;
    int64_t bytes, at;
};

/* Lives in device memory. */
struct heddle_batch_control {
    uint64_t ticket;
    uint64_t pad[HEDDLE_FLAG_WORDS - 1];
    const void *outer;     /* what the loop over problems takes from outside, with the device's pointers */
    const uint32_t *order; /* numbers of problems less p0, the largest first */
    int64_t p0;
    struct heddle_batch_class of[HEDDLE_BATCH_CLASSES];
    char *rows;        /* of each warp: the bottom row of a pass on its way to the next one */
    int64_t row_bytes; /* of a warp */
    int64_t ntables;
    struct heddle_batch_table table[HEDDLE_BATCH_TABLES];
    /* What the table holds for each row and each value that chooses a column: 16 bits, [value][row]. */
    char *profile;
    int64_t profile_rows, profile_stride; /* in all; of a value, in elements */
    int64_t profile_shared;               /* blocks keep copies */
    int64_t profile_of;                   /* a problem with so many rows, less p0 */
    int64_t problems;                     /* HEDDLE_BATCH_MEASURE: how many, and their rows and columns */
    int64_t *sizes;
    void *env, *red, *last;    /* HEDDLE_BATCH_OPEN: where they go; HEDDLE_BATCH_CLOSE: what came of it */
    struct heddle_problem *at; /* HEDDLE_BATCH_OPEN: where the nest's bounds go */
};

struct heddle_gpu_batch {
    int what; /* HEDDLE_BATCH_* */
    int device;
    int teams, threads;
    int rows_per_lane;
    struct heddle_batch_control *control; /* in device memory */
};
#endif
