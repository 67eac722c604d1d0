/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who takes part in a loop: devices with an image of it (or a variant) and threads of the host, by the device clause
 * and HEDDLE_DEVICE. Devices of one name are one class; all threads of the host are another.
 */
#include "device/available.h"
#include "device/resolve.h"
#include "engine.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* A device that fails in three loops one after the other is not asked again. */
enum { FAILURES = 3 };

void heddle__loop_judge_devices(const struct heddle__engine *e) {
    for (int k = 0; k < e->participants; k++) {
        const struct heddle__participant *p = &e->participant[k];
        if (p->device < 0 || (!p->gone && !p->chunks))
            continue;
        if (heddle__device_judge(p->device, p->gone) == FAILURES)
            heddle__warn(&e->type->site, "device %d failed in %d loops; no other one will use it", p->device, FAILURES);
    }
}

/* Can the loop run on the device? */
static bool usable(const struct heddle_loop *loop, int device, bool asked, bool *cuda, heddle_loop_form **host_driven) {
    const struct heddle_device_info *info = heddle__device_facts(device);
    if (!info || heddle__device_failures(device) >= FAILURES)
        return false;
    if (!heddle__device_available(device)) {
        if (asked && heddle__device_first_told(device, &loop->type->site))
            heddle__device_refused(&loop->type->site, device);
        return false;
    }
    *cuda = !strcmp(info->kind, "cuda");
    *host_driven = *cuda ? loop->type->host_driven_cuda : loop->type->host_driven_other;
    if (*host_driven)
        return true;
    if (!loop->type->kernel) {
        if (asked && !loop->type->host_only && heddle__device_first_told(device, &loop->type->site))
            heddle__warn(&loop->type->site, "%s for device %d (%s); running on the host",
                         loop->type->host_driven_cuda || loop->type->host_driven_other
                             ? "no variant"
                             : "a reduction's type has no code",
                         device, info->kind);
        return false;
    }
    if (heddle__architecture(&loop->type->site, device) != HEDDLE_ARCH_NONE)
        return true;
    if (asked && heddle__device_first_told(device, &loop->type->site))
        heddle__warn_no_code(&loop->type->site, device);
    return false;
}

/* Of devices that are not GPUs only the number is known, and that they are processors. */
static int class_of(struct heddle__engine *e, int device, double slow) {
    const struct heddle_device_info *info = heddle__device_facts(device);
    const char *name = info && strcmp(info->kind, "other") ? info->name : "OpenMP device";
    char text[160];
    if (slow > 1) {
        snprintf(text, sizeof text, "%.120s slowed by %g", name, slow);
        name = text;
    }
    for (int k = 0; k < e->classes; k++)
        if (!strcmp(e->class_name[k], name))
            return k;
    if (!(e->class_name[e->classes] = strdup(name)))
        return e->classes ? e->classes - 1 : 0;
    return e->classes++;
}

void heddle__participant_add(struct heddle__engine *e, int device, bool cuda, heddle_loop_form *host_driven) {
    struct heddle__participant *p = &e->participant[e->participants];
    *p = (struct heddle__participant){.engine = e,
                                      .number = e->participants++,
                                      .device = device,
                                      .cuda = cuda,
                                      .host_driven = host_driven,
                                      .slow = heddle__device_slowness(device),
                                      .first = -1};
    p->class = class_of(e, device, p->slow);
    pthread_mutex_init(&p->lock, NULL);
    p->env = device < 0 ? NULL : malloc(e->type->env_bytes + 1);
    p->clock.at = e->start;
}

/* A device that is no GPU computes on the host's cores itself. */
static int host_threads(struct heddle__engine *e) {
    int gpus = 0;
    for (int k = 0; k < e->participants; k++)
        gpus += e->participant[k].cuda;
    const int threads = heddle__cores_share(&e->cores, gpus) - (e->participants - gpus);
    return threads > 1 ? threads : 1;
}

static struct heddle__wish wish_of(const struct heddle__engine *e) {
    struct heddle__wish w = {.largest = -1};
    if (e->choice.form == HEDDLE__CHOICE_OPEN)
        return heddle__wish_read(e->loop->device);
    w.host = e->choice.form != HEDDLE__CHOICE_DEVICES;
    w.devices = w.host ? 0 : e->choice.devices;
    return w;
}

int heddle__loop_find_participants(struct heddle__engine *e) {
    const struct heddle_loop *loop = e->loop;
    const struct heddle__wish wish = wish_of(e);
    const int count = wish.all || wish.devices || wish.largest >= 0 || wish.negative ? heddle_device_count() : 0;
    heddle_loop_form *host_driven;
    bool cuda;
    e->participant = calloc((size_t)(count + heddle__host_threads() + 1), sizeof *e->participant);
    if (!e->participant)
        return HEDDLE_ENOMEM;
    heddle__warn_missing(&e->type->site, &wish, count);
    for (int d = 0; d < count && d < HEDDLE__LOOP_DEVICES; d++)
        if ((wish.all || wish.devices >> d & 1) && usable(loop, d, !wish.all, &cuda, &host_driven))
            heddle__participant_add(e, d, cuda, host_driven);
    const bool host = wish.host || !e->participants;
    const int threads = e->choice.form == HEDDLE__CHOICE_ONE_THREAD ? 1 : host_threads(e);
    e->cores.split &= host;
    for (int k = 0; host && k < threads; k++)
        heddle__participant_add(e, HEDDLE_DEVICE_HOST, false, NULL);
    for (int k = 0; k < e->participants; k++)
        if (e->participant[k].device >= 0 && !e->participant[k].env)
            return HEDDLE_ENOMEM;
    return e->participants && !e->classes ? HEDDLE_ENOMEM : HEDDLE_OK; /* not even one name */
}

int heddle__loop_count_devices(const struct heddle__engine *e, int before) {
    int devices = 0;
    for (int k = 0; k < before; k++)
        devices += e->participant[k].device >= 0;
    return devices;
}
