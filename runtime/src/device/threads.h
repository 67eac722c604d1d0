/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the host that serve devices and loops, and the cores that they run on. */
#ifndef HEDDLE_DEVICE_THREADS_H
#define HEDDLE_DEVICE_THREADS_H

#include "core/internal.h"
#include <sched.h>

/* threads.c: runs on a thread that is kept for the next one of its kind; `device`: it calls the driver. 0, or nonzero
   where there is none to be had. */
HEDDLE_HIDDEN int heddle__thread_run(void (*run)(void *with), void *with, bool device);

static inline void heddle__spin_pause(void) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

/* affinity.c: cores of threads that compute, and of those that drive GPUs. */
struct heddle__cores {
    bool split; /* host and device are apart */
    cpu_set_t all, host, device;
};
HEDDLE_HIDDEN int heddle__cores_share(struct heddle__cores *c, int gpus); /* how many threads compute on the host */
/* By the calling thread, until it leaves. */
HEDDLE_HIDDEN void heddle__cores_use(const struct heddle__cores *c, bool device);
HEDDLE_HIDDEN void heddle__cores_leave(const struct heddle__cores *c);

#endif
