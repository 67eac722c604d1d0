/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Array sections of a nest on a device, by OpenMP's own mapping: data that the program already holds there
 * (target data, enter data) is found and used, and reference counts stay right.
 */
#include "device/device.h"
#include <omp.h>
#include <string.h>

static char *start_of(const struct heddle_map *m) { return (char *)m->base + m->first; }

size_t heddle__maps_bytes(const struct heddle_map *maps, int nmaps, int device) {
    size_t sum = 0;
    for (int k = 0; k < nmaps; k++)
        if (!heddle__device_present(device, start_of(&maps[k])))
            sum += maps[k].bytes;
    return sum;
}

static void enter(const struct heddle_map *m, int device) {
    char *p = start_of(m);
    const size_t n = m->bytes;
    if (m->kind & HEDDLE_MAP_TO) {
#pragma omp target enter data map(to : p[0 : n]) device(device)
    } else {
#pragma omp target enter data map(alloc : p[0 : n]) device(device)
    }
}

static void leave(const struct heddle_map *m, int device, bool keep) {
    char *p = start_of(m);
    const size_t n = m->bytes;
    if (keep && (m->kind & HEDDLE_MAP_FROM)) {
#pragma omp target exit data map(from : p[0 : n]) device(device)
    } else {
#pragma omp target exit data map(release : p[0 : n]) device(device)
    }
}

/* libomptarget aborts the program when a mapping does not fit: look first. */
static bool room_for(const struct heddle_map *maps, int nmaps, int device) {
    size_t bytes[nmaps + 1];
    int n = 0;
    for (int k = 0; k < nmaps; k++)
        if (maps[k].bytes && !heddle__device_present(device, start_of(&maps[k])))
            bytes[n++] = maps[k].bytes;
    return !n || heddle__device_fits(device, bytes, n);
}

int heddle__maps_enter(const struct heddle_map *maps, int nmaps, int device, void *env) {
    if (!room_for(maps, nmaps, device))
        return HEDDLE_ENOMEM;
    for (int k = 0; k < nmaps; k++) {
        char *on_device = NULL;
        if (maps[k].bytes) {
            if (!heddle__fails(HEDDLE__FAULT_MAP)) {
                heddle__launch_begin();
                enter(&maps[k], device);
                (void)heddle__launch_end();
                on_device = heddle__device_mapped(device, start_of(&maps[k]));
            }
            if (!on_device) {
                heddle__maps_exit(maps, k, device, false);
                return HEDDLE_ENOMEM;
            }
            on_device -= maps[k].first;
        }
        memcpy((char *)env + maps[k].slot, &on_device, sizeof on_device);
    }
    return HEDDLE_OK;
}

void heddle__maps_exit(const struct heddle_map *maps, int nmaps, int device, bool keep) {
    heddle__launch_begin();
    for (int k = nmaps - 1; k >= 0; k--)
        if (maps[k].bytes)
            leave(&maps[k], device, keep);
    (void)heddle__launch_end();
}

/* The section's place on the device if all of it is there, else NULL. */
static void *whole_section(const struct heddle_map *m, int device) {
    char *first = m->bytes ? heddle__device_mapped(device, start_of(m)) : NULL;
    return first && heddle__device_mapped(device, start_of(m) + m->bytes - 1) == first + m->bytes - 1 ? first : NULL;
}

int heddle__maps_holder(const struct heddle_map *maps, int nmaps) {
    const int count = nmaps ? heddle_device_count() : 0;
    for (int device = 0; device < count; device++)
        for (int k = 0; k < nmaps; k++)
            if (maps[k].bytes && heddle__device_present(device, start_of(&maps[k])))
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

void heddle__maps_push(const struct heddle_map *maps, int nmaps, int device) {
    for (int k = 0; k < nmaps; k++) {
        void *there = maps[k].kind & HEDDLE_MAP_W ? whole_section(&maps[k], device) : NULL;
        if (there)
            heddle__device_copy_in(device, there, start_of(&maps[k]), maps[k].bytes);
    }
}
