/* SPDX-License-Identifier: Apache-2.0 */
/* What is connected (union of sets), and the shortest way (Dijkstra 1959, with a heap). */
#include "roadmap.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>

struct arcs {
    size_t *first; /* of a state; [count] behind the last one */
    uint32_t *to;
};

static uint32_t root_of(uint32_t *parent, uint32_t k) {
    while (parent[k] != k)
        k = parent[k] = parent[parent[k]];
    return k;
}

static size_t count_parts(size_t count, const struct way *ways, size_t way_count, const uint8_t *open) {
    uint32_t *parent = app_alloc(count, sizeof *parent);
    size_t parts = count;
    for (uint32_t k = 0; k < count; k++)
        parent[k] = k;
    for (size_t k = 0; k < way_count; k++) {
        const uint32_t a = root_of(parent, ways[k].a), b = root_of(parent, ways[k].b);
        if (open[k] && a != b)
            parent[a] = b, parts--;
    }
    free(parent);
    return parts;
}

static struct arcs make_arcs(size_t count, const struct way *ways, size_t way_count, const uint8_t *open) {
    struct arcs arcs = {app_alloc(count + 2, sizeof *arcs.first), app_alloc(2 * way_count + 1, sizeof *arcs.to)};
    for (size_t k = 0; k < count + 2; k++)
        arcs.first[k] = 0;
    for (size_t k = 0; k < way_count; k++)
        arcs.first[ways[k].a + 2] += open[k], arcs.first[ways[k].b + 2] += open[k];
    for (size_t k = 2; k < count + 2; k++)
        arcs.first[k] += arcs.first[k - 1];
    for (size_t k = 0; k < way_count; k++)
        if (open[k]) {
            arcs.to[arcs.first[ways[k].a + 1]++] = ways[k].b;
            arcs.to[arcs.first[ways[k].b + 1]++] = ways[k].a;
        }
    return arcs;
}

struct entry {
    double far;
    uint32_t state;
};

struct heap {
    struct entry *at;
    size_t count;
};

static void heap_push(struct heap *heap, struct entry entry) {
    size_t k = heap->count++;
    for (; k && entry.far < heap->at[(k - 1) / 2].far; k = (k - 1) / 2)
        heap->at[k] = heap->at[(k - 1) / 2];
    heap->at[k] = entry;
}

static struct entry heap_pop(struct heap *heap) {
    const struct entry top = heap->at[0], last = heap->at[--heap->count];
    size_t k = 0;
    for (;;) {
        size_t child = 2 * k + 1;
        if (child >= heap->count)
            break;
        child += child + 1 < heap->count && heap->at[child + 1].far < heap->at[child].far;
        if (!(heap->at[child].far < last.far))
            break;
        heap->at[k] = heap->at[child];
        k = child;
    }
    heap->at[k] = last;
    return top;
}

size_t graph_path(const struct measure *measure, const struct state *states, size_t count, const struct way *ways,
                  size_t way_count, const uint8_t *open, uint32_t *path, size_t *parts, double *length) {
    struct arcs arcs = make_arcs(count, ways, way_count, open);
    double *far = app_alloc(count, sizeof *far);
    uint32_t *from = app_alloc(count, sizeof *from);
    struct heap heap = {app_alloc(2 * way_count + 2, sizeof *heap.at), 0};
    size_t states_in = 0;
    *parts = count_parts(count, ways, way_count, open);
    for (size_t k = 0; k < count; k++)
        far[k] = INFINITY, from[k] = NO_NEIGHBOUR;
    far[0] = 0;
    heap_push(&heap, (struct entry){0, 0});
    while (heap.count) {
        const struct entry now = heap_pop(&heap);
        if (now.far > far[now.state])
            continue;
        for (size_t k = arcs.first[now.state]; k < arcs.first[now.state + 1]; k++) {
            const uint32_t to = arcs.to[k];
            const double d = now.far + (double)state_distance(measure, &states[now.state], &states[to]);
            if (d < far[to]) {
                far[to] = d, from[to] = now.state;
                heap_push(&heap, (struct entry){d, to});
            }
        }
    }
    *length = far[1];
    if (isfinite(far[1])) {
        for (uint32_t k = 1; k != NO_NEIGHBOUR; k = from[k])
            states_in++;
        size_t at = states_in;
        for (uint32_t k = 1; k != NO_NEIGHBOUR; k = from[k])
            path[--at] = k;
    }
    free(arcs.first);
    free(arcs.to);
    free(far);
    free(from);
    free(heap.at);
    return states_in;
}
