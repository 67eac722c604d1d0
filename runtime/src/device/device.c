/* SPDX-License-Identifier: Apache-2.0 */
/* The table of devices as OpenMP numbers them, and what is known of each. */
#include "cuda.h"
#include "start.h"
#include <string.h>

/* A forked child has its parent's devices, but neither the threads that serve them nor, with CUDA, a context that
 * works. */
static atomic_bool asked, forked, said;
static atomic_int last_count; /* of devices, as libomptarget said: a child does not ask it, since another thread may
                                 have been inside */
static pthread_once_t watched = PTHREAD_ONCE_INIT;

static void after_fork(void) { atomic_store(&forked, atomic_load(&forked) || atomic_load(&asked)); }
static void watch(void) { pthread_atfork(NULL, NULL, after_fork); }

int heddle_device_count(void) {
    pthread_once(&watched, watch);
    if (!atomic_load(&forked)) {
        const int count = heddle__target_count();
        if (count)
            atomic_store(&asked, true);
        atomic_store(&last_count, count);
        return count;
    }
    if (!atomic_exchange(&said, true))
        heddle__warn(NULL, "this process was forked from one that had used its devices, which do not outlive that; "
                           "running on the host. Fork first, or start a program (exec)");
    return 0;
}

int heddle__devices_started(void) {
    return atomic_load_explicit(&heddle__devices_up, memory_order_acquire) ? heddle_device_count() : 0;
}

bool heddle__is_host(int device) {
    if (device < 0)
        return device == HEDDLE_DEVICE_HOST;
    return device == (atomic_load(&forked) ? atomic_load(&last_count) : heddle__target_count());
}

/* ---- the table ------------------------------------------------------------------------------------------------- */
static struct heddle__device table[HEDDLE__DEVICES + 1]; /* the last one is the host */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init_table(void) {
    for (int k = 0; k <= HEDDLE__DEVICES; k++) {
        struct heddle__device *d = &table[k];
        d->number = k < HEDDLE__DEVICES ? k : HEDDLE_DEVICE_HOST;
        pthread_mutex_init(&d->lock, NULL);
        for (int a = 0; a < HEDDLE__ARENAS; a++)
            pthread_mutex_init(&d->arena[a].lock, NULL);
    }
    table[HEDDLE__DEVICES].ops = &heddle__ops_host;
}

/* A device is known by its operations, which never change once they are there. */
struct heddle__device *heddle__device(int device) {
    pthread_once(&once, init_table);
    if (device >= HEDDLE__DEVICES)
        return NULL;
    struct heddle__device *d = &table[device < 0 ? HEDDLE__DEVICES : device];
    if (__atomic_load_n(&d->ops, __ATOMIC_ACQUIRE))
        return d;
    const bool cuda = device < heddle__cuda_count();
    if (!cuda && device >= heddle_device_count())
        return NULL;
    __atomic_store_n(&d->ops, cuda ? &heddle__ops_cuda : &heddle__ops_omptarget, __ATOMIC_RELEASE);
    return d;
}

bool heddle__device_is_cuda(int device) {
    const struct heddle__device *d = heddle__device(device);
    return d && d->ops == &heddle__ops_cuda;
}

/* ---- facts ------------------------------------------------------------------------------------------------------- */
int heddle_device_info(int device, struct heddle_device_info *info) {
    const bool there = device < 0 ? device == HEDDLE_DEVICE_HOST : device < heddle_device_count();
    struct heddle__device *d = there ? heddle__device(device) : NULL;
    memset(info, 0, sizeof *info);
    info->number = device;
    if (!d || !d->ops->facts(d, info))
        return HEDDLE_ENODEV;
    info->kind = d->ops->kind;
    return HEDDLE_OK;
}

const struct heddle_device_info *heddle__device_facts(int device) {
    struct heddle__device *d = heddle__device(device);
    struct heddle_device_info info;
    if (!d)
        return NULL;
    if (__atomic_load_n(&d->facts.kind, __ATOMIC_ACQUIRE))
        return &d->facts;
    if (heddle_device_info(device, &info)) /* without the lock: it may wait for the device */
        return NULL;
    pthread_mutex_lock(&d->lock);
    if (!d->facts.kind) {
        const char *kind = info.kind;
        info.kind = NULL;
        info.memory_free = 0;
        d->facts = info;
        __atomic_store_n(&d->facts.kind, kind, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&d->lock);
    return &d->facts;
}

size_t heddle_device_room(int device) {
    struct heddle_device_info info;
    const size_t limit = heddle__option_bytes("memory-limit");
    size_t room = SIZE_MAX;
    if (!heddle_device_info(device, &info) && info.memory_free)
        room = info.memory_free > HEDDLE__DEVICE_SLACK ? info.memory_free - HEDDLE__DEVICE_SLACK : 0;
    return limit && limit < room ? limit : room;
}

int heddle__device_failures(int device) {
    struct heddle__device *d = heddle__device(device);
    return d ? __atomic_load_n(&d->failures, __ATOMIC_RELAXED) : 0;
}

int heddle__device_judge(int device, bool failed) {
    struct heddle__device *d = heddle__device(device);
    if (!d)
        return 0;
    pthread_mutex_lock(&d->lock);
    const int failures = failed ? d->failures + 1 : 0;
    __atomic_store_n(&d->failures, failures, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&d->lock);
    return failures;
}

bool heddle__device_first_told(int device, const void *of) {
    struct heddle__device *d = heddle__device(device);
    if (!d)
        return true;
    pthread_mutex_lock(&d->lock);
    const bool first = d->told != of;
    d->told = of;
    pthread_mutex_unlock(&d->lock);
    return first;
}
