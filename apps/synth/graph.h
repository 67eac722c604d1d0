/* SPDX-License-Identifier: Apache-2.0 */
/* The synthetic task graph of "A GPU Task-Parallel Model with Dependency Resolution" (Tzeng, Lloyd, Owens 2012): the
 * macroblocks of a frame as H.264's intra prediction orders them, each spinning for a given number of rounds. */
#ifndef SYNTH_GRAPH_H
#define SYNTH_GRAPH_H
#include <stdint.h>

struct graph {
    int rows, cols, slices; /* a slice is a band of rows that depends on no other */
    int per_slice;          /* rows of a slice; the last may have fewer */
    const int *rounds;      /* [rows * cols] */
    uint32_t *value;        /* [rows * cols] */
};

/* Each task after its left, upper left, upper and upper right neighbour in the slice, whose values it mixes. */
void graph_run(const struct graph *g);
void graph_run_serial(const struct graph *g);
/* The same tasks without dependences: what the schedulers are measured against. */
void graph_run_independent(const struct graph *g);
void graph_run_independent_serial(const struct graph *g);

#endif
