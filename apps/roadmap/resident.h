/* SPDX-License-Identifier: Apache-2.0 */
/* The body and what stands around it stay on devices while maps are made. */
#ifndef ROADMAP_RESIDENT_H
#define ROADMAP_RESIDENT_H

#include "roadmap.h"

/* device: what --device says. Between the two calls the arrays have to stay as they are. */
void resident_enter(const char *device, const struct surroundings *around);
void resident_leave(const char *device, const struct surroundings *around);

#endif
