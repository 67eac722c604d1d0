/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a first call would do that depends on nothing it is told: names of libraries are looked up, the thread's memory
 * is made, pages of code are mapped. It takes some 50 us of the 15 ms in which this library and LLVM's are loaded.
 * OpenMP is not asked for anything, since programs may set its variables first.
 */
#include "device/turns.h"
#include "host_way.h"
#include <unistd.h>

/* What a parallel region calls: a use of a function's address has the loader look its name up at once. */
void __kmpc_global_thread_num(void);
void __kmpc_push_num_threads(void);
void __kmpc_fork_call(void);

static void map_code(void) {
    void (*const code[])(void) = {
        (void (*)(void))heddle_loop_run,
        (void (*)(void))heddle__enter,
        (void (*)(void))heddle__host_way_run,
        (void (*)(void))heddle__team_run,
        (void (*)(void))heddle__host_threads,
        (void (*)(void))heddle__seat_take,
        __kmpc_global_thread_num,
        __kmpc_push_num_threads,
        __kmpc_fork_call,
    };
    for (size_t k = 0; k < sizeof code / sizeof *code; k++)
        (void)*(const volatile char *)(uintptr_t)code[k];
}

__attribute__((constructor)) static void prepare(void) {
    char option[HEDDLE__OPTION_MAX];
    map_code();
    heddle__report()->seconds = heddle__now() * 0;
    heddle__options_any();
    heddle__option_read("device", option, sizeof option);
    heddle__host_way_prepare();
    heddle__team_parts((int)sysconf(_SC_NPROCESSORS_ONLN));
}
