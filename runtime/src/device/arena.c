/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory kept between runs: grown when needed, and never by more than there is. */
#include "device.h"

static bool is_shared(enum heddle__arena_use use) {
    return use == HEDDLE__ARENA_POOL_SPILL || use == HEDDLE__ARENA_RING_SPILL;
}

static void release(struct heddle__device *d, enum heddle__arena_use use) {
    struct heddle__arena *a = &d->arena[use];
    if (a->memory)
        (is_shared(use) ? d->ops->shared_free : d->ops->free)(d, a->memory);
    a->memory = NULL;
    a->bytes = 0;
}

struct heddle__arena *heddle__arena(int device, enum heddle__arena_use use) {
    struct heddle__device *d = heddle__device(device);
    return d ? &d->arena[use] : NULL;
}

/* What cannot be had even with the old memory does not cost that. */
static bool is_hopeless(int device, const struct heddle__arena *a, size_t bytes) {
    struct heddle_device_info info;
    return a->bytes && !heddle_device_info(device, &info) && info.memory_free && bytes > info.memory_free + a->bytes;
}

char *heddle__arena_reserve(int device, enum heddle__arena_use use, size_t bytes) {
    struct heddle__device *d = heddle__device(device);
    struct heddle__arena *a = heddle__arena(device, use);
    if (!a || bytes <= a->bytes)
        return a ? a->memory : NULL;
    if (!is_shared(use) && is_hopeless(device, a, bytes))
        return NULL;
    release(d, use);
    a->memory = is_shared(use) ? d->ops->shared_alloc(d, bytes) : heddle__device_alloc(device, bytes);
    a->bytes = a->memory ? bytes : 0;
    return a->memory;
}

void heddle__arena_trim(int device, enum heddle__arena_use use) {
    struct heddle__arena *a = heddle__arena(device, use);
    if (a && a->bytes > HEDDLE__ARENA_KEEP)
        release(heddle__device(device), use);
}

void heddle__arena_forget(int device, enum heddle__arena_use use) {
    struct heddle__arena *a = heddle__arena(device, use);
    if (a) {
        a->memory = NULL;
        a->bytes = 0;
    }
}
