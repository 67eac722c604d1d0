/* SPDX-License-Identifier: Apache-2.0 */
/* The pools that bench-tasks measures. */
#ifndef HEDDLE_BENCH_POOLS_H
#define HEDDLE_BENCH_POOLS_H
#include <stdint.h>

/* n tasks that add 1 to a counter of their own. */
void bench_independent(long n, unsigned *out);
/* n x m tasks, each after its left, upper and upper right neighbour; out is the longest path to it. */
void bench_grid(long n, long m, unsigned *out);
/* n tasks, each after the one before. */
void bench_chain(long n, unsigned *out);
/* The same; time[2 * i] and the next are when task i began and ended, in ns. */
void bench_handover(long n, unsigned *out, uint64_t *time);
/* A binary tree of tasks; each of the 2^depth leaves sets its word. */
void bench_tree(long depth, unsigned *leaves);
/* n times: two tasks are made and waited for. */
void bench_forkjoin(long n, unsigned *out);

/* n x m tasks as in the grid, each spinning for `rounds`. */
void bench_spin(long n, long m, int rounds, unsigned *out);
/* n tasks that the host sends one by one while the kernel runs; wait: waits for each before the next. */
void bench_stream(long n, int wait, unsigned *out);

extern int bench_pool_device;

static inline unsigned bench_round(unsigned v, int rounds) {
    for (int k = 0; k < rounds; k++)
        v = (v ^ v >> 13) * 1664525u + 1013904223u;
    return v;
}
#endif
