/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where ready tasks wait in a pool's kernel: the ticket queues that all workers share, each worker's private stack, and
 * the frames of tasks that wait for others.
 *
 * Nobody retries: a ticket is one fetch-and-add, and then its slot is this worker's alone. Who puts a task in has
 * looked at the queue's length before, so that the slot's last user is at most still reading; who takes one waits at
 * its own slot. A worker takes a ticket of level 0 only when there is nothing else that it could do, so when all
 * workers hold tickets that nobody has served, nobody runs and nothing can appear any more: the pool is done.
 * tests/models/queue.pml checks this.
 *
 * "First lane" does, all lanes know: state in struct heddle_worker is the same in every lane.
 */

/* The first lane's value for all lanes. */
HEDDLE_DEVICE uint64_t heddle_share(struct heddle_worker *w, uint64_t v) {
#if HEDDLE_ON_GPU
    if (w->block) {
        heddle_block_sync();
        if (w->lane == 0)
            w->share[0] = v;
        heddle_block_sync();
        return w->share[0];
    }
    return heddle_broadcast(v);
#else
    return (void)w, v;
#endif
}

HEDDLE_DEVICE uint64_t heddle_word(int form, int job, uint64_t number) {
    return (uint64_t)form << HEDDLE_FORM_SHIFT | (uint64_t)job << HEDDLE_JOB_SHIFT | number;
}
HEDDLE_DEVICE int heddle_level_of(int priority) {
    return priority < 0 ? 0 : priority < HEDDLE_LEVELS ? priority : HEDDLE_LEVELS - 1;
}
HEDDLE_DEVICE int heddle_form(uint64_t word) { return (int)(word >> HEDDLE_FORM_SHIFT & 15); }
HEDDLE_DEVICE int heddle_job_of(uint64_t word) { return (int)(word >> HEDDLE_JOB_SHIFT & 15); }
HEDDLE_DEVICE uint64_t heddle_number(uint64_t word) { return word & HEDDLE_NUMBER_MASK; }

/* First lane: everybody leaves. */
HEDDLE_DEVICE void heddle_stop(struct heddle_pool_control *c, int error) {
    if (error)
        heddle_store_relaxed(&c->error, (uint64_t)error);
    heddle_store_release(&c->stop, 1);
}

/* A slot of a queue or of a stack, 8 bytes at a time; records are that long and aligned. */
HEDDLE_DEVICE void heddle_fill_slot(char *slot, uint32_t frame, const void *record, size_t bytes) {
    uint64_t *to = (uint64_t *)(void *)slot;
    to[2] = frame;
    for (size_t q = 0; q < bytes / 8; q++)
        memcpy(&to[4 + q], (const char *)record + 8 * q, 8);
    if (bytes % 8)
        memcpy(&to[4 + bytes / 8], (const char *)record + bytes / 8 * 8, bytes % 8);
}

/* ---- shared queues -------------------------------------------------------------------------------------- */
HEDDLE_DEVICE char *heddle_slot(const struct heddle_worker *w, int level, uint64_t ticket) {
    const struct heddle_queue *q = &w->plan->queue[level];
    return q->slots + (ticket & q->mask) * w->plan->slot_bytes;
}
HEDDLE_DEVICE uint64_t heddle_round(const struct heddle_worker *w, int level, uint64_t ticket) {
    return ticket >> w->plan->queue[level].shift;
}
HEDDLE_DEVICE uint64_t heddle_generation(uint64_t round) { return round % 0xffff + 1; }

/* How many more tasks this worker may put into the queue so that it stays full enough for others and never over-full */
HEDDLE_DEVICE int heddle_queue_credit(struct heddle_worker *w, int level) {
    const struct heddle_pool_control *p = w->plan;
    uint64_t credit = 0;
    if (HEDDLE_FIRST(w)) {
        struct heddle_queue *q = &w->pool->queue[level];
        const uint64_t tail = heddle_load_relaxed(&q->tail), head = heddle_load_relaxed(&q->head);
        const int64_t length = (int64_t)(tail - head);
        const int64_t want =
            p->schedule == HEDDLE_POOL_GLOBAL || level ? (int64_t)p->queue[level].room : (int64_t)p->want;
        if (length < want)
            credit = length < 0 || length < want / 2 ? 8 : 1;
    }
    return (int)heddle_share(w, credit);
}

