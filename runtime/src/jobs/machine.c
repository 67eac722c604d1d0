/* SPDX-License-Identifier: Apache-2.0 */
/* The machine as a policy sees it: devices with code for some type of job, and the host, by the clause and
 * HEDDLE_DEVICE.
 */
#include "device/available.h"
#include "device/resolve.h"
#include "engine.h"
#include <stdlib.h>
#include <string.h>

enum { FAILURES = 3 /* one after the other: the device is not asked again */ };

static bool has_code(const struct heddle__jobs_engine *e, int type, int device) {
    const struct heddle_loop_type *loop = e->kind[type].loop;
    return loop->kernel && heddle__architecture(&loop->site, device) != HEDDLE_ARCH_NONE;
}

static bool usable(const struct heddle__jobs_engine *e, int device, bool asked) {
    if (!heddle__device_facts(device) || heddle__device_failures(device) >= FAILURES)
        return false;
    if (!heddle__device_available(device)) {
        if (asked && heddle__device_first_told(device, e->call))
            heddle__device_refused(&e->site, device);
        return false;
    }
    for (int t = 0; t < e->types; t++)
        if (has_code(e, t, device))
            return true;
    if (asked && heddle__device_first_told(device, e->kind[0].loop))
        heddle__warn_no_code(&e->site, device);
    return false;
}

/* Of devices that are not GPUs only the number is known, and that they are processors. Devices of a class run the same
   types. */
static int class_of(struct heddle__jobs_engine *e, const struct heddle__jobs_device *d) {
    const struct heddle_device_info *info = heddle__device_facts(d->device);
    char name[256];
    int n = snprintf(name, sizeof name, "%.120s", info && strcmp(info->kind, "other") ? info->name : "OpenMP device");
    if (d->slow > 1)
        n += snprintf(name + n, sizeof name - (size_t)n, " slowed by %g", d->slow);
    for (int t = 0; t < e->types && n < (int)sizeof name; t++)
        if (!d->can[t])
            n += snprintf(name + n, sizeof name - (size_t)n, " without %d", t);
    for (int k = 0; k < e->classes; k++)
        if (!strcmp(e->class_name[k], name))
            return k;
    if (!(e->class_name[e->classes] = strdup(name)))
        return -1;
    return e->classes++;
}

static int add(struct heddle__jobs_engine *e, int device) {
    struct heddle__jobs_device *d = &e->device[e->devices];
    const size_t types = (size_t)e->types;
    *d = (struct heddle__jobs_device){.engine = e,
                                      .number = e->devices,
                                      .device = device,
                                      .cuda = device >= 0 && heddle__device_is_cuda(device),
                                      .slow = heddle__device_slowness(device),
                                      .threads = 1,
                                      .queue = calloc(types, sizeof *d->queue),
                                      .running = calloc(types, sizeof *d->running),
                                      .can = calloc(types, sizeof *d->can),
                                      .costs = calloc(types, sizeof *d->costs),
                                      .done = calloc(types, sizeof *d->done),
                                      .open = calloc((size_t)e->lists, sizeof *d->open)};
    e->devices++;
    if (!d->queue || !d->running || !d->can || !d->costs || !d->done || !d->open)
        return HEDDLE_ENOMEM;
    for (int t = 0; t < e->types; t++)
        d->can[t] = device < 0 || has_code(e, t, device);
    if ((d->class = class_of(e, d)) < 0)
        return HEDDLE_ENOMEM;
    e->facts[d->number] =
        (struct heddle_jobs_device){.device = device, .class = d->class, .memory = device < 0 ? 0 : 1 + d->number};
    e->home = device < 0 ? d->number : e->home;
    if (device >= 0)
        heddle__jobs_recall_memory(d);
    return HEDDLE_OK;
}

static bool all_can(const struct heddle__jobs_engine *e) {
    for (int k = 0; k < e->devices; k++)
        for (int t = 0; t < e->types; t++)
            if (!e->device[k].can[t])
                return false;
    return e->devices > 0;
}

void heddle__jobs_free_device(struct heddle__jobs_device *d) {
    free(d->open);
    free(d->queue);
    free(d->running);
    free(d->can);
    free(d->costs);
    free(d->done);
}

/* A device that is no GPU computes on the host's cores itself. */
static int host_threads(struct heddle__jobs_engine *e) {
    int gpus = 0;
    for (int k = 0; k < e->devices; k++)
        gpus += e->device[k].cuda;
    const int threads = heddle__cores_share(&e->cores, gpus) - (e->devices - (e->home >= 0) - gpus);
    return threads > 1 ? threads : 1;
}

static void count_threads(struct heddle__jobs_engine *e) {
    const int threads = host_threads(e);
    if (e->home >= 0)
        e->device[e->home].threads = threads;
    e->cores.split &= e->home >= 0 && e->devices > 1;
}

void heddle__jobs_leave_out(struct heddle__jobs_engine *e, int number) {
    for (int k = number; k < e->devices; k++) /* its memory knows where the device stands */
        heddle__jobs_keep_memory(&e->device[k]);
    heddle__jobs_free_device(&e->device[number]);
    e->devices--;
    e->home = e->home == number ? -1 : e->home;
    for (int k = number; k < e->devices; k++) {
        struct heddle__jobs_device *d = &e->device[k];
        *d = e->device[k + 1];
        d->number = k;
        e->facts[k] =
            (struct heddle_jobs_device){.device = d->device, .class = d->class, .memory = d->device < 0 ? 0 : 1 + k};
        e->home = d->device < 0 ? k : e->home;
        d->memory = 0;
        if (d->device >= 0)
            heddle__jobs_recall_memory(d);
    }
    count_threads(e);
}

int heddle__jobs_find_devices(struct heddle__jobs_engine *e) {
    const struct heddle__wish wish = heddle__wish_read(e->call->device);
    const int count = wish.all || wish.devices || wish.largest >= 0 || wish.negative ? heddle_device_count() : 0;
    int error = HEDDLE_OK;
    e->device = calloc((size_t)count + 2, sizeof *e->device);
    if (!e->device)
        return HEDDLE_ENOMEM;
    heddle__warn_missing(&e->site, &wish, count);
    for (int d = 0; !error && d < count && d < HEDDLE__DEVICES; d++)
        if ((wish.all || wish.devices >> d & 1) && !(e->excluded >> d & 1) && usable(e, d, !wish.all))
            error = add(e, d);
    if (!error && (wish.host || !all_can(e)))
        error = add(e, HEDDLE_DEVICE_HOST);
    count_threads(e);
    return error;
}
