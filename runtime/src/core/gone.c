/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that a task is about and that the program has freed meanwhile. */
#include "internal.h"
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

/* Blocks as large as that are the system's again as soon as they are freed. */
enum { LARGE = 128 << 10 };

bool heddle__memory_is_large(uintptr_t begin, uintptr_t end) { return end - begin >= LARGE && end != UINTPTR_MAX; }

bool heddle__memory_is_gone(uintptr_t begin) {
    static atomic_long page;
    unsigned char in;
    if (!page)
        page = sysconf(_SC_PAGESIZE);
    return mincore((void *)(begin / (uintptr_t)page * (uintptr_t)page), 1, &in) && errno == ENOMEM;
}
