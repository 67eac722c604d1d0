/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device's memory for data that every chunk of a loop needs, kept from one loop to the next: a driver takes its time
 * to allocate, and frees only when all that runs on the device is done. One loop at a time has the devices, so a device
 * has one.
 */
#include "loop/chunk.h"
#include <omp.h>

static struct room {
    char *memory;
    size_t bytes;
} rooms[HEDDLE__LOOP_DEVICES];

char *heddle__room(int device, size_t bytes) {
    struct room *r = &rooms[device];
    if (bytes <= r->bytes)
        return r->memory;
    if (r->memory)
        omp_target_free(r->memory, device);
    r->memory = heddle__device_alloc(bytes, device);
    r->bytes = r->memory ? bytes : 0;
    return r->memory;
}

void heddle__room_trim(int device) {
    struct room *r = &rooms[device];
    if (r->bytes <= HEDDLE__KEEP_BYTES)
        return;
    omp_target_free(r->memory, device);
    *r = (struct room){0};
}

void heddle__room_forget(int device) { rooms[device] = (struct room){0}; }
