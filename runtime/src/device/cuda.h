/* SPDX-License-Identifier: Apache-2.0 */
/* What cuda.c shares with its neighbours in this folder. All return 0, NULL or -1 where libcuda is not there. */
#ifndef HEDDLE_DEVICE_CUDA_H
#define HEDDLE_DEVICE_CUDA_H

#include "device.h"

struct heddle__cuda_info {
    char name[96];
    int multiprocessors, capability; /* 90 for sm_90 */
    size_t memory, memory_free;
};
HEDDLE_HIDDEN int heddle__cuda_count(void);
HEDDLE_HIDDEN int heddle__cuda_info(int device, struct heddle__cuda_info *info);
HEDDLE_HIDDEN void *heddle__cuda_function(const char *name); /* of the driver; NULL: it has none */
/* Makes the device's primary context, which is libomptarget's too, the thread's; NULL: failed, do not leave. */
HEDDLE_HIDDEN void *heddle__cuda_enter(int device, int *handle);
HEDDLE_HIDDEN void heddle__cuda_leave(int handle);

#endif
