/* SPDX-License-Identifier: Apache-2.0 */
/* The ring as a CUDA graph that is written by hand: a node a task, edges where a task reads what another one wrote, or
 * writes what it read. All iterations are one graph, as heddle's. */
#include "cuda_driver.h"
#include "graph.h"

#include "app.h"

#include <stdlib.h>

__asm__(".section .rodata\n.global bench_ring_ptx\nbench_ring_ptx:\n.incbin \"" BENCH_RING_PTX
        "\"\n.byte 0\n.previous\n");
extern const char bench_ring_ptx[];

enum { THREADS = 256 };

static int add_node(void *graph, void *function, void **arguments, long size, void **before, size_t count,
                    void **node) {
    const struct cuda_node description = {.function = function,
                                          .grid = {(unsigned)((size + THREADS - 1) / THREADS), 1, 1},
                                          .block = {size < THREADS ? (unsigned)size : THREADS, 1, 1},
                                          .parameters = arguments};
    return cuda.cuGraphAddKernelNode(node, graph, before, count, &description);
}

/* `first` and `second`: [blocks] nodes of the iteration before, then of this one. A block's first task reads what three
 * second tasks wrote; its second one writes what three first tasks read. */
static int add_iteration(void *graph, void *const *function, const struct graph_run *run, uint64_t u, uint64_t w,
                         void **first, void **second, bool behind) {
    const long blocks = run->blocks, bytes = run->size * (long)sizeof *run->u;
    long size = run->size, rounds = run->rounds;
    int error = 0;
    for (long b = 0; b < blocks; b++) {
        const long near[3] = {(b + blocks - 1) % blocks, b, (b + 1) % blocks};
        uint64_t left = u + (uint64_t)(near[0] * bytes), own = u + (uint64_t)(b * bytes),
                 right = u + (uint64_t)(near[2] * bytes), to = w + (uint64_t)(b * bytes);
        void *arguments[] = {&left, &own, &right, &to, &size, &rounds};
        void *before[3] = {second[near[0]], second[near[1]], second[near[2]]};
        error |= add_node(graph, function[0], arguments, size, before, behind ? 3 : 0, &first[b]);
    }
    for (long b = 0; b < blocks; b++) {
        uint64_t own = u + (uint64_t)(b * bytes), from = w + (uint64_t)(b * bytes);
        void *arguments[] = {&from, &own, &size, &rounds};
        void *before[3] = {first[(b + blocks - 1) % blocks], first[b], first[(b + 1) % blocks]};
        error |= add_node(graph, function[1], arguments, size, before, 3, &second[b]);
    }
    return error;
}

static bool build(const struct graph_run *run, uint64_t u, uint64_t w, void *module, void **graph, void **executable) {
    void *function[2], **node = malloc(2 * (size_t)run->blocks * sizeof *node);
    bool good = node && !cuda.cuModuleGetFunction(&function[0], module, "first") &&
                !cuda.cuModuleGetFunction(&function[1], module, "second") && !cuda.cuGraphCreate(graph, 0);
    for (long i = 0; good && i < run->iterations; i++)
        good = !add_iteration(*graph, function, run, u, w, node, node + run->blocks, i > 0);
    free(node);
    return good && !cuda.cuGraphInstantiateWithFlags(executable, *graph, 0);
}

static bool launch(void *executable) {
    return !cuda.cuGraphLaunch(executable, NULL) && !cuda.cuStreamSynchronize(NULL);
}

double graph_cuda(const struct graph_run *run, int device) {
    const size_t bytes = (size_t)(run->blocks * run->size) * sizeof *run->u;
    void *module, *graph = NULL, *executable = NULL;
    uint64_t u = 0, w = 0;
    double seconds = -1;
    if (cuda_open(device, bench_ring_ptx, &module) && !cuda.cuMemAlloc_v2(&u, bytes) &&
        !cuda.cuMemAlloc_v2(&w, bytes) && !cuda.cuMemcpyHtoD_v2(u, run->u, bytes) &&
        !cuda.cuMemcpyHtoD_v2(w, run->w, bytes) && build(run, u, w, module, &graph, &executable) &&
        launch(executable)) { /* the first launch brings the graph to the device */
        const double start = app_seconds();
        if (launch(executable))
            seconds = app_seconds() - start;
    }
    if (seconds >= 0 && (cuda.cuMemcpyDtoH_v2(run->u, u, bytes) || cuda.cuMemcpyDtoH_v2(run->w, w, bytes)))
        seconds = -1;
    if (executable)
        cuda.cuGraphExecDestroy(executable);
    if (graph)
        cuda.cuGraphDestroy(graph);
    if (u)
        cuda.cuMemFree_v2(u);
    if (w)
        cuda.cuMemFree_v2(w);
    return seconds;
}
