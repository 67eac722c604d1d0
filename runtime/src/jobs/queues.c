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

static char *end_of(const struct heddle__jobs_block *b) { return b->at + (size_t)b->count * b->buffer->record; }

static void count_block(struct heddle__jobs_buffer *buffer, long more) {
    buffer->blocks += more;
    if (buffer->on)
        buffer->on->held += more;
}

/* What a device appended in several launches is one block again: a batch of it needs no gathering. */
static bool join(struct heddle__jobs_queue *q, const struct heddle__jobs_block *b) {
    struct heddle__jobs_block *first = q->first;
    if (!first || !b->buffer->on || first->buffer != b->buffer || first->failed || b->failed || end_of(first) != b->at)
        return false;
    first->count += b->count;
    q->count += b->count;
    return true;
}

static void put(struct heddle__jobs_queue *q, struct heddle__jobs_block *b) {
    if (join(q, b)) {
        count_block(b->buffer, -1);
        free(b);
        return;
    }
    b->next = q->first;
    q->first = b;
    q->count += b->count;
}

static void push(struct heddle__jobs_engine *e, struct heddle__jobs_queue *q, const struct heddle__jobs_block *what) {
    struct heddle__jobs_block *b = memory(e, sizeof *b);
    *b = *what;
    count_block(b->buffer, 1);
    put(q, b);
}

void heddle__jobs_grow(struct heddle__jobs_engine *e, size_t bytes) {
    e->bytes += bytes;
    e->most = e->bytes > e->most ? e->bytes : e->most;
    if (e->bytes > e->limit)
        heddle__lost(&e->site,
                     "lists hold %.0f MB, and jobs append more and more: that is what is allowed for them; "
                     "HEDDLE_TUNE=jobs-memory=BYTES allows another amount",
                     (double)e->bytes / 1e6);
}

void heddle__jobs_add(struct heddle__jobs_engine *e, struct heddle__jobs_queue *to,
                      const struct heddle_jobs_any_list *list, size_t record, bool own) {
    struct heddle__jobs_buffer *b = memory(e, sizeof *b);
    *b = (struct heddle__jobs_buffer){.source = own ? e->home : -1,
                                      .memory = list->at,
                                      .bytes = (size_t)(list->room > list->count ? list->room : list->count) * record,
                                      .record = record,
                                      .own = own};
    push(e, to, &(struct heddle__jobs_block){.buffer = b, .at = list->at, .count = list->count});
    heddle__jobs_grow(e, b->bytes);
}

void heddle__jobs_add_there(struct heddle__jobs_engine *e, struct heddle__jobs_queue *to,
                            struct heddle__jobs_buffer *buffer, size_t at, long count) {
    push(e, to, &(struct heddle__jobs_block){.buffer = buffer, .at = buffer->memory + at, .count = count});
    buffer->used = at + (size_t)count * buffer->record;
}

void heddle__jobs_let_go(struct heddle__jobs_engine *e, struct heddle__jobs_buffer *b) {
    if (--b->blocks)
        return;
    if (b->on) { /* freed by its thread, or at the end */
        b->next = b->on->spare;
        b->on->spare = b;
        return;
    }
    e->bytes -= b->bytes;
    if (b->own)
        free(b->memory);
    free(b);
}

void heddle__jobs_move(struct heddle__jobs_engine *e, struct heddle__jobs_queue *to, struct heddle__jobs_queue *from,
                       long count) {
    while (count > 0 && from->first) {
        struct heddle__jobs_block *b = from->first;
        const long some = b->count < count ? b->count : count;
        count -= some;
        from->count -= some;
        if (some == b->count) {
            from->first = b->next;
            put(to, b);
        } else {
            b->count -= some;
            push(
                e, to,
                &(struct heddle__jobs_block){.buffer = b->buffer, .at = end_of(b), .count = some, .failed = b->failed});
        }
    }
}

void heddle__jobs_unassign(struct heddle__jobs_engine *e, int type, struct heddle__jobs_queue *from) {
    while (from->first)
        heddle__jobs_move(e, &e->kind[type].unassigned[from->first->buffer->source + 1], from, from->first->count);
}

void heddle__jobs_drop(struct heddle__jobs_engine *e, struct heddle__jobs_queue *q) {
    while (q->first) {
        struct heddle__jobs_block *b = q->first;
        q->first = b->next;
        if (b->buffer->on) {
            b->buffer->on->held--;
            if (end_of(b) == b->buffer->memory + b->buffer->used) /* the next launch appends where it was */
                b->buffer->used = (size_t)(b->at - b->buffer->memory);
        }
        heddle__jobs_let_go(e, b->buffer);
        free(b);
    }
    q->count = 0;
}
