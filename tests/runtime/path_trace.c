/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of a libheddle whose functions call these two on entry and exit (-finstrument-functions). The file that
 * HEDDLE_PATH names gets a line for each function that the program's first thread enters: "depth offset". A call of
 * emitted code and a kernel's launch are told by their names. tests/runtime/path.py reads it.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PLAIN __attribute__((no_instrument_function, visibility("default")))

static FILE *out;
static int depth;

PLAIN void __cyg_profile_func_enter(void *function, void *from);
PLAIN void __cyg_profile_func_exit(void *function, void *from);

void __cyg_profile_func_enter(void *function, void *from) {
    Dl_info at;
    (void)from;
    if (syscall(SYS_gettid) != getpid() || !dladdr(function, &at))
        return;
    const char *path = getenv("HEDDLE_PATH");
    if (!out && path)
        out = fopen(path, "w");
    if (!out)
        return;
    const char *name = at.dli_sname ? at.dli_sname : "";
    if (!strcmp(name, "heddle_wavefront_run"))
        fprintf(out, "call\n"), depth = 0;
    if (!strcmp(name, "__tgt_target_kernel"))
        fprintf(out, "launch\n");
    fprintf(out, "%d 0x%lx\n", depth++, (unsigned long)((uintptr_t)function - (uintptr_t)at.dli_fbase));
    fflush(out);
}

void __cyg_profile_func_exit(void *function, void *from) {
    (void)function, (void)from;
    if (out && syscall(SYS_gettid) == getpid())
        depth--;
}
