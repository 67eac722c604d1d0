/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's own ready tasks: it pushes and pops at the bottom, others steal at the top (D. Chase, Y. Lev, SPAA 2005;
 * in C11 by N. M. Lê et al., PPoPP 2013, here with sequentially consistent accesses in place of fences, which the
 * thread sanitizer does not follow). Bounded: whoever finds it full keeps the task elsewhere.
 */
#ifndef HEDDLE_SRC_POOL_DEQUE_H
#define HEDDLE_SRC_POOL_DEQUE_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { DEQUE_TASKS = 4096 };
struct deque {
    _Alignas(128) atomic_long top;
    _Alignas(128) atomic_long bottom;
    _Atomic uint64_t task[DEQUE_TASKS];
};

static inline bool deque_push(struct deque *d, uint64_t task) {
    const long b = atomic_load_explicit(&d->bottom, memory_order_relaxed);
    if (b - atomic_load_explicit(&d->top, memory_order_acquire) >= DEQUE_TASKS)
        return false;
    atomic_store_explicit(&d->task[b % DEQUE_TASKS], task, memory_order_relaxed);
    atomic_store_explicit(&d->bottom, b + 1, memory_order_release);
    return true;
}

/* 0: empty. */
static inline uint64_t deque_pop(struct deque *d) {
    const long b = atomic_load_explicit(&d->bottom, memory_order_relaxed) - 1;
    if (b < atomic_load_explicit(&d->top, memory_order_relaxed)) /* top only grows: surely empty */
        return 0;
    atomic_store(&d->bottom, b);
    long t = atomic_load(&d->top);
    if (t > b) {
        atomic_store_explicit(&d->bottom, b + 1, memory_order_relaxed);
        return 0;
    }
    uint64_t task = atomic_load_explicit(&d->task[b % DEQUE_TASKS], memory_order_relaxed);
    if (t == b) { /* the last one: a thief may be faster */
        if (!atomic_compare_exchange_strong(&d->top, &t, t + 1))
            task = 0;
        atomic_store_explicit(&d->bottom, b + 1, memory_order_relaxed);
    }
    return task;
}

static inline bool deque_empty(struct deque *d) { return atomic_load(&d->top) >= atomic_load(&d->bottom); }

/* One attempt. 0: empty, or somebody else was faster. */
static inline uint64_t deque_steal(struct deque *d) {
    long t = atomic_load(&d->top);
    if (t >= atomic_load(&d->bottom))
        return 0;
    const uint64_t task = atomic_load_explicit(&d->task[t % DEQUE_TASKS], memory_order_relaxed);
    return atomic_compare_exchange_strong(&d->top, &t, t + 1) ? task : 0;
}
#endif
