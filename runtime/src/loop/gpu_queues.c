/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUDA gives a program's streams eight queues to a GPU unless told otherwise (CUDA_DEVICE_MAX_CONNECTIONS, at most 32). A loop that is
 * done in pieces has more streams than that, and a copy of some bytes that shares its queue with another piece's kernel waits
 * until that kernel is done.
 */
#include "../internal.h"
#include <stdlib.h>

/* Before the driver reads it, which it does when it is first used. What the selector runs expects what it always got. */
__attribute__((constructor(101))) static void start(void)
{
    if (!*heddle_option_get("schedule"))
        (void)setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
}
