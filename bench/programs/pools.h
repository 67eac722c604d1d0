/* SPDX-License-Identifier: Apache-2.0 */
/* The pools that bench-tasks measures. */
#ifndef HEDDLE_BENCH_POOLS_H
#define HEDDLE_BENCH_POOLS_H

/* n tasks that add 1 to a counter of their own. */
void bench_independent(long n, unsigned *out);
/* n x m tasks, each after its left, upper and upper right neighbour; out is the longest path to it. */
void bench_grid(long n, long m, unsigned *out);
/* n tasks, each after the one before. */
void bench_chain(long n, unsigned *out);
/* A binary tree of tasks; each of the 2^depth leaves sets its word. */
void bench_tree(long depth, unsigned *leaves);
/* n times: two tasks are made and waited for. */
void bench_forkjoin(long n, unsigned *out);

extern int bench_pool_device;
#endif
