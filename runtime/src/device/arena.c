/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory kept between runs: grown when needed, and never by more than there is. */
#include "device.h"

static bool is_shared(enum heddle__arena_use use) {
    return use == HEDDLE__ARENA_POOL_SPILL || use == HEDDLE__ARENA_RING_SPILL;
}

static void release(int device, enum heddle__arena_use use, struct heddle__arena *a) {
    if (is_shared(use))
        heddle__shared_free(device, a->memory);
    else
        heddle__device_free(device, a->memory);
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
    struct heddle__arena *a = heddle__arena(device, use);
    if (!a || bytes <= a->bytes)
        return a ? a->memory : NULL;
    if (!is_shared(use) && is_hopeless(device, a, bytes))
        return NULL;
    release(device, use, a);
    a->memory = is_shared(use) ? heddle__shared_alloc(device, bytes) : heddle__device_alloc(device, bytes);
    a->bytes = a->memory ? bytes : 0;
    return a->memory;
}

void heddle__arena_trim(int device, enum heddle__arena_use use) {
    struct heddle__arena *a = heddle__arena(device, use);
    if (a && a->bytes > HEDDLE__ARENA_KEEP)
        release(device, use, a);
}

void heddle__arena_forget(int device, enum heddle__arena_use use) {
    struct heddle__arena *a = heddle__arena(device, use);
    if (a) {
        a->memory = NULL;
        a->bytes = 0;
    }
}
