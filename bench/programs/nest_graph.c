/* SPDX-License-Identifier: Apache-2.0 */
/* The ring by tasks of the host: the same text for libomp and for heddle's graph. */
#include "graph.h"

#if defined(BENCH_OMP)
#include <omp.h>
#define NAME graph_omp
#else
#define NAME graph_heddle
#endif

void NAME(const struct graph_run *run) {
    uint32_t *u = run->u, *w = run->w;
    const long blocks = run->blocks, iterations = run->iterations, rounds = run->rounds;
#if defined(BENCH_OMP)
    omp_set_num_threads(run->threads);
#endif
#pragma heddle graph device(host)
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < iterations; i++) {
        for (long b = 0; b < blocks; b++) {
            const long left = (b + blocks - 1) % blocks, right = (b + 1) % blocks;
#pragma omp task depend(in : u[left], u[b], u[right]) depend(out : w[b])
            w[b] = graph_work(u[left] + 3 * u[b] + 5 * u[right], rounds);
        }
        for (long b = 0; b < blocks; b++) {
#pragma omp task depend(in : w[b]) depend(inout : u[b])
            u[b] = graph_work(u[b] ^ w[b], rounds);
        }
    }
}
