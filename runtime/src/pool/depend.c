/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dependences of the host's tasks, by address as in OpenMP: a task waits for the last writer of what it names, a
 * writer also for the readers since. The lists of predecessors are what the engines need, so nothing else is kept.
 */
#include "pool.h"
#include <stdlib.h>
#include <string.h>

struct heddle__user {
    const void *address;
    uint32_t writer;  /* number of the node + 1 */
    uint32_t readers; /* first in the list + 1 */
};
struct heddle__reader {
    uint32_t node, next;
};

static uint64_t slot_of(const void *address, uint64_t slots) {
    return ((uint64_t)(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (slots - 1);
}

static struct heddle__user *find(struct heddle__user *users, uint64_t slots, const void *address) {
    uint64_t k = slot_of(address, slots);
    while (users[k].address && users[k].address != address)
        k = (k + 1) & (slots - 1);
    return &users[k];
}

static int grow_users(struct heddle__segment *s) {
    const uint64_t slots = s->user_slots ? 2 * s->user_slots : 1024;
    struct heddle__user *users = calloc(slots, sizeof *users);
    if (!users)
        return HEDDLE_ENOMEM;
    for (uint64_t k = 0; k < s->user_slots; k++)
        if (s->users[k].address)
            *find(users, slots, s->users[k].address) = s->users[k];
    free(s->users);
    s->users = users;
    s->user_slots = slots;
    return HEDDLE_OK;
}

/* `array` with room behind `count`; NULL: no memory, it is what it was. */
static void *grow(void *array, uint64_t count, uint64_t *capacity, size_t size) {
    if (count < *capacity)
        return array;
    const uint64_t more = *capacity ? 2 * *capacity : 1024;
    void *grown = more > UINT32_MAX / 2 ? NULL : realloc(array, more * size);
    if (grown)
        *capacity = more;
    return grown;
}

static int add_before(struct heddle__segment *s, uint32_t node) {
    for (uint64_t e = s->before_start[s->nodes]; e < s->edges; e++)
        if (s->before[e] == node)
            return HEDDLE_OK;
    if (node == s->nodes) /* the same address twice on one task */
        return HEDDLE_OK;
    uint32_t *before = grow(s->before, s->edges, &s->edge_capacity, sizeof *before);
    if (!before)
        return HEDDLE_ENOMEM;
    s->before = before;
    s->before[s->edges++] = node;
    return HEDDLE_OK;
}

static int add_reader(struct heddle__segment *s, struct heddle__user *user) {
    struct heddle__reader *readers = grow(s->readers, s->reader_count, &s->reader_capacity, sizeof *readers);
    if (!readers)
        return HEDDLE_ENOMEM;
    s->readers = readers;
    s->readers[s->reader_count] = (struct heddle__reader){(uint32_t)s->nodes, user->readers};
    user->readers = (uint32_t)++s->reader_count;
    return HEDDLE_OK;
}

static int add_one(struct heddle__segment *s, const struct heddle_depend *d) {
    if (2 * s->user_count >= s->user_slots && grow_users(s))
        return HEDDLE_ENOMEM;
    struct heddle__user *user = find(s->users, s->user_slots, d->address);
    s->user_count += !user->address;
    user->address = d->address;
    if (user->writer && add_before(s, user->writer - 1))
        return HEDDLE_ENOMEM;
    if (d->kind == HEDDLE_DEPEND_IN)
        return add_reader(s, user);
    for (uint32_t r = user->readers; r; r = s->readers[r - 1].next)
        if (add_before(s, s->readers[r - 1].node))
            return HEDDLE_ENOMEM;
    user->readers = 0;
    user->writer = (uint32_t)s->nodes + 1;
    return HEDDLE_OK;
}

/* Reads first: `depend(in: x) depend(out: x)` must see the earlier writer, and not itself. */
int heddle__depend_add(struct heddle__segment *s, const struct heddle_depend *depends, int count) {
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count; k++)
            if ((depends[k].kind == HEDDLE_DEPEND_IN) == !pass && add_one(s, &depends[k]))
                return HEDDLE_ENOMEM;
    return HEDDLE_OK;
}

void heddle__depend_forget(struct heddle__segment *s) {
    if (s->user_count)
        memset(s->users, 0, s->user_slots * sizeof *s->users);
    s->user_count = s->reader_count = 0;
}

void heddle__depend_free(struct heddle__segment *s) {
    free(s->before_start);
    free(s->before);
    free(s->users);
    free(s->readers);
}
