/* SPDX-License-Identifier: Apache-2.0 */
/* An iteration's tasks as they were submitted, and the graph of them for policies. */
#include "graph.h"
#include "graph/plan/plan.h"
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static void *grow(void *array, int *room, int need, size_t size) {
    if (need <= *room)
        return array;
    const int more = need > 2 * *room ? need + 64 : 2 * *room;
    void *larger = realloc(array, (size_t)more * size);
    if (larger)
        *room = more;
    return larger;
}

int heddle__recording_add(struct recording *r, const struct task *t) {
    struct graph_node *node = grow(r->node, &r->node_room, r->nodes + 1, sizeof *node);
    r->node = node ? node : r->node;
    struct heddle__range *item = grow(r->item, &r->item_room, r->items + t->count, sizeof *item);
    r->item = item ? item : r->item;
    if (!node || !item)
        return -1;
    uint64_t signature = mix(1, (uintptr_t)t->routine);
    for (int k = 0; k < t->count; k++) {
        signature = mix(mix(mix(signature, t->item[k].begin), t->item[k].end), t->item[k].writes);
        item[r->items + k] = t->item[k];
    }
    node[r->nodes] = (struct graph_node){.signature = signature, .item = r->items, .items = t->count, .seconds = -1};
    r->items += t->count;
    return r->nodes++;
}

void heddle__recorded_free(struct recorded_graph *g) {
    free(g->task);
    free(g->tasks);
    free(g->data);
    free(g->access);
    free(g->before);
    free(g->owner);
    free(g->first_neighbour);
    free(g->time);
    free(g->neighbour);
    *g = (struct recorded_graph){0};
}

/* ---- data and partitions ------------------------------------------------------------------------------------------
 */

static int by_address(const void *a, const void *b) {
    const uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
    return (x > y) - (x < y);
}

/* The first addresses of all items, each once. */
static uintptr_t *addresses(const struct recording *r, int *count) {
    uintptr_t *at = malloc(((size_t)r->items + 1) * sizeof *at);
    *count = 0;
    if (!at)
        return NULL;
    for (int k = 0; k < r->items; k++)
        at[k] = r->item[k].begin;
    qsort(at, (size_t)r->items, sizeof *at, by_address);
    for (int k = 0; k < r->items; k++)
        if (!*count || at[*count - 1] != at[k])
            at[(*count)++] = at[k];
    return at;
}

static int datum(const uintptr_t *at, int count, uintptr_t address) {
    return (int)((const uintptr_t *)bsearch(&address, at, (size_t)count, sizeof *at, by_address) - at);
}

static void add_accesses(struct recorded_graph *g, const struct recording *r, const struct graph_node *n,
                         struct heddle_graph_task *task, const uintptr_t *at) {
    struct heddle_graph *graph = &g->graph;
    for (int k = 0; k < n->items; k++) {
        const struct heddle__range *item = &r->item[n->item + k];
        const int d = datum(at, graph->datas, item->begin);
        const double bytes = item->end == UINTPTR_MAX ? 0 : (double)(item->end - item->begin);
        g->data[d].bytes = bytes > g->data[d].bytes ? bytes : g->data[d].bytes;
        g->access[task->access + k] = (struct heddle_graph_access){.data = d, .reads = true, .writes = item->writes};
        if (item->writes && task->partition < 0)
            task->partition = d; /* the datum's number for now */
    }
}

/* A partition is the tasks of one object: of what they write first, else of what they read first. */
static void number_partitions(struct recorded_graph *g) {
    struct heddle_graph *graph = &g->graph;
    for (int d = 0; d < graph->datas; d++)
        g->data[d].partition = -1;
    for (int t = 0; t < graph->tasks; t++) {
        struct heddle_graph_task *task = &g->tasks[t];
        const int key = task->partition < 0 ? g->access[task->access].data : task->partition;
        if (g->data[key].partition < 0)
            g->data[key].partition = graph->partitions++;
        task->partition = g->data[key].partition;
    }
    for (int t = 0; t < graph->tasks; t++) /* what no partition is named after belongs to who writes it first */
        for (int k = 0; k < g->tasks[t].accesses; k++) {
            const struct heddle_graph_access *a = &g->access[g->tasks[t].access + k];
            if (a->writes && g->data[a->data].partition < 0)
                g->data[a->data].partition = g->tasks[t].partition;
        }
}

