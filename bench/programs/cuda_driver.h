/* SPDX-License-Identifier: Apache-2.0 */
/* The entry points of CUDA's driver that hand-written graphs call; 0 is success. The library is loaded when it is asked
 * for, so that a program needs nothing of CUDA to be built or to start. */
#ifndef BENCH_CUDA_DRIVER_H
#define BENCH_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cuda_node { /* CUDA_KERNEL_NODE_PARAMS, version 1 */
    void *function;
    unsigned grid[3], block[3], shared;
    void **parameters, **extra;
};

#define CUDA_DRIVER(X)                                                                                                 \
    X(cuInit, (unsigned))                                                                                              \
    X(cuDevicePrimaryCtxRetain, (void **, int))                                                                        \
    X(cuCtxSetCurrent, (void *))                                                                                       \
    X(cuModuleLoadData, (void **, const void *))                                                                       \
    X(cuModuleGetFunction, (void **, void *, const char *))                                                            \
    X(cuMemAlloc_v2, (uint64_t *, size_t))                                                                             \
    X(cuMemFree_v2, (uint64_t))                                                                                        \
    X(cuMemsetD8_v2, (uint64_t, unsigned char, size_t))                                                                \
    X(cuMemcpyHtoD_v2, (uint64_t, const void *, size_t))                                                               \
    X(cuMemcpyDtoH_v2, (void *, uint64_t, size_t))                                                                     \
    X(cuGraphCreate, (void **, unsigned))                                                                              \
    X(cuGraphAddKernelNode, (void **, void *, void *const *, size_t, const struct cuda_node *))                        \
    X(cuGraphInstantiateWithFlags, (void **, void *, unsigned long long))                                              \
    X(cuGraphLaunch, (void *, void *))                                                                                 \
    X(cuGraphExecDestroy, (void *))                                                                                    \
    X(cuGraphDestroy, (void *))                                                                                        \
    X(cuStreamSynchronize, (void *))

struct cuda_driver {
#define CUDA_MEMBER(name, arguments) int(*name) arguments;
    CUDA_DRIVER(CUDA_MEMBER)
#undef CUDA_MEMBER
};
extern struct cuda_driver cuda;

/* Loads this text into the device; false: there is no such device, or the driver failed. */
bool cuda_open(int device, const char *ptx, void **module);

#endif
