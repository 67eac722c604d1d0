/* SPDX-License-Identifier: Apache-2.0 */
/* When devices start: at the first question about them, not when a program is loaded. */
#ifndef HEDDLE_DEVICE_START_H
#define HEDDLE_DEVICE_START_H

#include "core/internal.h"

/* A program or library with device code is loaded (libomptarget's descriptor of it) or goes. */
HEDDLE_HIDDEN void heddle__library_add(void *library);
HEDDLE_HIDDEN void heddle__library_remove(void *library);
HEDDLE_HIDDEN unsigned heddle__libraries_added(void); /* how many so far */
#define HEDDLE__START_SECONDS 0.3                     /* that a GPU takes to start */

/* Before whatever asks libomptarget. Returns when the devices are there; at once after the first time. */
HEDDLE_HIDDEN void heddle__devices_start(void);
HEDDLE_HIDDEN extern atomic_bool heddle__devices_up;
/* The same where it is on the way of every call. */
#define HEDDLE__DEVICES_START()                                                                                        \
    do                                                                                                                 \
        if (!atomic_load_explicit(&heddle__devices_up, memory_order_acquire))                                          \
            heddle__devices_start();                                                                                   \
    while (0)
/* Nobody has asked yet: nothing is on a device. */
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__devices_wait(void);

#endif
