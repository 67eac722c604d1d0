/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_driver.h"

#include <dlfcn.h>

struct cuda_driver cuda;

static bool load(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    bool all = library != NULL;
#define LOAD(name, arguments) all = all && (*(void **)&cuda.name = dlsym(library, #name)) != NULL;
    CUDA_DRIVER(LOAD)
#undef LOAD
    return all && !cuda.cuInit(0);
}

bool cuda_open(int device, const char *ptx, void **module) {
    void *context;
    return load() && !cuda.cuDevicePrimaryCtxRetain(&context, device) && !cuda.cuCtxSetCurrent(context) &&
           !cuda.cuModuleLoadData(module, ptx);
}
