/* SPDX-License-Identifier: Apache-2.0 */
/* --resident: the scene stays on the devices for all runs of the loop. */
#ifndef RAYTRACE_RESIDENT_H
#define RAYTRACE_RESIDENT_H

#include "render.h"

/* device: as of --device. Nothing of these may change between the two calls. */
void resident_enter(const char *device, const struct frame *frame, const struct scene *scene, const struct bvh *bvh);
void resident_leave(const char *device, const struct frame *frame, const struct scene *scene, const struct bvh *bvh);

#endif
