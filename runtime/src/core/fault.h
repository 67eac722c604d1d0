/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HEDDLE_FAULT=KIND:N makes the N-th operation of a kind fail as the real one would, to try what comes of it. It costs
 * nothing but a look at a flag where an operation is asked for; fault_calls.h puts that look before each call of
 * libheddle that can fail.
 */
#ifndef HEDDLE_FAULT_H
#define HEDDLE_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

enum heddle__fault {
    HEDDLE__FAULT_ALLOC,  /* host memory: NULL, ENOMEM */
    HEDDLE__FAULT_MAP,    /* device memory and mappings: NULL */
    HEDDLE__FAULT_LAUNCH, /* a kernel: refused by its device */
    HEDDLE__FAULT_COPY,   /* between host and device: not zero */
    HEDDLE__FAULT_EVENT,  /* streams and events of CUDA: not zero */
    HEDDLE__FAULT_THREAD, /* EAGAIN */
    HEDDLE__FAULT_WRITE,  /* a piece of a file, or its place: half of it, then ENOSPC */
    HEDDLE__FAULT_KILL,   /* SIGKILL where WRITE would fail */
    HEDDLE__FAULT_VANISH, /* a kernel: refused, and so is everything that its device is asked from then on */
    HEDDLE__FAULTS
};

extern bool heddle__fault_set; /* the environment names one; never changes once the program runs */
bool heddle__fault_now(enum heddle__fault kind, const char *file, int line);
/* Whether the device has vanished. */
bool heddle__fault_vanished(long device);
/* ... or does so now, with the kernel that it is given. */
bool heddle__fault_vanishes(long device, const char *file, int line);
/* `f` for writing to the descriptor, whose N-th write fails; NULL: none of that is asked for. */
void *heddle__fault_stream(int fd, const char *file, int line);

#define heddle__fails(kind) (__builtin_expect(heddle__fault_set, 0) && heddle__fault_now(kind, __FILE__, __LINE__))

#define heddle__is_away(device) (__builtin_expect(heddle__fault_set, 0) && heddle__fault_vanished(device))

#pragma GCC visibility pop
#endif
