/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "overhead_switch.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stddef.h>

typedef int launch(void *loc, int64_t device, int32_t teams, int32_t threads, void *id, void *args);
launch __tgt_target_kernel;
static launch *selected, *plain;
bool overhead_direct;

/* What clang calls for each region. */
int __tgt_target_kernel(void *loc, int64_t device, int32_t teams, int32_t threads, void *id, void *args) {
    return (overhead_direct ? plain : selected)(loc, device, teams, threads, id, args);
}

bool overhead_find(void) {
    void *library = dlopen(BENCH_LIBOMPTARGET, RTLD_LAZY | RTLD_NOLOAD);
    *(void **)&selected = dlsym(RTLD_NEXT, "__tgt_target_kernel");
    *(void **)&plain = library ? dlsym(library, "__tgt_target_kernel") : NULL;
    return selected && plain;
}
