/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a device, looked for before it is asked for: libomptarget writes lines of its own when an allocation fails,
 * and ends the program when a mapping does.
 */
#include "core/internal.h"
#include <heddle/gpu.h>
#include <omp.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { SLACK = 64 << 20 }; /* bytes: what kernels, their threads and libraries take for themselves */

/* All of them at once. */
static bool try_all(bool cuda, const size_t *bytes, int count) {
    void *volatile block[count + 1]; /* volatile: or a compiler makes nothing of memory that nobody uses */
    int got = 0;
    bool all = true;
    for (; all && got < count; got += all) {
        void *at = NULL;
        all = !bytes[got] || (cuda ? !heddle_gpu_alloc(&at, bytes[got]) : (at = malloc(bytes[got])) != NULL);
        block[got] = at;
    }
    while (got-- > 0)
        if (cuda)
            heddle_gpu_free(block[got]);
        else
            free(block[got]);
    return all;
}

/* Devices that are not GPUs have their memory from the host's heap, which is as good as endless where the address space
 * is. */
static bool fits_heap(const size_t *bytes, int count) {
    struct rlimit limit;
    size_t all[count + 1];
    for (int k = 0; k < count; k++)
        all[k] = bytes[k];
    all[count] = !getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY ? SLACK : 0;
    return try_all(false, all, count + 1);
}

bool heddle__device_fits(int device, const size_t *bytes, int count) {
    struct heddle__cuda_info info;
    size_t sum = 0;
    for (int k = 0; k < count; k++)
        if (__builtin_add_overflow(sum, bytes[k], &sum))
            return false;
    if (!heddle__cuda_info(device, &info))
        return fits_heap(bytes, count);
    if (info.memory_free < SLACK || sum > info.memory_free - SLACK)
        return false;
    if (sum <= info.memory_free / 2 || heddle_gpu_enter(device)) /* a trial takes as long as the allocation */
        return true;
    const bool fits = try_all(true, bytes, count);
    heddle_gpu_leave();
    return fits;
}

void *heddle__device_alloc(size_t bytes, int device) {
    return heddle__device_fits(device, &bytes, 1) ? omp_target_alloc(bytes, device) : NULL;
}
