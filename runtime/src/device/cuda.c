/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seam to the NVIDIA driver: what OpenMP's API does not tell (multiprocessors, free memory, names).
 * libcuda is opened at run time, so the same library runs on machines without it. CUDA device numbers are
 * OpenMP's: libomptarget numbers CUDA devices first and in the driver's order.
 */
#include "cuda.h"
#include <dlfcn.h>
#include <heddle/gpu.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
    cu_result (*mem_host_alloc)(void **, size_t, unsigned);
    /* heddle/gpu.h: there or not as one */
    bool streams;
    cu_result (*mem_alloc)(unsigned long long *, size_t);
    cu_result (*mem_free)(unsigned long long);
    cu_result (*mem_register)(void *, size_t, unsigned);
    cu_result (*mem_unregister)(void *);
    cu_result (*stream_create)(void **, unsigned);
    cu_result (*stream_destroy)(void *);
    cu_result (*stream_synchronize)(void *);
    cu_result (*stream_wait)(void *, void *, unsigned);
    cu_result (*event_create)(void **, unsigned);
    cu_result (*event_destroy)(void *);
    cu_result (*event_record)(void *, void *);
    cu_result (*event_query)(void *);
    cu_result (*pointer_attributes)(unsigned, int *, void **, unsigned long long);
    cu_result (*copy_in)(unsigned long long, const void *, size_t, void *);
    cu_result (*copy_out)(void *, unsigned long long, size_t, void *);
    cu_result (*fill)(unsigned long long, unsigned char, size_t, void *);
} cuda;

enum {
    CU_MULTIPROCESSOR_COUNT = 16,
    CU_CAPABILITY_MAJOR = 75,
    CU_CAPABILITY_MINOR = 76,
    CU_HOST_PORTABLE = 1,
    CU_HOST_DEVICEMAP = 2,
    CU_STREAM_NON_BLOCKING = 1, /* not ordered with the default stream */
    CU_EVENT_DISABLE_TIMING = 2,
    CU_POINTER_MEMORY_TYPE = 2, /* attributes */
    CU_POINTER_DEVICE_ORDINAL = 9,
    CU_MEMORY_HOST = 1,
    CU_MEMORY_DEVICE = 2,
    CU_OUT_OF_MEMORY = 2,
    CU_NOT_READY = 600
};

static void *library;

static void *open_library(void) {
    library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        library = dlopen("libcuda.so", RTLD_NOW | RTLD_GLOBAL);
    return library;
}

static void load_streams(void *lib) {
    const struct {
        void *at;
        const char *name;
    } wanted[] = {{&cuda.mem_alloc, "cuMemAlloc_v2"},
                  {&cuda.mem_free, "cuMemFree_v2"},
                  {&cuda.mem_register, "cuMemHostRegister_v2"},
                  {&cuda.mem_unregister, "cuMemHostUnregister"},
                  {&cuda.stream_create, "cuStreamCreate"},
                  {&cuda.stream_destroy, "cuStreamDestroy_v2"},
                  {&cuda.stream_synchronize, "cuStreamSynchronize"},
                  {&cuda.stream_wait, "cuStreamWaitEvent"},
                  {&cuda.event_create, "cuEventCreate"},
                  {&cuda.event_destroy, "cuEventDestroy_v2"},
                  {&cuda.event_record, "cuEventRecord"},
                  {&cuda.event_query, "cuEventQuery"},
                  {&cuda.pointer_attributes, "cuPointerGetAttributes"},
                  {&cuda.copy_in, "cuMemcpyHtoDAsync_v2"},
                  {&cuda.copy_out, "cuMemcpyDtoHAsync_v2"},
                  {&cuda.fill, "cuMemsetD8Async"}};
    cuda.streams = true;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        if (!(*(void **)wanted[k].at = dlsym(lib, wanted[k].name)))
            cuda.streams = false;
}

void *heddle__cuda_function(const char *name) { return heddle__cuda_count() > 0 ? dlsym(library, name) : NULL; }

static void load(void) {
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
    load_streams(lib);
    const bool all = init && get_count && cuda.device_get && cuda.device_get_name && cuda.device_get_attribute &&
                     cuda.device_total_mem && cuda.mem_get_info && cuda.ctx_retain && cuda.ctx_release &&
                     cuda.ctx_push && cuda.ctx_pop;
    if (!all || init(0) || get_count(&cuda.count))
        cuda.count = 0;
}

int heddle__cuda_count(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return cuda.count;
}

