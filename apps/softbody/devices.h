/* SPDX-License-Identifier: Apache-2.0 */
/* Devices that solve sets of bodies beside the host. */
#ifndef SOFTBODY_DEVICES_H
#define SOFTBODY_DEVICES_H

#include "softbody.h"

struct devices;
/* `name` as --device has it: numbers joined by commas, then host or not; all. NULL: the message says why. */
struct devices *devices_open(const char *name, const struct scene *scene, int threads, char *message, size_t room);
void devices_close(struct devices *devices);
uint32_t devices_count(const struct devices *devices);
/* Which device gets which bodies: each says so itself (body->place), sets stay together. */
bool devices_deal(struct devices *devices, struct scene *scene);
/* One device's part of a step; then the host gets the places. Each may be called by a thread of its own, once all are
 * done with the one before. A device runs from `start` on where sets are split, else from `finish` on. False:
 * devices_problem() says why. */
bool devices_start(struct devices *devices, uint32_t number, struct scene *scene);
bool devices_finish(struct devices *devices, uint32_t number, struct scene *scene);
bool devices_move(struct devices *devices, uint32_t number, struct scene *scene);
/* Sets of the last step that several devices had. */
uint32_t devices_splits(const struct devices *devices);
/* How long the host took for what it got. */
void devices_host_took(struct devices *devices, double seconds);
/* Seconds so far, the mean of all devices. */
enum { DEVICE_PREPARE, DEVICE_RUN, DEVICE_RETURN, DEVICE_MOVE, DEVICE_PHASES };
double devices_seconds(const struct devices *devices, int phase);
/* The host gets all that bodies on devices have; they stay there. */
bool devices_fetch(struct devices *devices, struct scene *scene);
const char *devices_problem(const struct devices *devices);

#endif
