/* SPDX-License-Identifier: Apache-2.0 */
/* Which partitions interact: one writes a datum that the other reads, or both write it. */
#include "plan.h"
#include <stdlib.h>
#include <string.h>

struct use { /* of a datum by a partition, in all its tasks */
    int data, partition, reads, writes;
};
struct edge {
    int from, to;
    double bytes;
};

static int by_data(const void *x, const void *y) {
    const struct use *a = x, *b = y;
    return a->data != b->data ? (a->data > b->data) - (a->data < b->data)
                              : (a->partition > b->partition) - (a->partition < b->partition);
}
static int by_ends(const void *x, const void *y) {
    const struct edge *a = x, *b = y;
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from) : (a->to > b->to) - (a->to < b->to);
}

/* Equal sums in both directions, to the last bit: whoever partitions a graph wants it symmetric. */
static int by_all(const void *x, const void *y) {
    const struct edge *a = x, *b = y;
    const int ends = by_ends(x, y);
    return ends ? ends : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static struct use *collect(const struct heddle_graph *g, long *count) {
    long all = 0, kept = 0;
    for (int t = 0; t < g->tasks; t++)
        all += g->task[t].accesses;
    struct use *use = malloc(((size_t)all + 1) * sizeof *use);
    if (!use)
        return NULL;
    for (int t = 0; t < g->tasks; t++)
        for (int k = 0; k < g->task[t].accesses; k++) {
            const struct heddle_graph_access *a = &g->access[g->task[t].access + k];
            use[kept++] = (struct use){a->data, g->task[t].partition, a->reads, a->writes};
        }
    qsort(use, (size_t)kept, sizeof *use, by_data);
    *count = 0;
    for (long k = 0; k < kept; k++)
        if (*count && !by_data(&use[*count - 1], &use[k])) {
            use[*count - 1].reads += use[k].reads;
            use[*count - 1].writes += use[k].writes;
        } else {
            use[(*count)++] = use[k];
        }
    return use;
}

/* A datum is copied at most as often as one side reads it and the other writes it. */
static double volume(const struct use *a, const struct use *b, double bytes) {
    const int there = a->writes < b->reads ? a->writes : b->reads, back = b->writes < a->reads ? b->writes : a->reads;
    return bytes * (there + back);
}

static bool add(struct edge **edge, long *count, long *room, struct edge e) {
    if (*count == *room) {
        *room = *room ? 2 * *room : 64;
        struct edge *more = realloc(*edge, (size_t)*room * sizeof **edge);
        if (!more)
            return false;
        *edge = more;
    }
    (*edge)[(*count)++] = e;
    return true;
}

/* Who writes a datum meets everybody who uses it; readers do not meet each other. */
static bool join(const struct heddle_graph *g, const struct use *use, long uses, struct edge **edge, long *edges) {
    long room = 0;
    for (long k = 0, end; k < uses; k = end) {
        for (end = k; end < uses && use[end].data == use[k].data;)
            end++;
        for (long a = k; a < end; a++)
            for (long b = k; b < end && use[a].writes; b++) {
                const double bytes = volume(&use[a], &use[b], g->data[use[a].data].bytes);
                const bool mirrored = use[b].writes && b < a; /* counted from b already */
                if (a == b || bytes <= 0 || mirrored)
                    continue;
                if (!add(edge, edges, &room, (struct edge){use[a].partition, use[b].partition, bytes}) ||
                    !add(edge, edges, &room, (struct edge){use[b].partition, use[a].partition, bytes}))
                    return false;
            }
    }
    return true;
}

bool heddle__graph_index(struct heddle_graph *g, int **first, struct heddle_graph_neighbour **neighbour) {
    struct edge *edge = NULL;
    long uses = 0, edges = 0, kept = 0;
    struct use *use = collect(g, &uses);
    *first = calloc((size_t)g->partitions + 1, sizeof **first);
    *neighbour = NULL;
    bool good = use && *first && join(g, use, uses, &edge, &edges);
    good = good && (*neighbour = malloc(((size_t)edges + 1) * sizeof **neighbour));
    if (good && edges)
        qsort(edge, (size_t)edges, sizeof *edge, by_all);
    for (long k = 0; good && k < edges; k++) {
        if (k && !by_ends(&edge[k - 1], &edge[k])) {
            (*neighbour)[kept - 1].bytes += edge[k].bytes;
            continue;
        }
        (*neighbour)[kept++] = (struct heddle_graph_neighbour){edge[k].to, edge[k].bytes};
        (*first)[edge[k].from + 1]++;
    }
    for (int p = 0; good && p < g->partitions; p++)
        (*first)[p + 1] += (*first)[p];
    free(use);
    free(edge);
    if (!good) {
        free(*first);
        free(*neighbour);
        *first = NULL;
        *neighbour = NULL;
        return false;
    }
    g->first_neighbour = *first;
    g->neighbour = *neighbour;
    return true;
}