/* First lane, with a credit. */
HEDDLE_DEVICE void heddle_queue_put(struct heddle_worker *w, int level, uint64_t word, uint32_t frame,
                                    const void *record, size_t bytes) {
    struct heddle_pool_control *c = w->pool;
    const uint64_t ticket = heddle_add_relaxed(&c->queue[level].tail, 1), round = heddle_round(w, level, ticket);
    char *slot = heddle_slot(w, level, ticket);
    uint64_t *head = (uint64_t *)(void *)slot;
    while (round && heddle_load_relaxed(&head[1]) != round) /* its last user is about to finish reading */
        if (heddle_load_relaxed(&c->stop))
            return;
    if (heddle_form(word) == HEDDLE_FORM_RECORD)
        heddle_fill_slot(slot, frame, record, bytes);
    heddle_store_release(&head[0], heddle_generation(round) << HEDDLE_GENERATION_SHIFT | word);
}

/* What a worker is about to run. word 0: nothing. */
struct heddle_ready {
    uint64_t word;
    uint32_t frame; /* whose tasks it is one of */
    int placed;     /* `at` is the iteration */
    int32_t at[3];
    const char *record; /* HEDDLE_FORM_RECORD */
};

/* Takes the task out of its slot; the first lane has seen it there. */
HEDDLE_DEVICE void heddle_queue_unpack(struct heddle_worker *w, char *slot, uint64_t word, uint64_t round,
                                       struct heddle_ready *t) {
    uint64_t *head = (uint64_t *)(void *)slot;
    t->word = word & HEDDLE_TASK_MASK;
    t->frame = 0;
    t->placed = 0;
    HEDDLE_SYNC(w);
    if (heddle_form(t->word) != HEDDLE_FORM_RECORD) {
        if (HEDDLE_FIRST(w))
            heddle_store_relaxed(&head[1], round + 1);
        return;
    }
    t->frame = (uint32_t)head[2];
    t->record = w->record;
    for (size_t q = (size_t)HEDDLE_LANE(w); q < w->plan->record_bytes / 8; q += (size_t)HEDDLE_LANES(w))
        ((uint64_t *)(void *)w->record)[q] = head[4 + q];
    HEDDLE_SYNC(w);
    if (HEDDLE_FIRST(w))
        heddle_store_release(&head[1], round + 1);
}

/* Takes what a slot holds, or is about to: whoever has the place before the tail is writing. 0: everybody leaves. */
HEDDLE_DEVICE int heddle_queue_take(struct heddle_worker *w, char *slot, uint64_t round, struct heddle_ready *t) {
    uint64_t word = 0;
    if (HEDDLE_FIRST(w))
        while ((word = heddle_load_acquire((uint64_t *)(void *)slot)) >> HEDDLE_GENERATION_SHIFT !=
               heddle_generation(round))
            if (heddle_load_relaxed(&w->pool->stop))
                break;
    word = heddle_share(w, word);
    if (word >> HEDDLE_GENERATION_SHIFT != heddle_generation(round))
        return 0;
    heddle_queue_unpack(w, slot, word, round, t);
    return 1;
}

/* One attempt to take a task without waiting. */
HEDDLE_DEVICE int heddle_queue_try(struct heddle_worker *w, int level, struct heddle_ready *t) {
    struct heddle_queue *q = &w->pool->queue[level];
    uint64_t got = 0;
    if (HEDDLE_FIRST(w)) {
        const uint64_t head = heddle_load_relaxed(&q->head), tail = heddle_load_relaxed(&q->tail);
        if ((int64_t)(tail - head) > 0 && heddle_swap_if(&q->head, head, head + 1) == head)
            got = head + 1;
    }
    got = heddle_share(w, got);
    if (!got)
        return 0;
    const uint64_t ticket = got - 1;
    return heddle_queue_take(w, heddle_slot(w, level, ticket), heddle_round(w, level, ticket), t);
}

/* A task of higher priority, the highest first. */
HEDDLE_DEVICE int heddle_next_ranked(struct heddle_worker *w, struct heddle_ready *t) {
    for (int level = w->plan->levels_used ? HEDDLE_LEVELS - 1 : 0; level > 0; level--)
        if (heddle_queue_try(w, level, t))
            return 1;
    return 0;
}

enum { HEDDLE_NEAR = 16 }; /* so many of the waiting workers look as often as they can */

/* First lane: waits at the slot of a ticket. 0: the pool is done, or nothing has moved for too long. Who will be served
   late looks seldom, and without emptying the first-level cache of its multiprocessor each time. */
