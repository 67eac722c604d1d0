/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loaded after libheddle: devices that refuse. BROKEN=2 makes device 2 not run any region; BROKEN_AFTER=n from its
 * n-th region on, BROKEN_TOGETHER=m: not before m of them are there to be refused. BROKEN_COPY=n: nor copies to and
 * from it from the n-th on. Stands for a device that has gone. BROKEN_DISK=1: new model files are written to a full
 * disk.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) int __tgt_target_kernel(void *loc, int64_t device, int32_t teams,
                                                               int32_t threads, void *id, void *args);
__attribute__((visibility("default"))) int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                                                             size_t from_offset, int to_device, int from_device);

__attribute__((visibility("default"))) FILE *fdopen(int file, const char *mode);

FILE *fdopen(int file, const char *mode) {
    static FILE *(*real)(int, const char *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fdopen");
    char link[64], name[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (getenv("BROKEN_DISK") && readlink(link, name, sizeof name - 1) > 0 && strstr(name, "/models/"))
        return fopen("/dev/full", mode);
    return real(file, mode);
}

int __tgt_target_kernel(void *loc, int64_t device, int32_t teams, int32_t threads, void *id, void *args) {
    static int (*real)(void *, int64_t, int32_t, int32_t, void *, void *);
    static atomic_int seen, refused;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "__tgt_target_kernel");
    const char *broken = getenv("BROKEN"), *after = getenv("BROKEN_AFTER"), *together = getenv("BROKEN_TOGETHER");
    if (broken && device == atoi(broken) && ++seen > (after ? atoi(after) : 0)) {
        refused++;
        for (int ms = 0; together && refused < atoi(together) && ms < 5000; ms++)
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        return 1;
    }
    return real(loc, device, teams, threads, id, args);
}

int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset, int to_device,
                      int from_device) {
    static int (*real)(void *, const void *, size_t, size_t, size_t, int, int);
    static int seen;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "omp_target_memcpy");
    const char *broken = getenv("BROKEN"), *after = getenv("BROKEN_COPY");
    if (broken && after && (to_device == atoi(broken) || from_device == atoi(broken)) && ++seen > atoi(after))
        return 1;
    return real(to, from, bytes, to_offset, from_offset, to_device, from_device);
}
