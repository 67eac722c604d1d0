/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for a GPU's part of a step stay awake: a step is a launch and a copy of a millisecond together, and
 * a thread that sleeps is told of the end of each 50 to 100 us late. */
#include "units.h"

#include "target.h"

#if __has_include(<heddle/gpu.h>)
#include <heddle/gpu.h>

#pragma weak heddle_gpu_enter
#pragma weak heddle_gpu_leave
#pragma weak heddle_gpu_wait_awake
#pragma weak heddle_gpu_wait_as

/* Processors are not GPUs, and a thread for each has to have one of its own. */
void wait_awake(struct devices *d) {
    if (!heddle_gpu_enter || omp_get_num_procs() <= (int)d->count)
        return;
    for (uint32_t k = 0; k < d->count; k++) {
        struct unit *u = &d->unit[k];
        if (!u->facts.keep || heddle_gpu_enter(u->device))
            continue;
        u->slept = heddle_gpu_wait_awake();
        u->awake = u->slept >= 0;
        heddle_gpu_leave();
    }
}

void wait_as_before(struct devices *d) {
    for (uint32_t k = 0; k < d->count; k++) {
        struct unit *u = &d->unit[k];
        if (!u->awake || heddle_gpu_enter(u->device))
            continue;
        heddle_gpu_wait_as(u->slept);
        heddle_gpu_leave();
        u->awake = false;
    }
}
#else
void wait_awake(struct devices *d) { (void)d; }
void wait_as_before(struct devices *d) { (void)d; }
#endif
