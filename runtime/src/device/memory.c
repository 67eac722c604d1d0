/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a device and copies to it. Memory is looked for before it is asked for: libomptarget writes lines of its
 * own when an allocation fails, and ends the program when a mapping does.
 */
#include "device.h"

bool heddle__device_fits(int device, const size_t *bytes, int count) {
    struct heddle__device *d = heddle__device(device);
    return d && d->ops->fits(d, bytes, count);
}

void *heddle__device_alloc(int device, size_t bytes) {
    struct heddle__device *d = heddle__device(device);
    return heddle__device_fits(device, &bytes, 1) ? d->ops->alloc(d, bytes) : NULL;
}

void heddle__device_free(int device, void *at) {
    struct heddle__device *d = heddle__device(device);
    if (at && d)
        d->ops->free(d, at);
}

int heddle__device_copy_in(int device, void *there, const void *here, size_t bytes) {
    struct heddle__device *d = heddle__device(device);
    return !d ? HEDDLE_ENODEV : bytes ? d->ops->copy_in(d, there, here, bytes) : HEDDLE_OK;
}

int heddle__device_copy_out(int device, void *here, const void *there, size_t bytes) {
    struct heddle__device *d = heddle__device(device);
    return !d ? HEDDLE_ENODEV : bytes ? d->ops->copy_out(d, here, there, bytes) : HEDDLE_OK;
}

int heddle__device_copy_across(int device, void *there, int from, const void *at, size_t bytes) {
    struct heddle__device *d = heddle__device(device), *other = heddle__device(from);
    return !d || !other ? HEDDLE_ENODEV : bytes ? d->ops->copy_across(d, there, other, at, bytes) : HEDDLE_OK;
}

int heddle__device_zero(int device, void *there, size_t bytes) {
    struct heddle__device *d = heddle__device(device);
    if (!d || !bytes)
        return d ? HEDDLE_OK : HEDDLE_ENODEV;
    const int error = d->ops->zero(d, there, bytes);
    const bool again = error && d->ops != &heddle__ops_omptarget; /* no stream for it */
    return again ? heddle__ops_omptarget.zero(d, there, bytes) : error;
}
