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

/* What is kept of a GPU beside the table's; NULL: no memory. Guarded by the lock of the file that uses a part. */
struct heddle__cuda_own {
    void *context; /* retained, and never released, as in heddle_gpu_leave */
    void *fills;   /* a stream for them */
    struct {
        void *function;
        unsigned long long found; /* one word of device memory */
        void *stream;             /* of the highest priority: it shall not wait for the kernels that fill the device */
        bool tried;
    } search;
};
HEDDLE_HIDDEN struct heddle__cuda_own *heddle__cuda_own(struct heddle__device *d);

#endif
