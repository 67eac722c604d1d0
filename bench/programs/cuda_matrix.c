/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's side of cuda_kernels.c: loads the PTX through libcuda, which is opened at run time, so that this builds
 * and links without CUDA. Transfers are not timed.
 */
#include "cuda_matrix.h"
#include "bench.h"

#include <dlfcn.h>
#include <stdlib.h>

__asm__(".section .rodata\n.global bench_cuda_ptx\nbench_cuda_ptx:\n.incbin \"" BENCH_CUDA_PTX
        "\"\n.byte 0\n.previous\n");
extern const char bench_cuda_ptx[];

typedef unsigned long long device_pointer;
enum { MULTIPROCESSORS = 16 };
static struct {
    int (*init)(unsigned), (*device_get)(int *, int), (*retain)(void **, int), (*set_current)(void *);
    int (*attribute)(int *, int, int), (*module_load)(void **, const void *),
        (*function)(void **, void *, const char *);
    int (*alloc)(device_pointer *, size_t), (*release)(device_pointer), (*clear)(device_pointer, unsigned char, size_t);
    int (*to_device)(device_pointer, const void *, size_t), (*to_host)(void *, device_pointer, size_t);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                  void **);
    int (*synchronize)(void), (*blocks)(int *, void *, int, size_t);
    int (*stream_create)(void **, unsigned), (*capture_begin)(void *, int), (*capture_end)(void *, void **);
    int (*instantiate)(void **, void *, unsigned long long), (*graph_launch)(void *, void *);
    void *module, *stream;
    int multiprocessors;
} cu;

static void check(int result, const char *what) {
    if (!result)
        return;
    fprintf(stderr, "bench-matrix: %s: CUDA error %d\n", what, result);
    exit(APP_BAD_INPUT);
}

static void *symbol(void *lib, const char *name) {
    void *p = dlsym(lib, name);
    if (!p) {
        fprintf(stderr, "bench-matrix: libcuda has no %s\n", name);
        exit(APP_BAD_INPUT);
    }
    return p;
}

