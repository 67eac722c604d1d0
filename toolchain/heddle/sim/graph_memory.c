/* SPDX-License-Identifier: Apache-2.0 */
/* graph_memory.c - data that is valid in several memories, and copies on their links. A copy occupies the sender's way
   out and the receiver's way in for its bytes - the host, memory 0, has one for each device -, and its latency passes
   beside other copies. */
#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_valid(const struct graph_memory *m, int data, int memory) {
    return m->valid[(long)data * m->words + memory / 64] >> (memory % 64) & 1;
}
static void set(const struct graph_memory *m, int data, int memory) {
    m->valid[(long)data * m->words + memory / 64] |= (uint64_t)1 << (memory % 64);
}
static void only(const struct graph_memory *m, int data, int memory) {
    memset(&m->valid[(long)data * m->words], 0, (size_t)m->words * sizeof *m->valid);
    set(m, data, memory);
}

bool graph_memory_make(struct graph_memory *m, const struct heddle_graph_machine *machine) {
    *m = (struct graph_memory){.m = machine, .words = (machine->memories + 63) / 64};
    m->out = calloc((size_t)machine->memories, sizeof *m->out);
    m->in = calloc((size_t)machine->memories, sizeof *m->in);
    return m->out && m->in;
}

void graph_memory_free(struct graph_memory *m) {
    free(m->valid);
    free(m->out);
    free(m->in);
}

/* [partition] the number of the first of its data in a list by partition; list: NULL: no memory. */
static int *by_partition(const struct graph_step *g, int **first) {
    int *list = malloc(((size_t)g->g.datas + 1) * sizeof *list);
    *first = calloc((size_t)g->g.partitions + 2, sizeof **first);
    if (!list || !*first) {
        free(list);
        return NULL;
    }
    for (int d = 0; d < g->g.datas; d++)
        (*first)[g->data[d].partition + 2]++;
    for (int p = 0; p < g->g.partitions; p++)
        (*first)[p + 2] += (*first)[p + 1];
    for (int d = 0; d < g->g.datas; d++)
        list[(*first)[g->data[d].partition + 1]++] = d;
    return list;
}

static bool keep(struct graph_memory *m, const uint64_t *had, const struct graph_step *a, const struct graph_step *b) {
    int *first_a = NULL, *first_b = NULL, *list_a = by_partition(a, &first_a), *list_b = by_partition(b, &first_b);
    const int both = a->g.partitions < b->g.partitions ? a->g.partitions : b->g.partitions;
    const bool good = list_a && list_b;
    for (int p = 0; p < both && good; p++)
        for (int k = 0; first_a[p] + k < first_a[p + 1] && first_b[p] + k < first_b[p + 1]; k++) {
            const int from = list_a[first_a[p] + k], to = list_b[first_b[p] + k];
            if (a->data[from].bytes == b->data[to].bytes)
                memcpy(&m->valid[(long)to * m->words], &had[(long)from * m->words],
                       (size_t)m->words * sizeof *m->valid);
        }
    free(first_a);
    free(first_b);
    free(list_a);
    free(list_b);
    return good;
}

bool graph_memory_change(struct graph_memory *m, const struct graph_step *before, const struct graph_step *g) {
    uint64_t *had = m->valid;
    m->valid = calloc((size_t)g->g.datas * (size_t)m->words + 1, sizeof *m->valid);
    m->datas = m->valid ? g->g.datas : 0;
    graph_memory_restore(m);
    const bool good = m->valid && (!before || keep(m, had, before, g));
    free(had);
    return good;
}

void graph_memory_restore(struct graph_memory *m) {
    for (int d = 0; d < m->datas; d++)
        only(m, d, 0);
}

/* From where it is there first. */
static double copy(struct graph_memory *m, int data, double bytes, int to, double now) {
    const int n = m->m->memories;
    int best = -1;
    double soonest = HUGE_VAL, begin = now;
    for (int a = 0; a < n; a++) {
        if (!is_valid(m, data, a))
            continue;
        const double start = fmax(now, fmax(m->out[a], m->in[to]));
        const double there = start + bytes * m->m->byte[a * n + to] + m->m->latency[a * n + to];
        if (there < soonest) {
            soonest = there;
            begin = start;
            best = a;
        }
    }
    if (best < 0)
        return now;
    const double until = begin + bytes * m->m->byte[best * n + to];
    m->out[best] = best ? until : 0;
    m->in[to] = to ? until : 0;
    m->copies++;
    m->bytes += bytes;
    set(m, data, to);
    return soonest;
}

double graph_memory_read(struct graph_memory *m, const struct graph_step *g, int task, int to, double now) {
    double there = now;
    for (int k = 0; k < g->task[task].accesses; k++) {
        const struct heddle_graph_access *a = &g->access[g->task[task].access + k];
        if (a->reads && !is_valid(m, a->data, to))
            there = fmax(there, copy(m, a->data, g->data[a->data].bytes, to, now));
    }
    return there;
}

void graph_memory_write(struct graph_memory *m, const struct graph_step *g, int task, int to) {
    for (int k = 0; k < g->task[task].accesses; k++)
        if (g->access[g->task[task].access + k].writes)
            only(m, g->access[g->task[task].access + k].data, to);
}

bool graph_memory_lost(struct graph_memory *m, int memory) {
    bool whole = true;
    for (int d = 0; d < m->datas; d++) {
        uint64_t *v = &m->valid[(long)d * m->words], any = 0;
        v[memory / 64] &= ~((uint64_t)1 << (memory % 64));
        for (int k = 0; k < m->words; k++)
            any |= v[k];
        whole = whole && any;
    }
    return whole;
}
