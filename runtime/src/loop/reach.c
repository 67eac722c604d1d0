/* SPDX-License-Identifier: Apache-2.0 */
/* What a loop reads through an index: looked up by all threads, before any of them writes. */
#include "engine.h"
#include <omp.h>
#include <string.h>

/* ---- the least and the greatest of numbers side by side ---- */

#define FORM(name, attribute)                                                                                          \
    attribute static void name(const int *first, long count, int *low, int *high) {                                    \
        int least = *low, most = *high;                                                                                \
        for (long k = 0; k < count; k++) {                                                                             \
            least = first[k] < least ? first[k] : least;                                                               \
            most = first[k] > most ? first[k] : most;                                                                  \
        }                                                                                                              \
        *low = least;                                                                                                  \
        *high = most;                                                                                                  \
    }

FORM(plain, )
#if defined __x86_64__
FORM(avx2, __attribute__((target("avx2"))))
#endif

HEDDLE__FIRST void heddle_reach_ints(const int *first, long count, int *low, int *high) {
#if defined __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        avx2(first, count, low, high);
        return;
    }
#endif
    plain(first, count, low, high);
}

/* ---- a loop ---- */

void heddle__loop_reach(const struct heddle_loop *l, long first, long count, int stage, struct heddle_map *maps) {
    if (count > 0)
        l->type->reach(l->env, l->lo + first * l->step, l->step, count, stage, maps);
}

static void join(struct heddle_map *maps, const struct heddle_map *more, int nmaps) {
    for (int k = 0; k < nmaps; k++)
        if (maps[k].kind & HEDDLE_MAP_REACHED)
            heddle__loop_widen(&maps[k], &more[k]);
}

static void reach_stage(const struct heddle_loop *l, long n, int stage, struct heddle_map *maps) {
    const long threads = omp_in_parallel() ? 1 : heddle__host_threads();
#pragma omp parallel for num_threads((int)threads) if (threads > 1) schedule(static)
    for (long k = 0; k < threads; k++) {
        const long first = n / threads * k + (k < n % threads ? k : n % threads);
        struct heddle_map mine[l->nmaps];
        memcpy(mine, l->maps, sizeof mine);
        heddle__loop_reach(l, first, n / threads + (k < n % threads), stage, mine);
#pragma omp critical(heddle_reach)
        join(maps, mine, l->nmaps);
    }
}

void heddle__loop_reach_all(const struct heddle_loop *l, long n, struct heddle_map *maps) {
    int a, b;
    for (int stage = 1; stage <= l->type->reach_stages && !heddle__maps_overlap(maps, l->nmaps, &a, &b); stage++)
        reach_stage(l, n, stage, maps);
}