HEDDLE_DEVICE uint64_t heddle_queue_await(struct heddle_worker *w, const uint64_t *word, uint64_t ticket,
                                          uint64_t generation) {
    struct heddle_pool_control *c = w->pool;
    uint64_t start = 0, seen = 0;
    int64_t ahead = 0; /* tasks that have to come before this worker's */
    for (unsigned polls = 1;; polls++) {
        const int near = ahead < HEDDLE_NEAR;
        const uint64_t v = near ? heddle_load_acquire(word) : heddle_load_relaxed(word);
        if (v >> HEDDLE_GENERATION_SHIFT == generation)
            return near ? v : heddle_load_acquire(word);
        if (polls > 32)
            heddle_pause((unsigned)w->plan->pause_ns * (near                       ? 1
                                                        : ahead < 32 * HEDDLE_NEAR ? (unsigned)ahead / HEDDLE_NEAR + 1
                                                                                   : 32));
        if (polls % (near ? 32 : 4))
            continue;
        if (heddle_load_relaxed(&c->stop))
            return 0;
        const uint64_t tail = heddle_load_relaxed(&c->queue[0].tail);
        ahead = (int64_t)(ticket - tail);
        if (polls % 4096)
            continue;
        const uint64_t now = heddle_clock_ns(), sign = tail + heddle_load_relaxed(&c->queue[0].head);
        if (sign != seen || !start)
            start = now, seen = sign;
        if (now - start > w->plan->timeout_ns)
            heddle_stop(c, HEDDLE_POOL_ERROR_TIMEOUT);
    }
}

/* There is nothing else to do: takes a ticket and waits. 0: the pool is done. */
HEDDLE_DEVICE int heddle_queue_wait(struct heddle_worker *w, struct heddle_ready *t) {
    struct heddle_pool_control *c = w->pool;
    struct heddle_queue *q = &c->queue[0];
    uint64_t ticket = 0, word = 0;
    if (HEDDLE_FIRST(w)) {
        /* acquire and release: who sees this ticket also sees what this worker has put in before */
        ticket = heddle_add_acq_rel(&q->head, 1);
        const int64_t waiting = (int64_t)(ticket + 1 - heddle_load_relaxed(&q->tail));
        if (waiting == (int64_t)heddle_load_relaxed(&c->started))
            heddle_stop(c, HEDDLE_POOL_ERROR_NONE);
        word = heddle_queue_await(w, (uint64_t *)(void *)heddle_slot(w, 0, ticket), ticket,
                                  heddle_generation(heddle_round(w, 0, ticket)));
    }
    word = heddle_share(w, word);
    ticket = heddle_share(w, ticket);
    if (!word)
        return 0;
    heddle_queue_unpack(w, heddle_slot(w, 0, ticket), word, heddle_round(w, 0, ticket), t);
    return 1;
}

#include <heddle/engine/pool/steal.h>

/* ---- private stacks: chunks of slots, the newest task first ---------------------------------------------- */
enum { HEDDLE_CHUNK_HEAD = 64 };

HEDDLE_DEVICE int heddle_stack_grow(struct heddle_worker *w) {
    struct heddle_pool_control *c = w->pool;
    char *chunk = w->spare;
    if (chunk) {
        w->spare = ((char **)(void *)chunk)[1];
    } else {
        uint64_t ticket = 0;
        if (HEDDLE_FIRST(w))
            ticket = heddle_add_relaxed(&c->chunk_ticket, 1);
        ticket = heddle_share(w, ticket);
        const uint64_t first = w->plan->chunk_count;
        if (ticket >= first + w->plan->more_chunk_count) {
            if (HEDDLE_FIRST(w))
                heddle_stop(c, HEDDLE_POOL_ERROR_MEMORY);
            return 0;
        }
        chunk = ticket < first ? w->plan->chunks + ticket * w->plan->chunk_bytes
                               : w->plan->more_chunks + (ticket - first) * w->plan->chunk_bytes;
    }
    HEDDLE_SYNC(w);
    if (HEDDLE_FIRST(w))
        ((char **)(void *)chunk)[0] = w->chunk;
    w->chunk = chunk;
    w->top = 0;
    return 1;
}

HEDDLE_DEVICE void heddle_stack_push(struct heddle_worker *w, uint64_t word, uint32_t frame, const void *record,
                                     size_t bytes) {
    if ((!w->chunk || w->top == HEDDLE_CHUNK_SLOTS) && !heddle_stack_grow(w))
        return;
    char *slot = w->chunk + HEDDLE_CHUNK_HEAD + (uint64_t)w->top++ * w->plan->slot_bytes;
    HEDDLE_SYNC(w); /* a lane may still be reading the record that was here */
    if (HEDDLE_FIRST(w)) {
        *(uint64_t *)(void *)slot = word;
        heddle_fill_slot(slot, frame, record, bytes);
    }
}

