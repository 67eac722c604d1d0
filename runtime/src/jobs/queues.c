/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of jobs: blocks of records that stay where they were appended, however often they are dealt and split. */
#include "engine.h"
#include <stdlib.h>

static void *memory(struct heddle__jobs_engine *e, size_t bytes) {
    void *at = malloc(bytes);
    if (!at)
        heddle__lost(&e->site, "no memory for the queues of jobs: the jobs in them cannot be done any more");
    return at;
}

static void push(struct heddle__jobs_engine *e, struct heddle__jobs_queue *q, struct heddle__jobs_buffer *buffer,
                 char *at, long count) {
    struct heddle__jobs_block *b = memory(e, sizeof *b);
    *b = (struct heddle__jobs_block){.next = q->first, .buffer = buffer, .at = at, .count = count};
    buffer->blocks++;
    q->first = b;
    q->count += count;
}

void heddle__jobs_add(struct heddle__jobs_engine *e, struct heddle__jobs_queue *to,
                      const struct heddle_jobs_any_list *list, size_t record, bool own) {
    struct heddle__jobs_buffer *b = memory(e, sizeof *b);
    *b = (struct heddle__jobs_buffer){.memory = list->at,
                                      .bytes = (size_t)(list->room > list->count ? list->room : list->count) * record,
                                      .own = own};
    e->bytes += b->bytes;
    e->most = e->bytes > e->most ? e->bytes : e->most;
    push(e, to, b, list->at, list->count);
    if (e->bytes > e->limit)
        heddle__lost(&e->site,
                     "lists hold %.1f GB, and jobs append more and more: that is what is allowed for them; "
                     "HEDDLE_TUNE=jobs-memory=BYTES allows another amount",
                     (double)e->bytes / 1e9);
}

static void let_go(struct heddle__jobs_engine *e, struct heddle__jobs_buffer *b) {
    if (--b->blocks)
        return;
    e->bytes -= b->bytes;
    if (b->own)
        free(b->memory);
    free(b);
}

void heddle__jobs_move(struct heddle__jobs_engine *e, struct heddle__jobs_queue *to, struct heddle__jobs_queue *from,
                       long count, size_t record) {
    while (count > 0 && from->first) {
        struct heddle__jobs_block *b = from->first;
        const long some = b->count < count ? b->count : count;
        count -= some;
        from->count -= some;
        if (some == b->count) {
            from->first = b->next;
            b->next = to->first;
            to->first = b;
            to->count += some;
        } else {
            b->count -= some;
            push(e, to, b->buffer, b->at + (size_t)b->count * record, some);
            to->first->failed = b->failed;
        }
    }
}

void heddle__jobs_drop(struct heddle__jobs_engine *e, struct heddle__jobs_queue *q) {
    while (q->first) {
        struct heddle__jobs_block *b = q->first;
        q->first = b->next;
        let_go(e, b->buffer);
        free(b);
    }
    q->count = 0;
}
