/* SPDX-License-Identifier: Apache-2.0 */
/* The ring by target regions, which read and write a block's numbers each: the same text for libomptarget, which keeps
 * the arrays on the device around it, for heddle's graph, and without pragmas. */
#include "graph.h"

#if defined(BENCH_SERIAL)
#define NAME graph_serial
#define AROUND
#elif defined(BENCH_OMP)
#define NAME graph_target_omp
#define AROUND                                                                                                         \
    _Pragma("omp target data map(tofrom : u[0 : all], w[0 : all])") _Pragma("omp parallel") _Pragma("omp single")
#else
#define NAME graph_target_heddle
#define AROUND _Pragma("heddle graph map(tofrom : u[0 : all], w[0 : all])")
#endif

void NAME(const struct graph_run *run) {
    uint32_t *u = run->u, *w = run->w;
    const long blocks = run->blocks, iterations = run->iterations, rounds = run->rounds, size = run->size,
               all = blocks * size;
    const long between = run->between, apart = between ? blocks / between : 0;
    (void)all; /* only the pragmas use it */
    AROUND
    for (long i = 0; i < iterations; i++) {
        for (long b = 0; b < blocks; b++) {
            const uint32_t *left = u + (b + blocks - 1) % blocks * size, *own = u + b * size,
                           *right = u + (b + 1) % blocks * size;
            uint32_t *to = w + b * size;
#pragma omp target teams distribute parallel for nowait depend(in                                                      \
                                                               : left [0:size], own [0:size], right [0:size])          \
    depend(out                                                                                                         \
           : to [0:size]) map(to                                                                                       \
                              : left [0:size], own [0:size], right [0:size]) map(from                                  \
                                                                                 : to [0:size])
            for (long k = 0; k < size; k++)
                to[k] = graph_work(left[k] + 3 * own[k] + 5 * right[k], rounds);
        }
        for (long b = 0; b < between; b++) {
            uint32_t *some = w + b * apart * size;
#pragma omp task depend(inout : some [0:size])
            for (long k = 0; k < size; k++)
                some[k] += 1;
        }
        for (long b = 0; b < blocks; b++) {
            const uint32_t *from = w + b * size;
            uint32_t *own = u + b * size;
#pragma omp target teams distribute parallel for nowait depend(in                                                      \
                                                               : from [0:size]) depend(inout                           \
                                                                                       : own [0:size])                 \
    map(to                                                                                                             \
        : from [0:size]) map(tofrom                                                                                    \
                             : own [0:size])
            for (long k = 0; k < size; k++)
                own[k] = graph_work(own[k] ^ from[k], rounds);
        }
    }
}
