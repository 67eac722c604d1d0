/* SPDX-License-Identifier: Apache-2.0 */
/* x86_64 devices that share a nest: how neighbouring row blocks tell each other how far they are. */
#ifndef HEDDLE_WAVEFRONT_HOST_WAIT_H
#define HEDDLE_WAVEFRONT_HOST_WAIT_H
#include <heddle/engine/device.h>
#include <heddle/engine/nest.h>
#include <heddle/engine/wavefront/sync.h>
#include <limits.h>

struct heddle_host_neighbours {
    const struct heddle_gpu_control *control;
    const uint64_t *above; /* columns that row block - 1 has sent, below its number */
    uint64_t *below;
    long block;
};

enum { HEDDLE_HOST_LOOK_NS = 10000000 };

/* Nonzero: no progress within the timeout, or another device has given up. What counts is the time for which this
   thread looked: it may be stopped, as may the one that it waits for (a debugger, ^Z, more threads than cores), for any
   time, so from one look to the next no more than HEDDLE_HOST_LOOK_NS. */
static HEDDLE_UNUSED int heddle_host_wait(struct heddle_cpu_block *b, long columns) {
    const struct heddle_host_neighbours *with = HEDDLE_PTR(b->runtime);
    const uint64_t goal = (uint64_t)with->block << HEDDLE_ROW_SHIFT | (uint64_t)columns;
    uint64_t last = 0, seen = 0, waited = 0;
    while (with->block) {
        const uint64_t v = heddle_load_acquire(with->above), now = heddle_clock_ns(), passed = now - last;
        if (v >= goal) {
            b->ready = v >> HEDDLE_ROW_SHIFT == (uint64_t)with->block ? (long)(v - goal) + columns : LONG_MAX;
            return 0;
        }
        if (v != seen || !last)
            waited = 0, seen = v;
        else
            waited += passed < HEDDLE_HOST_LOOK_NS ? passed : HEDDLE_HOST_LOOK_NS;
        last = now;
        if (waited > with->control->timeout_ns || heddle_load_acquire(&with->control->error))
            return 1;
        heddle_sched_yield();
    }
    b->ready = LONG_MAX; /* nothing is above */
    return 0;
}

static HEDDLE_UNUSED void heddle_host_publish(struct heddle_cpu_block *b, long columns) {
    const struct heddle_host_neighbours *with = HEDDLE_PTR(b->runtime);
    heddle_store_release(with->below, (uint64_t)(with->block + 1) << HEDDLE_ROW_SHIFT | (uint64_t)columns);
}
#endif
