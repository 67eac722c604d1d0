/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of the machine as OpenMP numbers them, with what hwloc-free means tell of each. */
#include "core/internal.h"
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* A forked child has its parent's devices, but neither the threads that serve them nor, with CUDA, a context that
 * works. */
static atomic_bool asked, forked, said;
static atomic_int last_count; /* of devices, as libomptarget said: a child does not ask it, since another thread may
                                 have been inside */
static pthread_once_t watched = PTHREAD_ONCE_INIT;

static void after_fork(void) { atomic_store(&forked, atomic_load(&forked) || atomic_load(&asked)); }
static void watch(void) { pthread_atfork(NULL, NULL, after_fork); }

int heddle_device_count(void) {
    pthread_once(&watched, watch);
    if (!atomic_load(&forked)) {
        const int count = omp_get_num_devices();
        if (count)
            atomic_store(&asked, true);
        atomic_store(&last_count, count);
        return count;
    }
    if (!atomic_exchange(&said, true))
        heddle__warn(NULL, "this process was forked from one that had used its devices, which do not outlive that; "
                           "running on the host. Fork first, or "
                           "start a program (exec)");
    return 0;
}

bool heddle__is_host(int device) {
    if (device < 0)
        return device == HEDDLE_DEVICE_HOST;
    return device == (atomic_load(&forked) ? atomic_load(&last_count) : omp_get_initial_device());
}

static void host_name(char *name, size_t size) {
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "host");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
            line[strcspn(line, "\n")] = 0;
            snprintf(name, size, "%s", strchr(line, ':') + 2);
            break;
        }
    if (f)
        fclose(f);
}

int heddle_device_info(int device, struct heddle_device_info *info) {
    struct heddle__cuda_info cuda;
    memset(info, 0, sizeof *info);
    info->number = device;
    if (device == HEDDLE_DEVICE_HOST) {
        info->kind = "host";
        info->units = omp_get_num_procs();
        info->memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
        info->memory_free = (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
        host_name(info->name, sizeof info->name);
        return HEDDLE_OK;
    }
    if (device < 0 || device >= heddle_device_count())
        return HEDDLE_ENODEV;
    if (heddle__cuda_info(device, &cuda)) {
        info->kind = "cuda";
        info->units = cuda.multiprocessors;
        info->memory = cuda.memory;
        info->memory_free = cuda.memory_free;
        memcpy(info->name, cuda.name, sizeof info->name);
        return HEDDLE_OK;
    }
    info->kind = "other";
    info->units = 1;
    snprintf(info->name, sizeof info->name, "OpenMP device %d", device);
    return HEDDLE_OK;
}

size_t heddle_device_room(int device) {
    enum { SLACK = 64 << 20 }; /* what kernels and libraries take for themselves */
    struct heddle_device_info info;
    const size_t limit = heddle__option_bytes("memory-limit");
    size_t room = SIZE_MAX;
    if (!heddle_device_info(device, &info) && info.memory_free)
        room = info.memory_free > SLACK ? info.memory_free - SLACK : 0;
    return limit && limit < room ? limit : room;
}
