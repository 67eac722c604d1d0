/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches device memory for addresses where it lies, at the speed of that memory: what moves from one GPU to another
 * need not pass through the host to be looked at. The kernel is PTX text, which the driver compiles for its device.
 */
#include "cuda.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RANGES = 4, THREADS = 256, BLOCKS = 1024 };

/* Each thread looks at every (number of threads)-th word. w - from < length, unsigned, says from <= w < to. */
#define IN_RANGE(k)                                                                                                    \
    "sub.u64 %d, %w, %f" #k ";\n"                                                                                      \
    "setp.lt.u64 %p, %d, %l" #k ";\n"                                                                                  \
    "@%p bra FOUND;\n"
#define PARAMETER(k) ".param .u64 f" #k ", .param .u64 l" #k ", "
#define LOAD(k) "ld.param.u64 %f" #k ", [f" #k "];\nld.param.u64 %l" #k ", [l" #k "];\n"
static const char kernel[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n"
    ".visible .entry heddle_search(.param .u64 at, .param .u64 words, " PARAMETER(0) PARAMETER(1) PARAMETER(2)
        PARAMETER(
            3) ".param .u64 found)\n{\n"
               ".reg .pred %p;\n.reg .b32 %c, %n, %t, %one;\n"
               ".reg .b64 %at, %words, %i, %stride, %w, %d, %found, %f0, %f1, %f2, %f3, %l0, %l1, %l2, %l3, %thread;\n"
               "ld.param.u64 %at, [at];\nld.param.u64 %words, [words];\nld.param.u64 %found, [found];\n" LOAD(0) LOAD(1)
                   LOAD(2) LOAD(
                       3) "mov.u32 %c, %ctaid.x;\nmov.u32 %n, %ntid.x;\nmov.u32 %t, %tid.x;\ncvt.u64.u32 %thread, %t;\n"
                          "mad.wide.u32 %i, %c, %n, %thread;\n"
                          "mov.u32 %c, %nctaid.x;\nmul.wide.u32 %stride, %c, %n;\n"
                          "NEXT:\nsetp.ge.u64 %p, %i, %words;\n@%p bra DONE;\n"
                          "shl.b64 %d, %i, 3;\nadd.u64 %d, %d, %at;\nld.global.u64 %w, [%d];\n" IN_RANGE(0) IN_RANGE(1)
                              IN_RANGE(2) IN_RANGE(3) "add.u64 %i, %i, %stride;\nbra NEXT;\n"
                                                      "FOUND:\nmov.u32 %one, 1;\nst.global.u32 [%found], %one;\n"
                                                      "DONE:\nret;\n}\n";

typedef unsigned long long address;
static struct {
    int (*module_load)(void **, const void *);
    int (*module_function)(void **, void *, const char *);
    int (*alloc)(address *, size_t);
    int (*priorities)(int *, int *);
    int (*stream)(void **, unsigned, int);
    int (*set_async)(address, unsigned char, size_t, void *);
    int (*get_async)(void *, address, size_t, void *);
    int (*wait)(void *);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                  void **);
} driver;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static bool find_driver(void) {
    *(void **)&driver.module_load = heddle__cuda_function("cuModuleLoadData");
    *(void **)&driver.module_function = heddle__cuda_function("cuModuleGetFunction");
    *(void **)&driver.alloc = heddle__cuda_function("cuMemAlloc_v2");
    *(void **)&driver.priorities = heddle__cuda_function("cuCtxGetStreamPriorityRange");
    *(void **)&driver.stream = heddle__cuda_function("cuStreamCreateWithPriority");
    *(void **)&driver.set_async = heddle__cuda_function("cuMemsetD8Async");
    *(void **)&driver.get_async = heddle__cuda_function("cuMemcpyDtoHAsync_v2");
    *(void **)&driver.wait = heddle__cuda_function("cuStreamSynchronize");
    *(void **)&driver.launch = heddle__cuda_function("cuLaunchKernel");
    return driver.module_load && driver.module_function && driver.alloc && driver.priorities && driver.stream &&
           driver.set_async && driver.get_async && driver.wait && driver.launch;
}

/* In the device's context, mutex held. Kept until the process ends. */
static bool prepare(int device, struct heddle__cuda_own *on) {
    enum { NON_BLOCKING = 1 };
    void *module;
    int least, greatest;
    if (on->search.tried)
        return on->search.function != NULL;
    on->search.tried = true;
    if (!find_driver() || driver.module_load(&module, kernel) ||
        driver.module_function(&on->search.function, module, "heddle_search") ||
        driver.alloc(&on->search.found, sizeof(uint64_t)) || driver.priorities(&least, &greatest) ||
        driver.stream(&on->search.stream, NON_BLOCKING, greatest))
        on->search.function = NULL;
    if (!on->search.function)
        heddle__verbose("device %d does not search its memory itself; data passes through the host", device);
    return on->search.function != NULL;
}

static int search(struct heddle__cuda_own *on, const void *at, size_t words, const uintptr_t (*ranges)[2], int count) {
    address from = (address)(uintptr_t)at, number = words, f[RANGES] = {0}, l[RANGES] = {0};
    uint32_t found = 0;
    for (int k = 0; k < count; k++) {
        f[k] = ranges[k][0];
        l[k] = ranges[k][1] - ranges[k][0];
    }
    void *args[] = {&from, &number, &f[0], &l[0], &f[1], &l[1], &f[2], &l[2], &f[3], &l[3], &on->search.found};
    const size_t blocks = (words + THREADS - 1) / THREADS;
    void *stream = on->search.stream;
    if (driver.set_async(on->search.found, 0, sizeof found, stream) ||
        driver.launch(on->search.function, (unsigned)(blocks < BLOCKS ? blocks : BLOCKS), 1, 1, THREADS, 1, 1, 0,
                      stream, args, NULL) ||
        driver.get_async(&found, on->search.found, sizeof found, stream) || driver.wait(stream))
        return -1;
    return found != 0;
}

int heddle__device_search(int device, const void *at, size_t bytes, const uintptr_t (*ranges)[2], int count) {
    int handle, result = -1;
    const size_t skip = (sizeof(uint64_t) - (uintptr_t)at % sizeof(uint64_t)) % sizeof(uint64_t);
    struct heddle__device *d = device < 0 || device >= heddle__cuda_count() ? NULL : heddle__device(device);
    if (!d || count > RANGES)
        return -1;
    if (bytes < skip + sizeof(uint64_t) || count == 0)
        return 0;
    pthread_mutex_lock(&mutex);
    if (heddle__cuda_enter(device, &handle)) {
        struct heddle__cuda_own *on = heddle__cuda_own(d);
        if (on && prepare(device, on))
            result = search(on, (const char *)at + skip, (bytes - skip) / sizeof(uint64_t), ranges, count);
        heddle__cuda_leave(handle);
    }
    pthread_mutex_unlock(&mutex);
    return result;
}
