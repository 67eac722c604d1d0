/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies that go on beside the caller. Channels are kept: to lock a block of memory takes longer than to copy it, and a
 * dozen threads that make streams at once wait for each other.
 */
#include "device.h"
#include <stdlib.h>
#include <time.h>

enum { SPARES = 64 };

int heddle__device_enter(int device) {
    struct heddle__device *d = heddle__device(device);
    return !d ? HEDDLE_ENODEV : d->ops->enter ? d->ops->enter(d) : HEDDLE_OK;
}

void heddle__device_leave(int device) {
    struct heddle__device *d = heddle__device(device);
    if (d && d->ops->leave)
        d->ops->leave(d);
}

void *heddle__device_pinned(int device, size_t bytes) {
    struct heddle__device *d = heddle__device(device);
    return d && d->ops->pinned ? d->ops->pinned(d, bytes) : NULL;
}

bool heddle__device_locked(int device, const void *here, size_t bytes) {
    struct heddle__device *d = heddle__device(device);
    return d && bytes && (!d->ops->locked || d->ops->locked(d, here, bytes));
}

bool heddle__device_reach(int device, int other) {
    struct heddle__device *d = heddle__device(device), *from = heddle__device(other);
    if (!d || !from || !d->ops->reach || d->ops != from->ops)
        return false;
    if (__atomic_load_n(&d->reached, __ATOMIC_RELAXED) >> other & 1)
        return true;
    const bool reached = !d->ops->reach(d, from);
    if (reached)
        __atomic_fetch_or(&d->reached, (uint64_t)1 << other, __ATOMIC_RELAXED);
    return reached;
}

/* ---- channels ---------------------------------------------------------------------------------------------------- */
static void drop(struct heddle__device *d, struct heddle__channel *c) {
    for (int k = 0; k < 2; k++)
        if (c->event[k])
            d->ops->event_free(d, c->event[k]);
    if (c->stream)
        d->ops->stream_free(d, c->stream);
    free(c);
}

void heddle__channel_drop(int device, struct heddle__channel *c) {
    if (c)
        drop(heddle__device(device), c);
}

static struct heddle__channel *make(struct heddle__device *d) {
    struct heddle__channel *c = calloc(1, sizeof *c);
    if (!c || !d->ops->stream)
        return c;
    bool made = !d->ops->stream(d, &c->stream);
    for (int k = 0; made && k < 2; k++)
        made = (c->pinned[k] = d->ops->pinned(d, HEDDLE__BLOCK_BYTES)) && !d->ops->event(d, &c->event[k]);
    if (made)
        return c;
    drop(d, c);
    return NULL;
}

struct heddle__channel *heddle__channel_take(int device) {
    struct heddle__device *d = heddle__device(device);
    if (!d)
        return NULL;
    pthread_mutex_lock(&d->lock);
    struct heddle__channel *c = d->spare;
    if (c) {
        d->spare = c->next;
        d->spares--;
    }
    pthread_mutex_unlock(&d->lock);
    return c ? c : make(d);
}

/* As many are kept as were ever in use at once, unless that is very many. */
void heddle__channel_give(int device, struct heddle__channel *c) {
    struct heddle__device *d = heddle__device(device);
    pthread_mutex_lock(&d->lock);
    const bool keep = d->spares < SPARES;
    if (keep) {
        c->next = d->spare;
        d->spare = c;
        d->spares++;
    }
    pthread_mutex_unlock(&d->lock);
    if (!keep)
        drop(d, c);
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */
int heddle__channel_in(int device, struct heddle__channel *c, void *there, const void *here, size_t bytes) {
    struct heddle__device *d = heddle__device(device);
    return d->ops->start_in ? d->ops->start_in(d, there, here, bytes, c->stream)
                            : heddle__device_copy_in(device, there, here, bytes);
}

int heddle__channel_out(int device, struct heddle__channel *c, void *here, const void *there, size_t bytes) {
    struct heddle__device *d = heddle__device(device);
    return d->ops->start_out ? d->ops->start_out(d, here, there, bytes, c->stream)
                             : heddle__device_copy_out(device, here, there, bytes);
}

int heddle__channel_across(int device, struct heddle__channel *c, void *there, int from, const void *at, size_t bytes) {
    struct heddle__device *d = heddle__device(device), *other = heddle__device(from);
    return d->ops->start_across && d->ops == other->ops ? d->ops->start_across(d, there, other, at, bytes, c->stream)
                                                        : heddle__device_copy_across(device, there, from, at, bytes);
}

int heddle__channel_record(int device, struct heddle__channel *c, int k) {
    struct heddle__device *d = heddle__device(device);
    return d->ops->record ? d->ops->record(d, c->event[k], c->stream) : HEDDLE_OK;
}

int heddle__channel_wait(int device, struct heddle__channel *c, int k, double timeout) {
    struct heddle__device *d = heddle__device(device);
    if (!d->ops->done)
        return HEDDLE_OK;
    for (const double begin = heddle__now();;) {
        const int done = d->ops->done(d, c->event[k]);
        const double passed = heddle__now() - begin;
        if (done)
            return done > 0 ? HEDDLE_OK : HEDDLE_ELAUNCH;
        if (passed > timeout)
            return HEDDLE_ETIMEDOUT;
        if (passed > 50e-6)
            nanosleep(&(struct timespec){0, passed > 1e-3 ? 50000 : 10000}, NULL);
    }
}
