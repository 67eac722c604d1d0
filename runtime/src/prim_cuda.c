/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seam to the NVIDIA driver: what OpenMP's API does not tell (multiprocessors, free memory, names).
 * libcuda is opened at run time, so the same library runs on machines without it. CUDA device numbers are
 * OpenMP's: libomptarget numbers CUDA devices first and in the driver's order.
 */
#include "internal.h"
#include <dlfcn.h>
#include <pthread.h>

typedef int cu_result;
static struct {
    int count;
    cu_result (*device_get)(int *, int);
    cu_result (*device_get_name)(char *, int, int);
    cu_result (*device_get_attribute)(int *, int, int);
    cu_result (*device_total_mem)(size_t *, int);
    cu_result (*mem_get_info)(size_t *, size_t *);
    cu_result (*ctx_retain)(void **, int);
    cu_result (*ctx_release)(int);
    cu_result (*ctx_push)(void *);
    cu_result (*ctx_pop)(void **);
    cu_result (*ctx_synchronize)(void);
    cu_result (*mem_host_alloc)(void **, size_t, unsigned);
    cu_result (*memset_d8)(unsigned long long, unsigned char, size_t);
} cuda;

enum { CU_MULTIPROCESSOR_COUNT = 16, CU_HOST_PORTABLE = 1, CU_HOST_DEVICEMAP = 2 };

static void *open_library(void)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    return lib ? lib : dlopen("libcuda.so", RTLD_NOW | RTLD_GLOBAL);
}

static void load(void)
{
    void *lib = open_library();
    if (!lib)
        return;
    cu_result (*init)(unsigned) = (cu_result(*)(unsigned))dlsym(lib, "cuInit");
    cu_result (*get_count)(int *) = (cu_result(*)(int *))dlsym(lib, "cuDeviceGetCount");
    *(void **)&cuda.device_get = dlsym(lib, "cuDeviceGet");
    *(void **)&cuda.device_get_name = dlsym(lib, "cuDeviceGetName");
    *(void **)&cuda.device_get_attribute = dlsym(lib, "cuDeviceGetAttribute");
    *(void **)&cuda.device_total_mem = dlsym(lib, "cuDeviceTotalMem_v2");
    *(void **)&cuda.mem_get_info = dlsym(lib, "cuMemGetInfo_v2");
    *(void **)&cuda.ctx_retain = dlsym(lib, "cuDevicePrimaryCtxRetain");
    *(void **)&cuda.ctx_release = dlsym(lib, "cuDevicePrimaryCtxRelease_v2");
    *(void **)&cuda.ctx_push = dlsym(lib, "cuCtxPushCurrent_v2");
    *(void **)&cuda.ctx_pop = dlsym(lib, "cuCtxPopCurrent_v2");
    *(void **)&cuda.mem_host_alloc = dlsym(lib, "cuMemHostAlloc");
    *(void **)&cuda.ctx_synchronize = dlsym(lib, "cuCtxSynchronize");
    *(void **)&cuda.memset_d8 = dlsym(lib, "cuMemsetD8_v2");
    const bool all = init && get_count && cuda.device_get && cuda.device_get_name &&
                     cuda.device_get_attribute && cuda.device_total_mem && cuda.mem_get_info &&
                     cuda.ctx_retain && cuda.ctx_release && cuda.ctx_push && cuda.ctx_pop;
    if (!all || init(0) || get_count(&cuda.count))
        cuda.count = 0;
}

int heddle__cuda_count(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return cuda.count;
}

int heddle__cuda_info(int device, struct heddle__cuda_info *info)
{
    int handle;
    void *context;
    if (device < 0 || device >= heddle__cuda_count() || cuda.device_get(&handle, device))
        return 0;
    *info = (struct heddle__cuda_info){0};
    cuda.device_get_name(info->name, (int)sizeof info->name, handle);
    cuda.device_get_attribute(&info->multiprocessors, CU_MULTIPROCESSOR_COUNT, handle);
    cuda.device_total_mem(&info->memory, handle);
    if (!cuda.ctx_retain(&context, handle)) {
        if (!cuda.ctx_push(context)) {
            size_t total;
            cuda.mem_get_info(&info->memory_free, &total);
            cuda.ctx_pop(&context);
        }
        cuda.ctx_release(handle);
    }
    return 1;
}

/* The device's primary context, which is libomptarget's, too. */
static void *enter_context(int device, int *handle)
{
    void *context;
    if (device < 0 || device >= heddle__cuda_count() || cuda.device_get(handle, device) || cuda.ctx_retain(&context, *handle))
        return NULL;
    if (!cuda.ctx_push(context))
        return context;
    cuda.ctx_release(*handle);
    return NULL;
}
static void leave_context(int handle)
{
    void *context;
    cuda.ctx_pop(&context);
    cuda.ctx_release(handle);
}

/* Not asynchronous to what follows: the fill runs on the default stream and is waited for. */
int heddle__cuda_zero(int device, void *at, size_t bytes)
{
    int handle;
    if (heddle__cuda_count() == 0 || !cuda.memset_d8 || !enter_context(device, &handle))
        return 0;
    const bool ok = !cuda.memset_d8((unsigned long long)(uintptr_t)at, 0, bytes) && !cuda.ctx_synchronize();
    leave_context(handle);
    return ok;
}

void *heddle__cuda_pinned(int device, size_t bytes)
{
    int handle;
    void *memory = NULL;
    if (heddle__cuda_count() == 0 || !cuda.mem_host_alloc || !enter_context(device, &handle))
        return NULL;
    if (cuda.mem_host_alloc(&memory, bytes, CU_HOST_PORTABLE | CU_HOST_DEVICEMAP))
        memory = NULL;
    leave_context(handle);
    return memory;
}
