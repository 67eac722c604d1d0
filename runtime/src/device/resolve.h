/* SPDX-License-Identifier: Apache-2.0 */
/* Which devices a call runs on: by its device clause, else HEDDLE_DEVICE, else by what it costs on each. */
#ifndef HEDDLE_DEVICE_RESOLVE_H
#define HEDDLE_DEVICE_RESOLVE_H

#include "core/internal.h"
#include <stdint.h>

/* What was asked for. */
struct heddle__wish {
    bool open;        /* nothing: `auto` */
    bool all;         /* every device that can; with `auto`, too */
    bool host;        /* the host is one of them */
    uint64_t devices; /* bit set of those that are named by their numbers */
    int largest;      /* of these numbers, which may be too large for the set; -1: none */
    int negative;     /* a number that no device has; 0: none */
};
/* `clause`: a device's number, either number of the host, HEDDLE_DEVICE_ALL, or HEDDLE_DEVICE_AUTO: HEDDLE_DEVICE
   says. A value that cannot be read is complained about, and `auto`. */
HEDDLE_HIDDEN struct heddle__wish heddle__wish_read(int clause);
/* The lines for what cannot be had, of `count` devices. Each is followed by a run on the host. */
HEDDLE_HIDDEN void heddle__warn_missing(const struct heddle_site *site, const struct heddle__wish *wish, int count);
HEDDLE_HIDDEN void heddle__warn_no_code(const struct heddle_site *site, int device);

/* A call that one device runs, or all together. */
struct heddle__resolve {
    const struct heddle_site *site;
    int clause;
    bool shares;      /* all devices can run it together; else `all` is as good as `auto` */
    int holder;       /* the device on which the program keeps the arrays, or HEDDLE_DEVICE_HOST */
    double work;      /* cells or tasks */
    double gpu_from;  /* with as much work a GPU is taken to be faster, until both have been measured */
    double host_rate; /* work a second that a thread of the host does at most; 0: not known */
    /* Seconds that a model expects there; 0: it knows nothing. May be NULL. */
    double (*expected)(const void *with, int device);
    const void *with;
    bool *settled; /* set where every call of about that work goes there, without a line; or NULL */
};
/* The number of a device that has code for it, HEDDLE_DEVICE_ALL or HEDDLE_DEVICE_HOST. */
HEDDLE_HIDDEN int heddle__resolve(const struct heddle__resolve *call);
/* What a call of that much work took, on a device or the host. */
HEDDLE_HIDDEN void heddle__resolve_note(const struct heddle_site *site, int device, double work, double seconds);

#endif
