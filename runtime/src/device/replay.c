/* SPDX-License-Identifier: Apache-2.0 */
/* Replays of either kind, and the list of calls that stands in for a graph in tests. */
#include "replay.h"
#include "start.h"
#include <stdlib.h>
#include <string.h>

struct heddle__replay {
    int device;
    struct heddle__cuda_graph *graph; /* NULL: the list */
    struct heddle__replay_call *call;
    int calls, room;
    unsigned loaded; /* libraries whose code the device has */
};

/* ---- for the hook ------------------------------------------------------------------------------------------------ */
static _Thread_local bool records, list, values_only;

bool heddle__replay_records(void) { return records; }
bool heddle__replay_takes(bool values) {
    values_only = values;
    return values && !list; /* of a list the launch is only looked at */
}

/* libomptarget loads the code of a library that has come with the next region, and launches kernels for it, which would
   be caught. */
static void load(struct heddle__replay *r) {
    const unsigned added = heddle__libraries_added();
    if (r->loaded != added)
        heddle__device_load(r->device);
    r->loaded = added;
}

/* Without the hook nobody knows what the arguments are. */
static bool recorded(struct heddle__replay *r, bool (*f)(struct heddle__replay *, const void *), const void *with) {
    load(r);
    records = true;
    values_only = false;
    list = !r->graph;
    heddle__launch_begin();
    const bool good = f(r, with);
    (void)heddle__launch_end(); /* what is only looked at falls back, and does nothing */
    records = false;
    return good && values_only;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */
static bool keep(struct heddle__replay_call *to, const struct heddle__replay_call *from) {
    void *env = malloc(from->bytes + 1);
    if (!env)
        return false;
    memcpy(env, from->env, from->bytes);
    free((void *)(uintptr_t)to->env);
    *to = (struct heddle__replay_call){from->launch, env, from->bytes};
    return true;
}

static bool reserve(struct heddle__replay *r) {
    if (r->calls < r->room)
        return true;
    const int room = 2 * r->room + 64;
    struct heddle__replay_call *more = realloc(r->call, (size_t)room * sizeof *more);
    if (!more)
        return false;
    r->call = more;
    r->room = room;
    return true;
}

static int run_list(const struct heddle__replay *r, bool *begun) {
    int error = HEDDLE_OK;
    for (int k = 0; !error && k < r->calls; k++) {
        *begun = k > 0;
        heddle__launch_begin();
        r->call[k].launch(r->call[k].env, r->device);
        error = heddle__launch_end();
    }
    return error;
}

/* ---- either ------------------------------------------------------------------------------------------------------ */
struct heddle__replay *heddle__replay_new(int device, bool lists) {
    struct heddle__cuda_graph *graph = heddle__device_is_cuda(device) ? heddle__cuda_graph_new(device) : NULL;
    struct heddle__replay *r = graph || lists ? calloc(1, sizeof *r) : NULL;
    if (r)
        *r = (struct heddle__replay){.device = device, .graph = graph, .loaded = heddle__libraries_added() - 1};
    else if (graph)
        heddle__cuda_graph_free(graph);
    return r;
}

struct node {
    const struct heddle__replay_call *call;
    const int *before;
    int befores, number;
};

static bool add(struct heddle__replay *r, const void *with) {
    const struct node *n = with;
    if (r->graph)
        return heddle__cuda_graph_add(r->graph, n->call, n->before, n->befores);
    n->call->launch(n->call->env, r->device);
    return true;
}

bool heddle__replay_add(struct heddle__replay *r, const struct heddle__replay_call *call, const int *before,
                        int befores) {
    const struct node n = {.call = call, .before = before, .befores = befores};
    if (!recorded(r, add, &n))
        return false;
    if (r->graph)
        return true;
    if (!reserve(r))
        return false;
    r->call[r->calls] = (struct heddle__replay_call){0};
    r->calls++;
    return keep(&r->call[r->calls - 1], call);
}

bool heddle__replay_ready(struct heddle__replay *r) { return !r->graph || heddle__cuda_graph_ready(r->graph); }

static bool change(struct heddle__replay *r, const void *with) {
    const struct node *n = with;
    if (r->graph)
        return heddle__cuda_graph_change(r->graph, n->number, n->call);
    n->call->launch(n->call->env, r->device);
    return true;
}

bool heddle__replay_change(struct heddle__replay *r, int number, const struct heddle__replay_call *call) {
    const struct node n = {.call = call, .number = number};
    return recorded(r, change, &n) && (r->graph || keep(&r->call[number], call));
}

int heddle__replay_run(struct heddle__replay *r, double timeout, bool *begun) {
    *begun = false;
    if (heddle__fault_set && heddle__fault_vanishes(r->device, __FILE__, __LINE__))
        return HEDDLE_ELAUNCH;
    if (r->graph && heddle__fails(HEDDLE__FAULT_LAUNCH))
        return HEDDLE_ELAUNCH;
    return r->graph ? heddle__cuda_graph_run(r->graph, timeout, begun) : run_list(r, begun);
}

void heddle__replay_free(struct heddle__replay *r) {
    if (!r)
        return;
    if (r->graph)
        heddle__cuda_graph_free(r->graph);
    for (int k = 0; k < r->calls; k++)
        free((void *)(uintptr_t)r->call[k].env);
    free(r->call);
    free(r);
}
