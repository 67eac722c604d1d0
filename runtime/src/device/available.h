/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OMP_AVAILABLE_DEVICES of OpenMP 6.0: the devices that may be used, first the one that is preferred. No libomptarget
 * up to LLVM 22 reads it, so it is heddle's choices that keep to it, and devices keep the numbers that libomptarget
 * gives them.
 */
#ifndef HEDDLE_DEVICE_AVAILABLE_H
#define HEDDLE_DEVICE_AVAILABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { HEDDLE__AVAILABLE_MAX = 64 };

/* What the list may ask a device for. */
struct heddle__traits {
    const char *kind, *vendor, *arch; /* gpu or cpu; nvidia; nvptx64 */
    char isa[16], uid[64];            /* sm_90; as omp_get_uid_from_device() says it */
};

/* Reads the list for `count` devices. order[] gets the numbers of those that it names; returns how many, or -1 with
 *wrong at the first character that fits nowhere. */
int heddle__available_read(const char *text, const struct heddle__traits *devices, int count,
                           int order[HEDDLE__AVAILABLE_MAX], const char **wrong);

bool heddle__device_available(int device);
struct heddle_site;
/* Says of a device that the program or the user named that it may not be used; false where it may. */
bool heddle__device_refused(const struct heddle_site *site, int device);
/* The device itself where it may be used, else the preferred one; -1: none may. by_user: asked for by number. */
int heddle__available_instead(int device, bool by_user);

#endif