static void open_cuda(void) {
    void *lib = dlopen("libcuda.so.1", RTLD_NOW), *context;
    int device;
    if (cu.module)
        return;
    if (!lib) {
        fprintf(stderr,
                "bench-matrix: the cuda methods need an NVIDIA GPU and its driver (libcuda.so.1 was not found)\n");
        exit(APP_BAD_INPUT);
    }
    *(void **)&cu.init = symbol(lib, "cuInit");
    *(void **)&cu.device_get = symbol(lib, "cuDeviceGet");
    *(void **)&cu.retain = symbol(lib, "cuDevicePrimaryCtxRetain");
    *(void **)&cu.set_current = symbol(lib, "cuCtxSetCurrent");
    *(void **)&cu.attribute = symbol(lib, "cuDeviceGetAttribute");
    *(void **)&cu.module_load = symbol(lib, "cuModuleLoadData");
    *(void **)&cu.function = symbol(lib, "cuModuleGetFunction");
    *(void **)&cu.alloc = symbol(lib, "cuMemAlloc_v2");
    *(void **)&cu.release = symbol(lib, "cuMemFree_v2");
    *(void **)&cu.clear = symbol(lib, "cuMemsetD8_v2");
    *(void **)&cu.to_device = symbol(lib, "cuMemcpyHtoD_v2");
    *(void **)&cu.to_host = symbol(lib, "cuMemcpyDtoH_v2");
    *(void **)&cu.launch = symbol(lib, "cuLaunchKernel");
    *(void **)&cu.synchronize = symbol(lib, "cuCtxSynchronize");
    *(void **)&cu.blocks = symbol(lib, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    *(void **)&cu.stream_create = symbol(lib, "cuStreamCreate");
    *(void **)&cu.capture_begin = symbol(lib, "cuStreamBeginCapture_v2");
    *(void **)&cu.capture_end = symbol(lib, "cuStreamEndCapture");
    *(void **)&cu.instantiate = symbol(lib, "cuGraphInstantiateWithFlags");
    *(void **)&cu.graph_launch = symbol(lib, "cuGraphLaunch");
    check(cu.init(0), "cuInit");
    check(cu.device_get(&device, 0), "cuDeviceGet");
    check(cu.retain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cu.set_current(context), "cuCtxSetCurrent");
    check(cu.attribute(&cu.multiprocessors, MULTIPROCESSORS, device), "cuDeviceGetAttribute");
    check(cu.module_load(&cu.module, bench_cuda_ptx), "cuModuleLoadData");
    check(cu.stream_create(&cu.stream, 1), "cuStreamCreate");
}

static void start(void *function, long blocks, struct cuda_matrix *x, long d) {
    void *arguments[] = {x, &d};
    check(cu.launch(function, (unsigned)blocks, 1, 1, CUDA_ROWS, 1, 1, 0, cu.stream, arguments, NULL),
          "cuLaunchKernel");
}

/* As many blocks as run at once, but no more than there are tile rows. */
static double run_barrier(struct cuda_matrix *x) {
    void *function;
    int each;
    check(cu.function(&function, cu.module, "diagonals"), "cuModuleGetFunction");
    check(cu.blocks(&each, function, CUDA_ROWS, 0), "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    const long most = (long)each * cu.multiprocessors, blocks = x->tile_rows < most ? x->tile_rows : most;
    const double begin = app_seconds();
    start(function, blocks, x, 0);
    check(cu.synchronize(), "the kernel");
    return app_seconds() - begin;
}

static double run_graph(struct cuda_matrix *x) {
    void *function, *graph, *ready;
    const long count = x->tiles + (x->tile_rows - 1) * CUDA_LAG;
    check(cu.function(&function, cu.module, "diagonal"), "cuModuleGetFunction");
    check(cu.capture_begin(cu.stream, 1), "cuStreamBeginCapture");
    for (long d = 0; d < count; d++) {
        const long first = d < x->tiles ? 0 : (d - x->tiles) / CUDA_LAG + 1;
        const long end = d / CUDA_LAG + 1 < x->tile_rows ? d / CUDA_LAG + 1 : x->tile_rows;
        if (end > first)
            start(function, end - first, x, d);
    }
    check(cu.capture_end(cu.stream, &graph), "cuStreamEndCapture");
    check(cu.instantiate(&ready, graph, 0), "cuGraphInstantiate");
    const double begin = app_seconds();
    check(cu.graph_launch(ready, cu.stream), "cuGraphLaunch");
    check(cu.synchronize(), "the graph");
    return app_seconds() - begin;
}

void bench_cuda_matrix(const struct bench_pair *p, int graph, double *seconds) {
    const size_t bytes = p->count * sizeof *p->cells, sizes[] = {(size_t)p->n, (size_t)p->m, bytes, sizeof(unsigned)};
    device_pointer at[4];
    open_cuda();
    for (int k = 0; k < 4; k++)
        check(cu.alloc(&at[k], sizes[k] + 1), "cuMemAlloc");
    check(cu.to_device(at[0], p->a, sizes[0]), "cuMemcpyHtoD");
    check(cu.to_device(at[1], p->b, sizes[1]), "cuMemcpyHtoD");
    check(cu.clear(at[2], 0, bytes), "cuMemsetD8");
    check(cu.clear(at[3], 0, sizes[3]), "cuMemsetD8");
    struct cuda_matrix x = {p->n,
                            p->m,
                            (const signed char *)at[0],
                            (const signed char *)at[1],
                            (int *)at[2],
                            (unsigned *)at[3],
                            (p->m + CUDA_ROWS - 1 + CUDA_WIDTH - 1) / CUDA_WIDTH,
                            (p->n + CUDA_ROWS - 1) / CUDA_ROWS};
    check(cu.synchronize(), "cuCtxSynchronize");
    *seconds = graph ? run_graph(&x) : run_barrier(&x);
    check(cu.to_host(p->cells, at[2], bytes), "cuMemcpyDtoH");
    for (int k = 0; k < 4; k++)
        check(cu.release(at[k]), "cuMemFree");
}
