/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units: iterations and tasks, numbered in the order of the serial program. A loop's iterations share a node as long
 * as nothing comes between them; their positions are computed from the numbers. The values of loop variables are
 * learnt from the first iterations, so no bound has to be known.
 */
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 1 << 22, NODES_KEPT = 1 << 16 };
static struct node *nodes;
static size_t count, room;
uint32_t unit_last;

static struct node *append(void) {
    if (count == NODES_MAX)
        return NULL;
    if (!nodes) { /* never moved: pointers to nodes are kept */
        nodes = calloc(NODES_MAX, sizeof *nodes);
        room = nodes ? NODES_MAX : 0;
    }
    if (!room)
        return NULL;
    nodes[count] = (struct node){0};
    return &nodes[count++];
}

struct node *unit_node(uint32_t unit) {
    static size_t last; /* most questions are about one loop */
    size_t lo = 0, hi = count;
    if (last < count && unit - nodes[last].unit < nodes[last].units)
        return &nodes[last];
    while (hi - lo > 1) {
        const size_t mid = (lo + hi) / 2;
        if (nodes[mid].unit <= unit)
            lo = mid;
        else
            hi = mid;
    }
    last = lo;
    return count && unit - nodes[lo].unit < nodes[lo].units ? &nodes[lo] : NULL;
}

struct node *unit_new(const struct heddle_verify_site *site, uint32_t parent) {
    const struct node *up = parent ? unit_node(parent) : NULL;
    struct node *n = unit_last < UNIT_MAX ? append() : NULL;
    if (!n)
        return NULL;
    n->site = site;
    n->unit = ++unit_last;
    n->units = 1;
    n->parent = parent;
    n->depth = (uint16_t)(up ? up->depth + 1 : 0);
    return n;
}

struct loop *unit_loop(const struct heddle_verify_site *site) {
    struct loop *l = calloc(1, sizeof *l);
    if (l)
        l->site = site;
    return l;
}

/* Which of the loops went on: all inside it begin anew. */
static void count_on(struct loop *l, const long *value) {
    const int dims = l->site->dims;
    int d = 0;
    if (!l->iterations) {
        for (d = 0; d < dims; d++)
            l->first[d] = value[d], l->count[d] = 1;
        return;
    }
    while (d + 1 < dims && value[d] == l->value[d])
        d++;
    l->at[d]++;
    if (l->at[d] == l->count[d])
        l->count[d]++;
    if (l->at[d] == 1)
        l->step[d] = value[d] - l->first[d];
    for (d++; d < dims; d++)
        l->at[d] = 0;
}

void unit_iteration(struct loop *l, struct node **run, uint32_t parent, long i, long j, long k) {
    const long value[DIMS] = {i, j, k};
    count_on(l, value);
    memcpy(l->value, value, sizeof value);
    struct node *n = *run;
    if (n && n->unit + n->units == unit_last + 1 && unit_last < UNIT_MAX) {
        n->units++;
        unit_last++;
    } else if ((n = *run = unit_new(l->site, parent))) {
        n->loop = l;
        n->first = l->iterations;
    }
    l->iterations++;
}

void unit_position(const struct node *n, uint32_t unit, uint32_t at[DIMS]) {
    const struct loop *l = n->loop;
    uint32_t number = n->first + (unit - n->unit);
    for (int d = l->site->dims - 1; d > 0; d--) {
        at[d] = number % l->count[d];
        number /= l->count[d];
    }
    at[0] = number;
    for (int d = l->site->dims; d < DIMS; d++)
        at[d] = 0;
}

void unit_text(uint32_t unit, char *out, size_t size) {
    const struct node *n = unit ? unit_node(unit) : NULL;
    size_t used = 0;
    uint32_t at[DIMS];
    out[0] = 0;
    if (!n || !n->loop) {
        snprintf(out, size, "%s", !n ? "an iteration" : n->parent ? "a run" : "the block");
        return;
    }
    unit_position(n, unit, at);
    for (int d = 0; d < n->loop->site->dims && used < size; d++)
        used += (size_t)snprintf(out + used, size - used, "%s%s = %ld", d ? ", " : "", n->loop->site->name[d],
                                 n->loop->first[d] + (long)at[d] * n->loop->step[d]);
}

/* Forgets what only messages about values lost long ago would want. */
void unit_trim(void) {
    if (count < NODES_MAX / 2 && unit_last < UNIT_MAX / 2)
        return;
    const size_t drop = count > NODES_KEPT ? count - NODES_KEPT : 0;
    memmove(nodes, nodes + drop, (count - drop) * sizeof *nodes);
    count -= drop;
    if (unit_last >= UNIT_MAX / 2) {
        shadow_forget_all();
        count = 0;
        unit_last = 0;
    }
}
