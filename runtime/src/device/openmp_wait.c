/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LLVM's OpenMP threads spin for 200 ms after a parallel region, one on every core. A loop that follows finds no core
 * for the threads that drive GPUs and copy: they wait for a time slice, many milliseconds, with a kernel done or a copy
 * due, and the GPU stands still. A millisecond is about as long as GNU's OpenMP spins, and enough for regions that
 * follow each other closely. Who sets KMP_BLOCKTIME or OMP_WAIT_POLICY has said what to do.
 */
#include "core/internal.h"
#include <stdlib.h>

/* Before the OpenMP library reads its variables, which it does when it is first used. The selector's models were made
   of threads that OpenMP keeps awake, and unmodified programs expect what they always got. */
__attribute__((constructor(101))) static void start(void) /* before others of this library start OpenMP */
{
    if (!getenv("OMP_WAIT_POLICY") && !*heddle_option_get("policy"))
        (void)setenv("KMP_BLOCKTIME", "1", 0);
}
