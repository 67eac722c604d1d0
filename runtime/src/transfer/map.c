/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Array sections of a nest on a device, by OpenMP's own mapping: data that the program already holds there
 * (target data, enter data) is found and used, and reference counts stay right.
 */
#include "device/device.h"
#include <string.h>

static char *start_of(const struct heddle_map *m) { return (char *)m->base + m->first; }

size_t heddle__maps_bytes(const struct heddle_map *maps, int nmaps, int device) {
    size_t sum = 0;
    for (int k = 0; k < nmaps; k++)
        if (!heddle__device_present(device, start_of(&maps[k])))
            sum += maps[k].bytes;
    return sum;
}

/* libomptarget aborts the program when a mapping does not fit: look first. */
static bool room_for(const struct heddle_map *maps, int nmaps, int device) {
    size_t bytes[nmaps + 1];
    int n = 0;
    for (int k = 0; k < nmaps; k++)
        if (maps[k].bytes && !heddle__device_present(device, start_of(&maps[k])))
            bytes[n++] = maps[k].bytes;
    struct heddle__device *d = heddle__device(device);
    return !n || (d && d->ops->fits(d, bytes, n));
}

int heddle__maps_enter(const struct heddle_map *maps, int nmaps, int device, void *env) {
    void *there[nmaps + 1];
    if (!room_for(maps, nmaps, device) || heddle__device_map(device, maps, nmaps, there))
        return HEDDLE_ENOMEM;
    for (int k = 0; k < nmaps; k++) {
        char *base = maps[k].bytes ? (char *)there[k] - maps[k].first : NULL;
        memcpy((char *)env + maps[k].slot, &base, sizeof base);
    }
    return HEDDLE_OK;
}

void heddle__maps_exit(const struct heddle_map *maps, int nmaps, int device, bool keep) {
    heddle__device_unmap(device, maps, nmaps, keep);
}

/* The section's place on the device if all of it is there, else NULL. */
static void *whole_section(const struct heddle_map *m, int device) {
    char *first = m->bytes ? heddle__device_mapped(device, start_of(m)) : NULL;
    return first && heddle__device_mapped(device, start_of(m) + m->bytes - 1) == first + m->bytes - 1 ? first : NULL;
}

int heddle__maps_holder(const struct heddle_map *maps, int nmaps) {
    const int count = nmaps ? heddle__devices_started() : 0;
    for (int device = 0; device < count; device++)
        for (int k = 0; k < nmaps; k++)
            if (maps[k].bytes && heddle__device_present(device, start_of(&maps[k])) &&
                !heddle__maps_pass(&maps[k], device))
                return device;
    return HEDDLE_DEVICE_HOST;
}

void heddle__maps_pull(const struct heddle_map *maps, int nmaps, int device) {
    for (int k = 0; k < nmaps; k++) {
        void *there = whole_section(&maps[k], device);
        if (there)
            heddle__device_copy_out(device, start_of(&maps[k]), there, maps[k].bytes);
    }
}

bool heddle__maps_are_there(const struct heddle_map *maps, int nmaps, int device) {
    bool all = true;
    for (int k = 0; k < nmaps && all; k++)
        all = !maps[k].bytes || (whole_section(&maps[k], device) && !heddle__maps_pass(&maps[k], device));
    return all;
}

void heddle__maps_push(const struct heddle_map *maps, int nmaps, int device) {
    for (int k = 0; k < nmaps; k++) {
        void *there = maps[k].kind & HEDDLE_MAP_W ? whole_section(&maps[k], device) : NULL;
        if (there)
            heddle__device_copy_in(device, there, start_of(&maps[k]), maps[k].bytes);
    }
}
