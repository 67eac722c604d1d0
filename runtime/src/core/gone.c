/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that a task is about and that the program has freed meanwhile. */
#include "internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Blocks as large as that are the system's again as soon as they are freed, until one has been: glibc takes larger ones
   for that from then on. */
enum { LARGE = 128 << 10 };

int mallopt(int parameter, int value); /* of <malloc.h>, which does not go with what replaces malloc here */
enum { MMAP_THRESHOLD = -3 };

/* Before the program's own are asked for. */
__attribute__((constructor)) static void stay_small(void) {
    char option[HEDDLE__OPTION_MAX];
    if (!secure_getenv("HEDDLE_TUNE"))
        return;
    heddle__option_read("graph-freed", option, sizeof option);
    if (!strcmp(option, "always"))
        mallopt(MMAP_THRESHOLD, LARGE); /* set by hand it does not rise */
}

bool heddle__memory_is_large(uintptr_t begin, uintptr_t end) { return end - begin >= LARGE && end != UINTPTR_MAX; }

bool heddle__memory_is_gone(uintptr_t begin) {
    static atomic_long page;
    unsigned char in;
    if (!page)
        page = sysconf(_SC_PAGESIZE);
    return mincore((void *)(begin / (uintptr_t)page * (uintptr_t)page), 1, &in) && errno == ENOMEM;
}
