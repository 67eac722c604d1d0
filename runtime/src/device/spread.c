/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chunk too small to fill a GPU. Threads of a warp that go different ways go them one after the other, and where
 * there are fewer iterations than a GPU has places for threads, most of those stay empty meanwhile. So the iterations
 * are spread over more warps, with an iteration in every second, fourth … thread, as long as all of them are there at
 * once (docs/decisions/022-spread-few-iterations.md).
 */
#include "device.h"
#include <stdlib.h>

enum { RESIDENT = 2048 /* threads of a multiprocessor */, WARP = 5 /* log2 of its threads */ };

/* Threads for each iteration; 0: the runtime chooses */
static long threads_asked_for(void) {
    char option[HEDDLE__OPTION_MAX], *end;
    heddle__option_read("spread", option, sizeof option);
    const long n = strtol(option, &end, 10);
    return *end || n < 1 || n > 1 << WARP || (n & (n - 1)) ? 0 : n;
}

int heddle__device_spread(int device, double threads, int kernels) {
    const long asked = threads_asked_for();
    const double room =
        heddle__device_is_cuda(device) ? (double)RESIDENT * heddle__device_facts(device)->units / kernels : 0;
    int spread = 0;
    for (; spread < WARP && (asked ? 2l << spread <= asked : 2 * threads <= room); spread++)
        threads *= 2;
    return spread;
}