int heddle__cuda_info(int device, struct heddle__cuda_info *info) {
    int handle;
    void *context;
    if (device < 0 || device >= heddle__cuda_count() || cuda.device_get(&handle, device))
        return 0;
    *info = (struct heddle__cuda_info){0};
    cuda.device_get_name(info->name, (int)sizeof info->name, handle);
    int major = 0, minor = 0;
    cuda.device_get_attribute(&info->multiprocessors, CU_MULTIPROCESSOR_COUNT, handle);
    cuda.device_get_attribute(&major, CU_CAPABILITY_MAJOR, handle);
    cuda.device_get_attribute(&minor, CU_CAPABILITY_MINOR, handle);
    info->capability = 10 * major + minor;
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

/* ---- how threads wait: OpenMP's runtime has them sleep until an interrupt ------------------------------------------
 */
enum { CU_SCHED_YIELD = 2, CU_SCHED_MASK = 7 };

static cu_result set_flags(unsigned flags) {
    cu_result (*set)(unsigned) = (cu_result(*)(unsigned))heddle__cuda_function("cuCtxSetFlags"); /* from 12.1 on */
    return set ? set(flags) : CU_NOT_READY;
}

int heddle_gpu_wait_awake(void) {
    cu_result (*get)(unsigned *) = (cu_result(*)(unsigned *))heddle__cuda_function("cuCtxGetFlags");
    unsigned flags;
    if (!get || get(&flags) || set_flags((flags & ~(unsigned)CU_SCHED_MASK) | CU_SCHED_YIELD))
        return -1;
    return (int)flags;
}

void heddle_gpu_wait_as(int before) {
    if (before >= 0)
        (void)set_flags((unsigned)before);
}

void *heddle__cuda_enter(int device, int *handle) {
    void *context;
    if (device < 0 || device >= heddle__cuda_count() || cuda.device_get(handle, device) ||
        cuda.ctx_retain(&context, *handle))
        return NULL;
    if (!cuda.ctx_push(context))
        return context;
    cuda.ctx_release(*handle);
    return NULL;
}
void heddle__cuda_leave(int handle) {
    void *context;
    cuda.ctx_pop(&context);
    cuda.ctx_release(handle);
}

/* CU_MEMORY_…, or 0 for what CUDA does not know. cuPointerGetAttribute would call that an error, and compute-sanitizer
 * counts it as one. */
static unsigned memory_type(uintptr_t at, int *device) {
    unsigned type = 0;
    int wanted[] = {CU_POINTER_MEMORY_TYPE, CU_POINTER_DEVICE_ORDINAL};
    void *into[] = {&type, device};
    return cuda.pointer_attributes && !cuda.pointer_attributes(2, wanted, into, at) ? type : 0;
}

/* Addresses are unique over all devices and the host. */
int heddle__device_owner(uintptr_t at) {
    int device = -1;
    return heddle__cuda_count() > 0 && memory_type(at, &device) == CU_MEMORY_DEVICE ? device : -1;
}

/* ---- heddle/gpu.h --------------------------------------------------------------------------------------------- */

static int status(cu_result result) {
    return result == 0 ? HEDDLE_OK : result == CU_OUT_OF_MEMORY ? HEDDLE_ENOMEM : HEDDLE_ELAUNCH;
}

int heddle_gpu_enter(int device) {
    int handle;
    return heddle__cuda_count() && cuda.streams && heddle__cuda_enter(device, &handle) ? HEDDLE_OK : HEDDLE_ENODEV;
}

/* Never released: locked memory, streams and a library's handles would go with the last user of the context. */
void heddle_gpu_leave(void) {
    void *context;
    cuda.ctx_pop(&context);
}

int heddle_gpu_alloc(void **memory, size_t bytes) {
    unsigned long long at = 0;
    const int error = heddle__fails(HEDDLE__FAULT_MAP) ? HEDDLE_ENOMEM : status(cuda.mem_alloc(&at, bytes));
    *memory = error ? NULL : (void *)(uintptr_t)at;
    return error;
}

void heddle_gpu_free(void *memory) {
    if (memory)
        cuda.mem_free((unsigned long long)(uintptr_t)memory);
}

size_t heddle_gpu_room(void) {
    size_t room = 0, total;
    return cuda.mem_get_info(&room, &total) ? 0 : room;
}

int heddle_gpu_lock(void *memory, size_t bytes) {
    const int entered = heddle_gpu_enter(0);
    if (entered)
        return entered;
    const cu_result result = cuda.mem_register(memory, bytes, CU_HOST_PORTABLE);
    heddle_gpu_leave();
    return result ? HEDDLE_ENOMEM : HEDDLE_OK;
}

void heddle_gpu_unlock(void *memory) {
    if (heddle_gpu_enter(0))
        return;
    cuda.mem_unregister(memory);
    heddle_gpu_leave();
}

static bool refused(void) { return heddle__fails(HEDDLE__FAULT_EVENT); }

int heddle_gpu_stream(void **stream) {
    return refused() ? HEDDLE_ELAUNCH : status(cuda.stream_create(stream, CU_STREAM_NON_BLOCKING));
}
void heddle_gpu_stream_free(void *stream) { cuda.stream_destroy(stream); }
int heddle_gpu_synchronize(void *stream) { return status(cuda.stream_synchronize(stream)); }
int heddle_gpu_event(void **event) {
    return refused() ? HEDDLE_ELAUNCH : status(cuda.event_create(event, CU_EVENT_DISABLE_TIMING));
}
void heddle_gpu_event_free(void *event) { cuda.event_destroy(event); }
int heddle_gpu_record(void *event, void *stream) {
    return refused() ? HEDDLE_ELAUNCH : status(cuda.event_record(event, stream));
}
int heddle_gpu_wait(void *stream, void *event) {
    return refused() ? HEDDLE_ELAUNCH : status(cuda.stream_wait(stream, event, 0));
}

int heddle_gpu_done(void *event) {
    const cu_result result = refused() ? -1 : cuda.event_query(event);
    return result == CU_NOT_READY ? 0 : result ? HEDDLE_ELAUNCH : 1;
}

int heddle_gpu_copy_in(void *device_memory, const void *host, size_t bytes, void *stream) {
    return heddle__fails(HEDDLE__FAULT_COPY)
               ? HEDDLE_ELAUNCH
               : status(cuda.copy_in((unsigned long long)(uintptr_t)device_memory, host, bytes, stream));
}

int heddle_gpu_copy_out(void *host, const void *device_memory, size_t bytes, void *stream) {
    return heddle__fails(HEDDLE__FAULT_COPY)
               ? HEDDLE_ELAUNCH
               : status(cuda.copy_out(host, (unsigned long long)(uintptr_t)device_memory, bytes, stream));
}

/* ---- a device of the table ------------------------------------------------------------------------------------- */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards contexts and streams for fills */
static struct {
    cu_result (*enable)(void *, unsigned);
    cu_result (*current)(void **);
    cu_result (*copy)(unsigned long long, void *, unsigned long long, void *, size_t, void *);
} peers;

struct heddle__cuda_own *heddle__cuda_own(struct heddle__device *d) {
    pthread_mutex_lock(&d->lock);
    struct heddle__cuda_own *own = d->own = d->own ? d->own : calloc(1, sizeof *own);
    pthread_mutex_unlock(&d->lock);
    return own;
}

static bool facts(struct heddle__device *d, struct heddle_device_info *info) {
    struct heddle__cuda_info cuda_info;
    if (!heddle__cuda_info(d->number, &cuda_info))
        return false;
    info->units = cuda_info.multiprocessors;
    info->memory = cuda_info.memory;
    info->memory_free = cuda_info.memory_free;
    memcpy(info->name, cuda_info.name, sizeof info->name);
    return true;
}

static bool try_all(const size_t *bytes, int count) {
    void *block[count + 1];
    int got = 0;
    bool all = true;
    for (; all && got < count; got += all) {
        block[got] = NULL;
        all = !bytes[got] || !heddle_gpu_alloc(&block[got], bytes[got]);
    }
    while (got-- > 0)
        heddle_gpu_free(block[got]);
    return all;
}

static bool fits(struct heddle__device *d, const size_t *bytes, int count) {
    struct heddle__cuda_info info;
    size_t sum = 0;
    for (int k = 0; k < count; k++)
        if (__builtin_add_overflow(sum, bytes[k], &sum))
            return false;
    if (!heddle__cuda_info(d->number, &info) || info.memory_free < HEDDLE__DEVICE_SLACK ||
        sum > info.memory_free - HEDDLE__DEVICE_SLACK)
        return false;
    if (sum <= info.memory_free / 2 || heddle_gpu_enter(d->number)) /* a trial takes as long as the allocation */
        return true;
    const bool all = try_all(bytes, count);
    heddle_gpu_leave();
    return all;
}

/* It is there when this returns, and has waited for nothing else on the device. */
static int zero(struct heddle__device *d, void *at, size_t bytes) {
    if (heddle_gpu_enter(d->number))
        return HEDDLE_ENODEV;
    struct heddle__cuda_own *own = heddle__cuda_own(d);
    pthread_mutex_lock(&lock);
    void *stream = own && (own->fills || !heddle_gpu_stream(&own->fills)) ? own->fills : NULL;
    pthread_mutex_unlock(&lock);
    const bool done =
        stream && !cuda.fill((unsigned long long)(uintptr_t)at, 0, bytes, stream) && !cuda.stream_synchronize(stream);
    heddle_gpu_leave();
    return done ? HEDDLE_OK : HEDDLE_ELAUNCH;
}

static void *pinned(struct heddle__device *d, size_t bytes) {
    int handle;
    void *memory = NULL;
    if (!cuda.mem_host_alloc || !heddle__cuda_enter(d->number, &handle))
        return NULL;
    if (cuda.mem_host_alloc(&memory, bytes, CU_HOST_PORTABLE | CU_HOST_DEVICEMAP))
        memory = NULL;
    heddle__cuda_leave(handle);
    return memory;
}

/* At both ends. */
static bool locked(struct heddle__device *d, const void *here, size_t bytes) {
    int device;
    const uintptr_t first = (uintptr_t)here;
    (void)d;
    return memory_type(first, &device) == CU_MEMORY_HOST && memory_type(first + bytes - 1, &device) == CU_MEMORY_HOST;
}

static int enter(struct heddle__device *d) { return heddle_gpu_enter(d->number); }
static void leave(struct heddle__device *d) { (void)d, heddle_gpu_leave(); }
static int stream_new(struct heddle__device *d, void **stream) { return (void)d, heddle_gpu_stream(stream); }
static void stream_free(struct heddle__device *d, void *stream) { (void)d, heddle_gpu_stream_free(stream); }
static int event_new(struct heddle__device *d, void **event) { return (void)d, heddle_gpu_event(event); }
static void event_free(struct heddle__device *d, void *event) { (void)d, heddle_gpu_event_free(event); }
static int record(struct heddle__device *d, void *event, void *on) { return (void)d, heddle_gpu_record(event, on); }
static int done(struct heddle__device *d, void *event) { return (void)d, heddle_gpu_done(event); }

static int start_in(struct heddle__device *d, void *there, const void *here, size_t bytes, void *stream) {
    return (void)d, heddle_gpu_copy_in(there, here, bytes, stream);
}

static int start_out(struct heddle__device *d, void *here, const void *there, size_t bytes, void *stream) {
    return (void)d, heddle_gpu_copy_out(here, there, bytes, stream);
}

static int start_across(struct heddle__device *d, void *there, struct heddle__device *from, const void *at,
                        size_t bytes, void *stream) {
    return (void)d, heddle_gpu_copy_across(there, at, from->number, bytes, stream);
}

static int reach(struct heddle__device *d, struct heddle__device *other) {
    return (void)d, heddle_gpu_reach(other->number);
}

const struct heddle__device_ops heddle__ops_cuda = {
    .kind = "cuda",
    .facts = facts,
    .alloc = heddle__target_alloc,
    .free = heddle__target_free,
    .shared_alloc = heddle__target_shared_alloc,
    .shared_free = heddle__target_shared_free,
    .fits = fits,
    .copy_in = heddle__target_copy_in,
    .copy_out = heddle__target_copy_out,
    .copy_across = heddle__target_copy_across,
    .zero = zero,
    .enter = enter,
    .leave = leave,
    .stream = stream_new,
    .stream_free = stream_free,
    .event = event_new,
    .event_free = event_free,
    .record = record,
    .done = done,
    .start_in = start_in,
    .start_out = start_out,
    .start_across = start_across,
    .pinned = pinned,
    .locked = locked,
    .reach = reach,
};

/* ---- between GPUs ------------------------------------------------------------------------------------------------ */
enum { CU_PEER_ACCESS_ALREADY_ENABLED = 704 };

static void load_peers(void) {
    *(void **)&peers.enable = dlsym(library, "cuCtxEnablePeerAccess");
    *(void **)&peers.current = dlsym(library, "cuCtxGetCurrent");
    *(void **)&peers.copy = dlsym(library, "cuMemcpyPeerAsync");
}

static void *peer_context(int device) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int handle;
    struct heddle__device *d = device < heddle__cuda_count() ? heddle__device(device) : NULL;
    if (device < 0 || !d)
        return NULL;
    pthread_once(&once, load_peers);
    const bool able = peers.enable && peers.current && peers.copy;
    struct heddle__cuda_own *own = heddle__cuda_own(d);
    pthread_mutex_lock(&lock);
    if (own && !own->context && (!able || cuda.device_get(&handle, device) || cuda.ctx_retain(&own->context, handle)))
        own->context = NULL;
    void *context = own ? own->context : NULL;
    pthread_mutex_unlock(&lock);
    return context;
}

int heddle_gpu_reach(int device) {
    void *context = peer_context(device);
    const cu_result result = context ? peers.enable(context, 0) : -1;
    return result == 0 || result == CU_PEER_ACCESS_ALREADY_ENABLED ? HEDDLE_OK : HEDDLE_ENODEV;
}

int heddle_gpu_copy_across(void *to, const void *from, int device, size_t bytes, void *stream) {
    void *own, *other = peer_context(device);
    if (!other || peers.current(&own))
        return HEDDLE_ENODEV;
    return status(
        peers.copy((unsigned long long)(uintptr_t)to, own, (unsigned long long)(uintptr_t)from, other, bytes, stream));
}
