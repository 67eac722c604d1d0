/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_DEVICE_OMPTARGET_H
#define HEDDLE_DEVICE_OMPTARGET_H

#include "core/internal.h"

/* An entry point of libomptarget's own, past the hooks by the same name in this library; NULL: it has none. */
HEDDLE_HIDDEN void *heddle__omptarget_function(const char *name);
HEDDLE_HIDDEN void *heddle__omptarget_own(const char *name); /* libomptarget's, whoever stands before it */

#endif