/* ---- the graph ----------------------------------------------------------------------------------------------------
 */

static bool add_before(struct recorded_graph *g, struct heddle__ranges *ranges, const struct recording *r,
                       const struct graph_node *n, struct heddle_graph_task *task, int *befores, int *room) {
    const long *before;
    const long count = heddle__ranges_add(ranges, &r->item[n->item], n->items, &before);
    int *more = count < 0 ? NULL : grow(g->before, room, *befores + (int)count + 1, sizeof *more);
    if (!more)
        return false;
    g->before = more;
    task->before = *befores;
    task->befores = (int)count;
    for (long k = 0; k < count; k++)
        g->before[(*befores)++] = (int)before[k];
    return true;
}

static bool make(struct recorded_graph *g, const struct recording *r, const struct heddle_graph_machine *m,
                 place_set units, struct heddle__ranges *ranges, const uintptr_t *at) {
    struct heddle_graph *graph = &g->graph;
    const size_t nodes = (size_t)r->nodes + 1, items = (size_t)r->items + 1;
    int befores = 0, room = 0, accesses = 0;
    g->task = malloc(nodes * sizeof *g->task);
    g->tasks = malloc(nodes * sizeof *g->tasks);
    g->data = calloc(items, sizeof *g->data);
    g->access = malloc(items * sizeof *g->access);
    g->time = calloc(nodes * (size_t)m->classes, sizeof *g->time);
    if (!g->task || !g->tasks || !g->data || !g->access || !g->time)
        return false;
    for (int k = 0; k < r->nodes; k++) {
        const struct graph_node *n = &r->node[k];
        const bool takes_part = n->regions == 1 && n->items && (n->allowed & units) == units;
        g->task[k] = takes_part ? graph->tasks++ : -1;
        if (!takes_part)
            continue;
        struct heddle_graph_task *task = &g->tasks[g->task[k]];
        *task = (struct heddle_graph_task){.partition = -1, .access = accesses, .accesses = n->items};
        accesses += n->items;
        add_accesses(g, r, n, task, at);
        if (!add_before(g, ranges, r, n, task, &befores, &room))
            return false;
    }
    number_partitions(g);
    return (g->owner = malloc(((size_t)graph->partitions + 1) * sizeof *g->owner));
}

/* What is measured, and where data lies. */
static void add_runs(struct recorded_graph *g, const struct recording *r, const struct heddle_graph_machine *m,
                     place_set units, const int *unit) {
    for (int p = 0; p < g->graph.partitions; p++)
        g->owner[p] = -1;
    for (int k = 0; k < r->nodes; k++) {
        const struct graph_node *n = &r->node[k];
        if (g->task[k] < 0 || !(units & BIT(n->place)))
            continue;
        if (n->seconds > 0)
            g->time[g->task[k] * m->classes + m->unit[unit[n->place]].class] = n->seconds;
        g->owner[g->tasks[g->task[k]].partition] = unit[n->place];
    }
}

bool heddle__recorded_make(struct recorded_graph *g, const struct recording *r, const struct heddle_graph_machine *m,
                           place_set units, const int *unit) {
    struct heddle__ranges *ranges = heddle__ranges_make();
    *g = (struct recorded_graph){.nodes = r->nodes};
    uintptr_t *at = addresses(r, &g->graph.datas);
    bool good = ranges && at && make(g, r, m, units, ranges, at);
    if (good) {
        add_runs(g, r, m, units, unit);
        g->graph.task = g->tasks;
        g->graph.data = g->data;
        g->graph.access = g->access;
        g->graph.before = g->before;
        g->graph.time = g->time;
        g->graph.owner = g->owner;
        good = heddle__graph_index(&g->graph, &g->first_neighbour, &g->neighbour);
    }
    heddle__ranges_free(ranges);
    free(at);
    if (!good)
        heddle__recorded_free(g);
    return good;
}
