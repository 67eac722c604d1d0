/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands behind libheddle in place of LLVM 23's libomptarget: takes records of version 4, whose last argument is the
 * kernel's hidden pointer, only as the program made them (versions.c), and gives the libomptarget that is there what it
 * knows.
 */
#include "versions.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((visibility("default"))) launch __tgt_target_kernel;

int __tgt_target_kernel(void *loc, int64_t device, int32_t teams, int32_t threads, void *id, struct record *args) {
    launch *next;
    *(void **)&next = dlsym(RTLD_NEXT, "__tgt_target_kernel");
    if (args->version != NEXT)
        return next(loc, device, teams, threads, id, args);
    const uint32_t last = args->count - 1;
    if (device != -1 || args->types[last] != HIDDEN || args->sizes[last] != (intptr_t)args) {
        fprintf(stderr, "a record of version %d was changed or is not the program's\n", NEXT);
        exit(3);
    }
    struct record known = *args;
    known.version = KNOWN;
    known.count--;
    return next(loc, device, teams, threads, id, &known);
}
