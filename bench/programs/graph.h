/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of blocks, iteration after iteration, as soft bodies that touch: a block's first task reads it and both
 * neighbours, its second one goes on. Forms of one source: ignored pragmas, libomp's tasks, heddle's graph; target
 * regions by libomptarget and by heddle's graph. */
#ifndef BENCH_GRAPH_H
#define BENCH_GRAPH_H

#include <stdint.h>

struct graph_run {
    uint32_t *u, *w; /* [blocks][size] */
    long blocks, iterations, rounds;
    long size;    /* numbers of a block; of tasks on the host one */
    long between; /* blocks that a task of the host works with between the regions: of target-heddle */
    int threads;
};

/* What a task does with its number: so many rounds. */
static inline uint32_t graph_work(uint32_t v, long rounds) {
    for (long k = 0; k < rounds; k++) {
        v ^= v >> 16;
        v *= 0x7feb352du;
        v ^= v >> 15;
    }
    return v;
}

void graph_serial(const struct graph_run *run);
void graph_omp(const struct graph_run *run);
void graph_heddle(const struct graph_run *run);
/* Tasks on devices. */
void graph_target_omp(const struct graph_run *run);
void graph_target_heddle(const struct graph_run *run);
/* Seconds; negative: StarPU does not start. */
double graph_starpu(const struct graph_run *run, int warm);
/* Seconds of the second launch; both count. Negative: there is no such CUDA device. */
double graph_cuda(const struct graph_run *run, int device);

#endif
