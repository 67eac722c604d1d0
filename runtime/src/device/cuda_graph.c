/* SPDX-License-Identifier: Apache-2.0 */
/* Regions of OpenMP as nodes of a CUDA graph: libomptarget says what it would launch, and the driver runs the graph. */
#include "cuda.h"
#include "replay.h"
#include <heddle/gpu.h>
#include <stdlib.h>

typedef int result;
static struct {
    result (*create)(void **, unsigned);
    result (*destroy)(void *);
    result (*add)(void **, void *, void *const *, size_t, const struct heddle__cuda_kernel *);
    result (*change)(void *, void *, const struct heddle__cuda_kernel *);
    result (*make)(void **, void *, unsigned long long);
    result (*drop)(void *);
    result (*launch)(void *, void *);
    result (*module)(void **, void *);
    result (*global)(unsigned long long *, size_t *, void *, const char *);
    bool all;
} cuda;

static void load(void) {
    const struct {
        void *at;
        const char *name;
    } wanted[] = {{&cuda.create, "cuGraphCreate"},
                  {&cuda.destroy, "cuGraphDestroy"},
                  {&cuda.add, "cuGraphAddKernelNode"},
                  {&cuda.change, "cuGraphExecKernelNodeSetParams"},
                  {&cuda.make, "cuGraphInstantiateWithFlags"},
                  {&cuda.drop, "cuGraphExecDestroy"},
                  {&cuda.launch, "cuGraphLaunch"},
                  {&cuda.module, "cuFuncGetModule"},
                  {&cuda.global, "cuModuleGetGlobal_v2"}};
    cuda.all = true;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        cuda.all &= (*(void **)wanted[k].at = heddle__cuda_function(wanted[k].name)) != NULL;
}

struct heddle__cuda_graph {
    struct heddle__cuda_catch catch; /* the first: it is passed back */
    int device, nodes, room;
    void *graph, *made; /* CUgraph, CUgraphExec */
    void **node, **before;
    int befores, before_room;
    int number;   /* of the node to be changed; -1: another one is added */
    void *served; /* a module that needs nobody who serves it while it runs */
    bool good;
};

/* ---- one launch, caught ------------------------------------------------------------------------------------------ */
/* The first argument is libomptarget's: all ones where the kernel needs no memory of its own, as a reduction does,
   which libomptarget would free when it believes the kernel to have ended. */
static bool needs_nothing(const struct heddle__cuda_kernel *k) {
    enum { POINTER = 1 }; /* extra: CU_LAUNCH_PARAM_BUFFER_POINTER and the bytes of all arguments */
    const uintptr_t *first = k->parameters                                ? k->parameters[0]
                             : k->extra && k->extra[0] == (void *)POINTER ? k->extra[1]
                                                                          : NULL;
    return first && *first == ~(uintptr_t)0;
}

/* printf and the like are served by a thread of libomptarget, until it believes the kernel to have ended. */
static bool serves_itself(struct heddle__cuda_graph *g, const struct heddle__cuda_kernel *k) {
    static const char *const clients[] = {"__llvm_libc_rpc_client", "__llvm_rpc_client"};
    unsigned long long at;
    size_t bytes;
    void *module = NULL;
    if (cuda.module(&module, k->function) || !module)
        return false;
    for (size_t n = 0; module != g->served && n < sizeof clients / sizeof *clients; n++)
        if (!cuda.global(&at, &bytes, module, clients[n]))
            return false;
    g->served = module;
    return true;
}

static int take(struct heddle__cuda_catch *c, const struct heddle__cuda_kernel *k) {
    struct heddle__cuda_graph *g = (struct heddle__cuda_graph *)c;
    if (c->count > 1 || !needs_nothing(k) || !serves_itself(g, k))
        return 0; /* not launched, and not recorded either */
    if (g->number >= 0)
        g->good = !cuda.change(g->made, g->node[g->number], k);
    else
        g->good = !cuda.add(&g->node[g->nodes], g->graph, g->before, (size_t)g->befores, k);
    return 0;
}

static bool record(struct heddle__cuda_graph *g, const struct heddle__replay_call *call, int number) {
    g->good = false;
    g->number = number;
    if (!heddle__cuda_catch_begin(&g->catch))
        return false;
    call->launch(call->env, g->device);
    heddle__cuda_catch_end();
    return g->good && g->catch.count == 1;
}

/* ---- the graph --------------------------------------------------------------------------------------------------- */
struct heddle__cuda_graph *heddle__cuda_graph_new(int device) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    struct heddle__cuda_graph *g = cuda.all && !heddle_gpu_enter(device) ? calloc(1, sizeof *g) : NULL;
    if (!g)
        return NULL;
    *g = (struct heddle__cuda_graph){.catch.take = take, .device = device};
    const bool made = !cuda.create(&g->graph, 0);
    heddle_gpu_leave();
    if (made)
        return g;
    free(g);
    return NULL;
}

static bool reserve(struct heddle__cuda_graph *g, int befores) {
    if (g->nodes == g->room) {
        const int room = 2 * g->room + 64;
        void **more = realloc(g->node, (size_t)room * sizeof *more);
        if (!more)
            return false;
        g->node = more;
        g->room = room;
    }
    if (befores <= g->before_room)
        return true;
    void **more = realloc(g->before, 2 * (size_t)befores * sizeof *more);
    g->before = more ? more : g->before;
    g->before_room = more ? 2 * befores : g->before_room;
    return more != NULL;
}

bool heddle__cuda_graph_add(struct heddle__cuda_graph *g, const struct heddle__replay_call *call, const int *before,
                            int befores) {
    if (!reserve(g, befores) || heddle_gpu_enter(g->device))
        return false;
    for (int k = 0; k < befores; k++)
        g->before[k] = g->node[before[k]];
    g->befores = befores;
    const bool good = record(g, call, -1);
    g->nodes += good;
    heddle_gpu_leave();
    return good;
}

bool heddle__cuda_graph_ready(struct heddle__cuda_graph *g) {
    if (heddle_gpu_enter(g->device))
        return false;
    const bool good = !cuda.make(&g->made, g->graph, 0);
    heddle_gpu_leave();
    return good;
}

bool heddle__cuda_graph_change(struct heddle__cuda_graph *g, int number, const struct heddle__replay_call *call) {
    if (heddle_gpu_enter(g->device))
        return false;
    const bool good = record(g, call, number);
    heddle_gpu_leave();
    return good;
}

int heddle__cuda_graph_run(struct heddle__cuda_graph *g, double timeout, bool *begun) {
    *begun = false;
    if (heddle_gpu_enter(g->device))
        return HEDDLE_ENODEV;
    struct heddle__channel *c = heddle__channel_take(g->device);
    int error = c ? HEDDLE_OK : HEDDLE_ENOMEM;
    if (!error && cuda.launch(g->made, c->stream))
        error = HEDDLE_ELAUNCH;
    *begun = !error;
    error = error ? error : heddle__channel_record(g->device, c, 0);
    error = error ? error : heddle__channel_wait(g->device, c, 0, timeout);
    if (error)
        heddle__channel_drop(g->device, c);
    else
        heddle__channel_give(g->device, c);
    heddle_gpu_leave();
    return error;
}

void heddle__cuda_graph_free(struct heddle__cuda_graph *g) {
    if (!heddle_gpu_enter(g->device)) {
        if (g->made)
            cuda.drop(g->made);
        cuda.destroy(g->graph);
        heddle_gpu_leave();
    }
    free(g->node);
    free(g->before);
    free(g);
}
