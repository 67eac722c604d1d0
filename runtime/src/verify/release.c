/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that goes back to the allocator is somebody else's next: what is known of it no longer counts. */
#include "verify.h"

#include <malloc.h>

void __libc_free(void *p);
void *__libc_realloc(void *p, size_t size);

static void gone(void *p) {
    if (!p || (!verify_inside && !lost_cells))
        return;
    directive_lock();
    shadow_clear((uintptr_t)p, malloc_usable_size(p));
    directive_unlock();
}

EXPORT void free(void *p) {
    gone(p);
    __libc_free(p);
}

EXPORT void *realloc(void *p, size_t size) {
    gone(p);
    return __libc_realloc(p, size);
}
