/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches: a loop over independent problems of different sizes, each a nest with bounds, sequences, rolling rows and
 * reductions of its own. What translated code knows about one, and the call record filled in where the pragma stood.
 *
 * Of each batch `heddle-translate` writes, besides the nest's own functions: struct N_outer, what the loop over
 * problems takes from outside; N_problem(), which runs the statements before the nest; N_finish(), which runs those
 * behind it. Arrays that a problem declares itself do not exist: their cells are carried, their first values are
 * expressions in N_load_top(), N_load_corner() and N_load_left().
 */
#ifndef HEDDLE_WAVEFRONT_BATCH_H
#define HEDDLE_WAVEFRONT_BATCH_H

#include <heddle/engine/nest.h>

/* Bounds of one problem's nest, inclusive; empty where an upper one is below its lower one. */
struct heddle_problem {
    long i0, i1, j0, j1;
};

/* Lanes of a CPU: problems of similar size, one a lane. */
struct heddle_cpu_batch {
    const void *outer;
    const long *problems; /* their numbers */
    int count;            /* at most cpu_lanes() */
    int isa;              /* HEDDLE_ISA_* */
    void *memory;         /* cpu_memory() bytes, aligned to 64 */
};

struct heddle_gpu_batch;

/* Facts and entry points of one batch; static const in the translated file. */
struct heddle_batch_nest {
    const struct heddle_nest *nest; /* of one problem: for those that are worth all threads */
    size_t outer_bytes;
    size_t last_cell; /* the statements behind the nest want it: where in the environment a pointer says where to; else
                         0 */
    int vector;       /* lanes and warps may hold problems: nothing is loaded per cell but from tables */
    /* The statements before the nest. Fills in the environment, the reductions' first values and the bounds. */
    void (*problem)(const void *outer, long p, void *env, void *red, struct heddle_problem *bounds);
    /* The statements behind it. last: the cell in the last row and column, NULL: the nest is empty. */
    void (*finish)(const void *outer, long p, const void *red, const void *last);
    void (*serial)(const void *outer, long p); /* all of them as written, with the nest between them */
    int (*cpu_lanes)(int isa);
    size_t (*cpu_memory)(int isa, long rows); /* of the highest problem of a group */
    void (*cpu_batch)(const struct heddle_cpu_batch *batch);
    int (*gpu)(const struct heddle_gpu_batch *call);
    int per_lane;     /* on a GPU: problems that share a lane; */
    size_t row_bytes; /* of a column of theirs that a pass leaves for the next one */
    size_t profile;   /* bytes of what a table holds for a row and all that chooses its column; 0: no such table */
};

/* One execution. Filled in by translated code, changed by nobody else. */
struct heddle_batch {
    const struct heddle_batch_nest *nest;
    void *outer;
    struct heddle_map *maps; /* their slots are offsets in the outer structure */
    int nmaps;
    long p0, p1; /* inclusive */
    int device;  /* HEDDLE_DEVICE_* or a device number */
    int serial;  /* schedule(serial) */
};

/* 0: done, results are in place. Nonzero: nothing was changed, run the loop serially. */
#pragma GCC visibility push(default)
HEDDLE_C int heddle_batch_run(struct heddle_batch *call);
#pragma GCC visibility pop

#endif
