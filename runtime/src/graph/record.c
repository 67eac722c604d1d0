/* SPDX-License-Identifier: Apache-2.0 */
/* What the block makes: its tasks in order, what each accesses, and the values that each captures. */
#include "engine.h"
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16 };

static void *more(void *array, long count, long *room, long add, size_t size) {
    if (count + add <= *room)
        return array;
    const long want = 2 * (count + add) + 64;
    void *larger = realloc(array, (size_t)want * size);
    if (larger)
        *room = want;
    return larger;
}

static bool reserve_env(struct heddle__graph_record *r, size_t bytes) {
    if (r->bytes + bytes <= r->room)
        return true;
    const size_t want = 2 * (r->bytes + bytes) + 4096;
    char *larger = aligned_alloc(ALIGN, want / ALIGN * ALIGN);
    if (!larger)
        return false;
    if (r->bytes)
        memcpy(larger, r->env, r->bytes);
    free(r->env);
    r->env = larger;
    r->room = want / ALIGN * ALIGN;
    return true;
}

bool heddle__graph_note(struct heddle__graph_record *r, const struct heddle_graph_type *type, const void *env,
                        const struct heddle_graph_item *items, int nitems) {
    const size_t bytes = (type->env_bytes + ALIGN - 1) / ALIGN * ALIGN;
    struct heddle__graph_made *task = more(r->task, r->tasks, &r->task_room, 1, sizeof *task);
    if (!task)
        return false;
    r->task = task;
    struct heddle_graph_item *item = more(r->item, r->items, &r->item_room, nitems + 1, sizeof *item);
    if (!item)
        return false;
    r->item = item;
    if (!reserve_env(r, bytes))
        return false;
    memcpy(r->env + r->bytes, env, type->env_bytes);
    for (int k = 0; k < nitems; k++)
        item[r->items + k] = items[k];
    task[r->tasks++] =
        (struct heddle__graph_made){.type = type, .env = r->bytes, .item = (int)r->items, .items = nitems};
    r->items += nitems;
    r->bytes += bytes;
    return true;
}

void heddle__graph_record_free(struct heddle__graph_record *r) {
    free(r->task);
    free(r->item);
    free(r->env);
    *r = (struct heddle__graph_record){0};
}
