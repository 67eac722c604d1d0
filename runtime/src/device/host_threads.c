/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many threads a team on the host gets. libomp ends the program when it cannot start one, so where the process's
 * address space is limited their stacks are tried for first.
 */
#include "core/internal.h"
#include <omp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { BESIDE = 1 << 20 /* bytes that a thread takes besides its stack */ };

/* Stacks for so many threads, or for as many as there is room. */
static int stacks(int threads) {
    const size_t bytes = kmp_get_stacksize_s() + BESIDE;
    void **stack = calloc((size_t)threads, sizeof *stack);
    int n = 0;
    while (stack && n < threads &&
           (stack[n] = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) != MAP_FAILED)
        n++;
    for (int k = 0; k < n; k++)
        munmap(stack[k], bytes);
    free(stack);
    return n;
}

static int to_be_had(int wanted) {
    struct rlimit limit;
    const bool limited = wanted > 1 && !getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY;
    return limited ? 1 + stacks(wanted - 1) : wanted;
}

/* A team that shrinks and grows again looks for its threads each time: those that have nothing to do stay in it. */
int heddle__host_team(int threads, int all) {
    static _Thread_local int whole; /* threads of the last team that had all */
    const int team = threads > 1 && threads < all && all == whole ? whole : threads;
    whole = threads > 1 && threads == all ? all : whole;
    return team;
}

int heddle__host_threads(void) {
    if (omp_in_parallel())
        return 1;
    const long asked = heddle__options_any() ? heddle__option_long("threads", 0, 4096) : 0;
    return to_be_had(asked ? (int)asked : omp_get_max_threads());
}
