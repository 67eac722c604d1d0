/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that several devices need whole, at about the same time: broadcast.c. */
#ifndef HEDDLE_TRANSFER_BROADCAST_H
#define HEDDLE_TRANSFER_BROADCAST_H

#include "core/internal.h"

/* One array of the host, and which of its blocks are on which of `places` devices. */
struct heddle__broadcast;

/* NULL: no memory. */
HEDDLE_HIDDEN struct heddle__broadcast *heddle__broadcast_new(char *host, size_t bytes, int places);
HEDDLE_HIDDEN void heddle__broadcast_free(struct heddle__broadcast *b);
/* The array has its place `there` on place `me`, device number `device`; until all places have ended their copies it
 * must stay. */
HEDDLE_HIDDEN void heddle__broadcast_join(struct heddle__broadcast *b, int me, int device, char *there);
/* For heddle__transfer_nearby(): `with` is a struct heddle__broadcast_place. */
struct heddle__broadcast_place {
    struct heddle__broadcast **array;
    int arrays, place;
};
HEDDLE_HIDDEN const char *heddle__broadcast_find(void *with, const char *host, int *device);
HEDDLE_HIDDEN void heddle__broadcast_arrived(void *with, const char *host);
#endif
