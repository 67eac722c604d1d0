/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - `heddle cc --verify`: how the serial program is compiled so that libheddle-verify sees every access. */
#include "driver.h"

/* clang's checks of addresses for kernels call a function for each load and store of any size, and for copies of
 * memory, and bring no run time. Everything that such checks do besides is turned off. Atomic accesses are in no order
 * that matters. Inlined functions would have their variables among the caller's, and wide vectors would be one access
 * of several iterations. */
void add_verify_flags(struct list *flags) {
    static const char *const words[] = {"-O1",
                                        "-g",
                                        "-w",
                                        "-fno-inline",
                                        "-fno-vectorize",
                                        "-fno-slp-vectorize",
                                        "-fno-unroll-loops",
                                        "-fno-omit-frame-pointer",
                                        "-U_FORTIFY_SOURCE",
                                        "-fsanitize=kernel-address",
                                        "-fno-sanitize-address-use-after-scope"};
    static const char *const checks[] = {"-asan-instrumentation-with-call-threshold=0",
                                         "-asan-kernel-mem-intrinsic-prefix=1",
                                         "-asan-opt=0",
                                         "-asan-stack=0",
                                         "-asan-globals=0",
                                         "-asan-instrument-dynamic-allocas=0",
                                         "-asan-instrument-atomics=0",
                                         "-asan-constructor-kind=none",
                                         "-asan-use-stack-safety=0"};
    list_add(flags, "--start-no-unused-arguments");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        list_add(flags, words[i]);
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        list_add(flags, "-mllvm");
        list_add(flags, checks[i]);
    }
    list_add(flags, "--end-no-unused-arguments");
}
