/* SPDX-License-Identifier: Apache-2.0 */
/* A scene that stays on devices while pictures are made of it. */
#ifndef PATHTRACE_RESIDENT_H
#define PATHTRACE_RESIDENT_H

#include "render.h"

/* device: what --device says. Between the two calls the scene's arrays have to stay as they are. */
void resident_enter(const char *device, const struct picture *picture);
void resident_leave(const char *device, const struct picture *picture);

#endif
