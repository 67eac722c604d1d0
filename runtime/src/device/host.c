/* SPDX-License-Identifier: Apache-2.0 */
/* The host as a device: its memory is the program's. */
#include "device.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool facts(struct heddle__device *d, struct heddle_device_info *info) {
    char line[256];
    (void)d;
    info->units = omp_get_num_procs();
    info->memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    info->memory_free = (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    snprintf(info->name, sizeof info->name, "host");
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
            line[strcspn(line, "\n")] = 0;
            snprintf(info->name, sizeof info->name, "%s", strchr(line, ':') + 2);
            break;
        }
    if (f)
        fclose(f);
    return true;
}

static void *host_alloc(struct heddle__device *d, size_t bytes) { return (void)d, malloc(bytes); }
static void host_free(struct heddle__device *d, void *at) { (void)d, free(at); }

static int copy(struct heddle__device *d, void *to, const void *from, size_t bytes) {
    (void)d;
    memcpy(to, from, bytes);
    return HEDDLE_OK;
}

static int zero(struct heddle__device *d, void *at, size_t bytes) {
    (void)d;
    memset(at, 0, bytes);
    return HEDDLE_OK;
}

const struct heddle__device_ops heddle__ops_host = {
    .kind = "host",
    .facts = facts,
    .alloc = host_alloc,
    .free = host_free,
    .shared_alloc = host_alloc,
    .shared_free = host_free,
    .fits = heddle__target_fits,
    .copy_in = copy,
    .copy_out = copy,
    .copy_across = heddle__target_copy_across,
    .zero = zero,
};
