/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who takes part in a loop: devices with an image of it (or a variant) and threads of the host, by the device clause
 * and HEDDLE_DEVICE. Devices of one name are one class; all threads of the host are another.
 */
#include "device/available.h"
#include "engine.h"
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct wish {
    bool host, all;
    uint64_t only; /* devices named by number */
    int largest;   /* of them */
};

static bool read_number(struct wish *w, const char *text, char **end) {
    const long number = strtol(text, end, 10);
    if (*end == text || number < 0 || number > INT_MAX)
        return false;
    w->only |= number < HEDDLE__LOOP_DEVICES ? 1ull << number : 0;
    w->largest = (int)number > w->largest ? (int)number : w->largest;
    return true;
}

/* HEDDLE_DEVICE: auto, host, all, or numbers joined by commas. */
static bool read_option(struct wish *w) {
    char option[HEDDLE__OPTION_MAX], *at = option;
    heddle__option_read("device", option, sizeof option);
    w->host = !strcmp(option, "host");
    w->all = !strcmp(option, "all") || !strcmp(option, "auto");
    while (!w->host && !w->all && read_number(w, at, &at)) {
        if (!*at)
            return true;
        at += *at == ',';
    }
    if (!w->host && !w->all)
        heddle__option_bad("device", option);
    w->all |= !w->host;
    return false;
}

static struct wish read_wish(const struct heddle_loop *loop) {
    struct wish w = {.largest = -1};
    const int device = loop->device;
    if (heddle__is_host(device))
        w.host = true;
    else if (device == HEDDLE_DEVICE_ALL)
        w.all = true;
    else if (device >= 0)
        w.largest = device, w.only = device < HEDDLE__LOOP_DEVICES ? 1ull << device : 0;
    else if (read_option(&w))
        return w;
    if (w.all)
        w.only = 0, w.largest = -1;
    w.host |= w.all;
    return w;
}

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
static bool usable(const struct heddle_loop *loop, int device, bool asked, bool *cuda, heddle_loop_form **drive) {
    const struct heddle_device_info *info = heddle__device_facts(device);
    if (!info || heddle__device_failures(device) >= FAILURES)
        return false;
    if (!heddle__device_available(device)) {
        if (asked && heddle__device_first_told(device, &loop->type->site))
            heddle__device_refused(&loop->type->site, device);
        return false;
    }
    *cuda = !strcmp(info->kind, "cuda");
    *drive = *cuda ? loop->type->drive_cuda : loop->type->drive_other;
    if (*drive)
        return true;
    if (!loop->type->kernel) {
        if (asked && heddle__device_first_told(device, &loop->type->site))
            heddle__warn(&loop->type->site, "%s for device %d (%s); running on the host",
                         loop->type->drive_cuda || loop->type->drive_other ? "no variant"
                                                                           : "a reduction's type has no code",
                         device, info->kind);
        return false;
    }
    if (heddle__architecture(&loop->type->site, device) != HEDDLE_ARCH_NONE)
        return true;
    if (asked && heddle__device_first_told(device, &loop->type->site))
        heddle__warn(
            &loop->type->site,
            "the program holds no code for device %d; running on the host. Compile with heddle cc --targets=native on "
            "this machine",
            device);
    return false;
}

/* The factor that HEDDLE_SLOW=0:2,host:3 gives to a device. */
static double slowness(int device) {
    char option[HEDDLE__OPTION_MAX], key[16], *rest = NULL;
    heddle__option_read("slow", option, sizeof option);
    if (!*option)
        return 1;
    snprintf(key, sizeof key, device < 0 ? "host" : "%d", device);
    for (char *one = strtok_r(option, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        char *colon = strchr(one, ':');
        const double factor = colon ? strtod(colon + 1, NULL) : 0;
        if (factor >= 1 && (size_t)(colon - one) == strlen(key) && !strncmp(one, key, strlen(key)))
            return factor;
    }
    return 1;
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

void heddle__participant_add(struct heddle__engine *e, int device, bool cuda, heddle_loop_form *drive) {
    struct heddle__participant *p = &e->participant[e->participants];
    *p = (struct heddle__participant){.engine = e,
                                      .number = e->participants++,
                                      .device = device,
                                      .cuda = cuda,
                                      .drive = drive,
                                      .slow = slowness(device),
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

static struct wish settled(const struct heddle__engine *e) {
    struct wish w = {.largest = -1};
    if (e->settled == HEDDLE__OPEN)
        return read_wish(e->loop);
    w.host = e->settled == HEDDLE__ONE_THREAD || e->settled == HEDDLE__WHOLE_HOST;
    w.only = e->settled == HEDDLE__EQUALS ? e->equals : e->settled >= 0 ? 1ull << e->settled : 0;
    return w;
}

int heddle__loop_find_participants(struct heddle__engine *e) {
    const struct heddle_loop *loop = e->loop;
    const struct wish wish = settled(e);
    const int count = wish.host && !wish.all ? 0 : heddle_device_count();
    heddle_loop_form *drive;
    bool cuda;
    e->participant = calloc((size_t)(count + heddle__host_threads() + 1), sizeof *e->participant);
    if (!e->participant)
        return HEDDLE_ENOMEM;
    if (wish.largest >= count)
        heddle__warn(&e->type->site,
                     "device %d is not there (%d found); running on the host. `heddle doctor` shows the devices",
                     wish.largest, count);
    for (int d = 0; d < count && d < HEDDLE__LOOP_DEVICES; d++)
        if ((wish.all || wish.only >> d & 1) && usable(loop, d, !wish.all, &cuda, &drive))
            heddle__participant_add(e, d, cuda, drive);
    const bool host = wish.host || !e->participants;
    const int threads = e->settled == HEDDLE__ONE_THREAD ? 1 : host_threads(e);
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
