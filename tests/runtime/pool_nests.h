/* SPDX-License-Identifier: Apache-2.0 */
/* Small programs with pools. pool_plain.c is what a user writes (pragmas ignored: the answers), pool_nests.c the
 * same in the form that the translator emits. POOLS names the table of the one that is compiled. */
#ifndef POOL_NESTS_H
#define POOL_NESTS_H
#include <stdint.h>

struct pools {
    /* cells[nf][h][w]: each from its left, upper left, upper and upper right neighbour */
    void (*grid)(int nf, int h, int w, uint32_t *cells);
    /* leaves and sum of a binary tree of this depth, by tasks that make tasks */
    void (*tree)(int depth, long *leaves, long *sum);
    /* Fibonacci numbers by tasks that wait for theirs */
    void (*fibonacci)(int n, long *result);
    void (*fibonacci_lanes)(int n, long *result); /* the same, each on a lane */
    /* sums[i] of 100 values of row i, by way of a local array */
    void (*rows)(int n, const int *values, long *sums);
    /* rounds of a[j] = a[j] * 3 + a[j - 1], ordered by depend alone */
    void (*chain)(int rounds, int n, uint32_t *a);
    /* rounds of n tasks that the host sends while the kernel runs; each makes `more` tasks */
    void (*stream)(int rounds, int n, int more, uint32_t *a);
    /* tasks that add the same number to *sum, each longer than sending it takes, at least one and until *enough without
       waiting for any; how many there were goes to *sent */
    void (*flood)(const int *enough, long *sent, uint32_t *sum);
    /* the numbers 0 to n - 1 in the order in which tasks of priority k % 4 write them down; made by a task or by the
     * host */
    void (*ranks)(int n, int by_task, int *next, int *order);
};
/* What takes a while. */
static inline uint32_t pool_scramble(uint32_t v) {
    for (int k = 0; k < 4000; k++)
        v = (v ^ v >> 13) * 2654435761u + 1;
    return v;
}
extern const struct pools POOLS;
extern int pool_schedule, pool_device; /* pool_nests.c: used by all its pools */
/* pool_nests_host.c: members of the table */
void pools_chain(int rounds, int n, uint32_t *a);
void pools_stream(int rounds, int n, int more, uint32_t *a);
void pools_flood(const int *enough, long *sent, uint32_t *sum);
void pools_ranks(int n, int by_task, int *next, int *order);
#endif
