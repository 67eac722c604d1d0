/* SPDX-License-Identifier: Apache-2.0 */
/* Included before every source of libheddle: a call that can fail asks first whether it shall (fault.h). */
#ifndef HEDDLE_FAULT_CALLS_H
#define HEDDLE_FAULT_CALLS_H

#include "fault.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define malloc(bytes) (heddle__fails(HEDDLE__FAULT_ALLOC) ? NULL : malloc(bytes))
#define calloc(count, size) (heddle__fails(HEDDLE__FAULT_ALLOC) ? NULL : calloc(count, size))
#define realloc(old, bytes) (heddle__fails(HEDDLE__FAULT_ALLOC) ? NULL : realloc(old, bytes))
#define aligned_alloc(alignment, bytes) (heddle__fails(HEDDLE__FAULT_ALLOC) ? NULL : aligned_alloc(alignment, bytes))
#undef strdup
#define strdup(text) (heddle__fails(HEDDLE__FAULT_ALLOC) ? NULL : strdup(text))
#define pthread_create(...) (heddle__fails(HEDDLE__FAULT_THREAD) ? EAGAIN : pthread_create(__VA_ARGS__))

#endif
