/* SPDX-License-Identifier: Apache-2.0 */
/* depend clauses: who used an address among the tasks that one task makes, and which tasks a task waits for. */
#include "verify.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 1 << 14, DEPTH = 8000 };

struct user { /* who used an address that depend clauses name */
    const void *address;
    uint32_t parent, wait, writer; /* among the tasks that one task makes between two taskwaits */
    uint32_t reader;               /* first of a list, 0: none */
};
static struct user *users;
static size_t user_count, user_room;
static struct {
    uint32_t unit, next;
} *readers;
static size_t reader_count, reader_room;
static uint32_t *edges;
static size_t edge_count, edge_room, edge_first;
static uint32_t mark;

void order_begin(void) {
    memset(users, 0, user_room * sizeof *users);
    user_count = edge_count = edge_first = 0;
    reader_count = 1;
}

static void *grown(void *p, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return p;
    *room = *room ? 2 * *room : 1024;
    p = realloc(p, *room * size);
    return p ? p : (abort(), NULL);
}

static struct user *find_user(struct user *in, size_t size, const struct user *key) {
    size_t h = ((uintptr_t)key->address * 0x9e3779b97f4a7c15ull ^ key->parent * 0x85ebca6bu ^ key->wait) >> 7;
    for (;; h++) {
        struct user *u = &in[h & (size - 1)];
        if (!u->parent || (u->address == key->address && u->parent == key->parent && u->wait == key->wait))
            return u;
    }
}

static struct user *user_of(const void *address, uint32_t parent, uint32_t wait) {
    const struct user key = {.address = address, .parent = parent, .wait = wait};
    if (2 * (user_count + 2) > user_room) {
        const size_t wider = user_room ? 4 * user_room : 1024;
        struct user *more = calloc(wider, sizeof *more);
        if (!more)
            abort();
        for (size_t i = 0; i < user_room; i++)
            if (users[i].parent)
                *find_user(more, wider, &users[i]) = users[i];
        free(users);
        users = more;
        user_room = wider;
    }
    struct user *u = find_user(users, user_room, &key);
    if (!u->parent) {
        *u = key;
        user_count++;
    }
    return u;
}

static void add_edge(uint32_t unit) {
    edges = grown(edges, edge_count, &edge_room, sizeof *edges);
    edges[edge_count++] = unit;
}

/* A task with `in` waits for the last one with out or inout on the address, one with those also for `in` ones since. */
void order_depend(const void *address, int type, uint32_t parent, uint32_t wait) {
    struct user *u = user_of(address, parent, wait);
    const uint32_t unit = unit_last + 1; /* the task comes at once */
    if (u->writer)
        add_edge(u->writer);
    if (type == HEDDLE_VERIFY_OUT) {
        for (uint32_t r = u->reader; r; r = readers[r].next)
            if (readers[r].unit != unit)
                add_edge(readers[r].unit);
        u->reader = 0;
        u->writer = unit;
    } else {
        readers = grown(readers, reader_count, &reader_room, sizeof *readers);
        readers[reader_count].unit = unit;
        readers[reader_count].next = u->reader;
        u->reader = (uint32_t)reader_count++;
    }
}

void order_edges(struct node *n) {
    n->edge = (uint32_t)edge_first;
    n->edges = (uint32_t)(edge_count - edge_first);
    edge_first = edge_count;
}

/* A chain of depend clauses from task `to` back to `from`, both made by the same task. */
static bool depends(uint32_t from, const struct node *to, long *steps, int depth) {
    if (depth > DEPTH)
        *steps = 0;
    if (--*steps < 0)
        return false;
    for (uint32_t e = 0; e < to->edges; e++)
        if (edges[to->edge + e] == from)
            return true;
    for (uint32_t e = 0; e < to->edges; e++) {
        struct node *back = edges[to->edge + e] > from ? unit_node(edges[to->edge + e]) : NULL;
        if (!back || back->mark == mark)
            continue;
        back->mark = mark;
        if (depends(from, back, steps, depth + 1))
            return true;
    }
    return false;
}

bool order_depends(uint32_t from, const struct node *to) {
    long steps = STEPS;
    mark++;
    const bool found = to->edges && depends(from, to, &steps, 0);
    order_undecided += !found && steps < 0;
    return found || steps < 0;
}
