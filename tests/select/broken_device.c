/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loaded after libheddle: devices that refuse. BROKEN=2 makes device 2 not run any region; BROKEN_AFTER=n from its
 * n-th region on. Stands for a device that has gone.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

__attribute__((visibility("default"))) int __tgt_target_kernel(void *loc, int64_t device, int32_t teams, int32_t threads,
                                                               void *id, void *args);

int __tgt_target_kernel(void *loc, int64_t device, int32_t teams, int32_t threads, void *id, void *args)
{
    static int (*real)(void *, int64_t, int32_t, int32_t, void *, void *);
    static int seen;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "__tgt_target_kernel");
    const char *broken = getenv("BROKEN"), *after = getenv("BROKEN_AFTER");
    if (broken && device == atoi(broken) && ++seen > (after ? atoi(after) : 0))
        return 1;
    return real(loc, device, teams, threads, id, args);
}