/* The record stays where it is until the next push. */
HEDDLE_DEVICE int heddle_stack_pop(struct heddle_worker *w, struct heddle_ready *t) {
    if (!w->chunk)
        return 0;
    HEDDLE_SYNC(w);
    if (w->top == 0) {
        char *empty = w->chunk;
        w->chunk = ((char **)(void *)empty)[0];
        w->top = HEDDLE_CHUNK_SLOTS;
        HEDDLE_SYNC(w);
        if (HEDDLE_FIRST(w))
            ((char **)(void *)empty)[1] = w->spare;
        HEDDLE_SYNC(w);
        w->spare = empty;
        if (!w->chunk)
            return 0;
    }
    const char *slot = w->chunk + HEDDLE_CHUNK_HEAD + (uint64_t)--w->top * w->plan->slot_bytes;
    t->word = *(const uint64_t *)(const void *)slot;
    t->frame = (uint32_t)((const uint64_t *)(const void *)slot)[2];
    t->record = slot + HEDDLE_SLOT_HEAD;
    t->placed = 0;
    return 1;
}

/* First lane: who has nothing to do waits at the queue of level 0 and is told there to look at the others. */
HEDDLE_DEVICE void heddle_wake(struct heddle_worker *w) {
    struct heddle_queue *q = &w->pool->queue[0];
    if ((int64_t)(heddle_load_acquire(&q->head) - heddle_load_relaxed(&q->tail)) > 0)
        heddle_queue_put(w, 0, heddle_word(HEDDLE_FORM_LOOK, 0, 0), 0, NULL, 0);
}

/* ---- giving a ready task away ----------------------------------------------------------------------------- */
HEDDLE_DEVICE void heddle_give(struct heddle_worker *w, int level, uint64_t word, uint32_t frame, const void *record,
                               size_t bytes) {
    int shared = 0;
    if (w->plan->schedule <= HEDDLE_POOL_GLOBAL) {
        if (level) {
            shared = heddle_queue_credit(w, level) != 0;
        } else if (w->plan->schedule == HEDDLE_POOL_STEAL) {
            if (heddle_own_put(w, word, frame, record, bytes)) {
                HEDDLE_COUNT(w, queued, 1);
                return;
            }
        } else {
            if (w->credit == 0)
                w->credit = heddle_queue_credit(w, 0);
            shared = w->credit != 0;
            w->credit -= shared;
        }
    }
    if (!shared) {
        heddle_stack_push(w, word, frame, record, bytes);
        return;
    }
    HEDDLE_COUNT(w, queued, 1);
    HEDDLE_SYNC(w); /* what other lanes have stored goes with the first lane's release */
    if (HEDDLE_FIRST(w)) {
        heddle_queue_put(w, level, word, frame, record, bytes);
        if (level && w->plan->schedule != HEDDLE_POOL_STEAL)
            heddle_wake(w);
    }
}

/* ---- frames ------------------------------------------------------------------------------------------------ */
HEDDLE_DEVICE struct heddle_frame *heddle_frame_at(const struct heddle_worker *w, uint32_t number) {
    const uint64_t k = number - 1, first = w->plan->frame_count;
    return (struct heddle_frame *)(void *)(k < first ? w->plan->frames + k * w->plan->frame_bytes
                                                     : w->plan->more_frames + (k - first) * w->plan->frame_bytes);
}

/* 0: there is none left, and everybody has been told. */
HEDDLE_DEVICE uint32_t heddle_frame_new(struct heddle_worker *w) {
    struct heddle_pool_control *c = w->pool;
    uint32_t number = w->free_frames;
    HEDDLE_SYNC(w);
    if (number) {
        w->free_frames = heddle_frame_at(w, number)->next;
        return number;
    }
    uint64_t ticket = 0;
    if (HEDDLE_FIRST(w))
        ticket = heddle_add_relaxed(&c->frame_ticket, 1);
    ticket = heddle_share(w, ticket);
    if (ticket >= w->plan->frame_count + w->plan->more_frame_count) {
        if (HEDDLE_FIRST(w))
            heddle_stop(c, HEDDLE_POOL_ERROR_MEMORY);
        return 0;
    }
    return (uint32_t)ticket + 1;
}

HEDDLE_DEVICE void heddle_frame_free(struct heddle_worker *w, uint32_t number) {
    HEDDLE_SYNC(w);
    if (HEDDLE_FIRST(w))
        heddle_frame_at(w, number)->next = w->free_frames;
    w->free_frames = number;
}

HEDDLE_DEVICE void heddle_spawn_device(struct heddle_worker *w, int kind, const void *record, size_t bytes,
                                       int priority) {
    const int level = heddle_level_of(priority);
    if (w->frame && HEDDLE_FIRST(w))
        heddle_add_relaxed(&heddle_frame_at(w, w->frame)->pending, 1);
    HEDDLE_COUNT(w, spawned, 1);
    heddle_give(w, level, heddle_word(HEDDLE_FORM_RECORD, 0, (uint64_t)kind), w->frame, record, bytes);
}
