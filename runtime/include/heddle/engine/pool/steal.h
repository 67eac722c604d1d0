/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedule steal: a queue of its own for each worker, from which others take when they have nothing to do. Part of
 * heddle/engine/pool/worker.h.
 *
 * Only the owner puts in, so a place is a count that it keeps; what does not fit goes to its private stack. A worker is
 * idle when its stack and queue are empty and there are no iterations left to claim; it says that it is not before it
 * tries to take. So when all are idle nothing is left anywhere: the pool is done (tests/models/steal.pml).
 */
enum { HEDDLE_OWN_SLOTS = 32, HEDDLE_OWN_HEAD = 2 * HEDDLE_LINE_WORDS * 8 };
#define HEDDLE_OWN_BYTES(slot_bytes) (HEDDLE_OWN_HEAD + HEDDLE_OWN_SLOTS * (slot_bytes))

/* Its first word counts what has been taken, the one a line further what has been put in. */
HEDDLE_DEVICE uint64_t *heddle_own_queue(const struct heddle_worker *w, uint64_t number) {
    return (uint64_t *)(void *)(w->plan->own + number * HEDDLE_OWN_BYTES(w->plan->slot_bytes));
}

/* 0: there is no room. */
HEDDLE_DEVICE int heddle_own_put(struct heddle_worker *w, uint64_t word, uint32_t frame, const void *record,
                                 size_t bytes) {
    uint64_t put = 0;
    HEDDLE_SYNC(w); /* what other lanes have stored goes with the first lane's release */
    if (HEDDLE_FIRST(w)) {
        uint64_t *queue = heddle_own_queue(w, w->number), *tail = queue + HEDDLE_LINE_WORDS;
        const uint64_t place = HEDDLE_WORKER_COUNTERS(w)->own_tail, round = place / HEDDLE_OWN_SLOTS;
        char *slot = (char *)queue + HEDDLE_OWN_HEAD + place % HEDDLE_OWN_SLOTS * w->plan->slot_bytes;
        uint64_t *head = (uint64_t *)(void *)slot;
        if (heddle_load_relaxed(&head[1]) == round) { /* who had it last has read it */
            if (heddle_form(word) == HEDDLE_FORM_RECORD)
                heddle_fill_slot(slot, frame, record, bytes);
            heddle_store_release(&head[0], heddle_generation(round) << HEDDLE_GENERATION_SHIFT | word);
            heddle_store_relaxed(tail, place + 1);
            HEDDLE_WORKER_COUNTERS(w)->own_tail = place + 1;
            put = 1;
        }
    }
    return (int)heddle_share(w, put);
}

/* By the owner or a thief. 0: it is empty; -1: another one was faster, there may be more. */
HEDDLE_DEVICE int heddle_own_take(struct heddle_worker *w, uint64_t number, struct heddle_ready *t) {
    uint64_t *queue = heddle_own_queue(w, number);
    uint64_t got = 0;
    if (HEDDLE_FIRST(w)) {
        const uint64_t head = heddle_load_relaxed(queue), tail = heddle_load_relaxed(queue + HEDDLE_LINE_WORDS);
        if ((int64_t)(tail - head) > 0)
            got = heddle_swap_if(queue, head, head + 1) == head ? head + 1 : ~0ull;
    }
    got = heddle_share(w, got);
    if (!got || got == ~0ull)
        return got ? -1 : 0;
    const uint64_t place = got - 1;
    return heddle_queue_take(w, (char *)queue + HEDDLE_OWN_HEAD + place % HEDDLE_OWN_SLOTS * w->plan->slot_bytes,
                             place / HEDDLE_OWN_SLOTS, t);
}

/* A worker whose queue holds something; every lane looks at another one. ~0: none of those holds any. */
HEDDLE_DEVICE uint64_t heddle_victim(struct heddle_worker *w, unsigned tries) {
    const uint64_t workers = w->plan->workers, lane = (uint64_t)HEDDLE_LANE(w);
    const uint64_t first = (w->number * 2654435761u + tries * 40503u) % workers, number = (first + lane) % workers;
    int has = 0;
    if (lane < HEDDLE_WARP && lane < workers && number != w->number) {
        const uint64_t *queue = heddle_own_queue(w, number);
        has = (int64_t)(heddle_load_relaxed(queue + HEDDLE_LINE_WORDS) - heddle_load_relaxed(queue)) > 0;
    }
    uint64_t mask = (uint64_t)has;
#if HEDDLE_ON_GPU
    if (lane < HEDDLE_WARP) /* of a block the first warp alone */
        mask = heddle_ballot(has);
#endif
    mask = heddle_share(w, mask);
    return mask ? (first + (uint64_t)__builtin_ctzll(mask)) % workers : ~0ull;
}

/* The highest level above 0 whose queue holds something; 0: none. */
HEDDLE_DEVICE int heddle_ranked_level(struct heddle_worker *w) {
    uint64_t found = 0;
    if (!w->plan->levels_used)
        return 0;
    if (HEDDLE_FIRST(w))
        for (uint64_t level = 1; level < HEDDLE_LEVELS; level++)
            if ((int64_t)(heddle_load_relaxed(&w->pool->queue[level].tail) -
                          heddle_load_relaxed(&w->pool->queue[level].head)) > 0)
                found = level;
    return (int)heddle_share(w, found);
}

/* First lane: all idle, or nothing has moved for too long. */
HEDDLE_DEVICE int heddle_all_idle(struct heddle_worker *w, uint64_t *start, uint64_t *seen, unsigned tries) {
    struct heddle_pool_control *c = w->pool;
    /* in this order: whoever starts between the two is seen as one who works */
    const uint64_t idle = heddle_load_acquire(&c->idle);
    if (idle == heddle_load_acquire(&c->started))
        heddle_stop(c, HEDDLE_POOL_ERROR_NONE);
    if (heddle_load_relaxed(&c->stop))
        return 1;
    if (tries % 4096 == 0) {
        const uint64_t now = heddle_clock_ns();
        if (idle != *seen || !*start)
            *start = now, *seen = idle;
        if (now - *start > w->plan->timeout_ns)
            heddle_stop(c, HEDDLE_POOL_ERROR_TIMEOUT);
    }
    return 0;
}

/* There is nothing of its own to do: takes something of another worker's. 0: the pool is done. */
HEDDLE_DEVICE int heddle_steal(struct heddle_worker *w, struct heddle_ready *t) {
    struct heddle_pool_control *c = w->pool;
    uint64_t start = 0, seen = 0;
    if (HEDDLE_FIRST(w))
        heddle_add_acq_rel(&c->idle, 1);
    for (unsigned tries = 1;; tries++) {
        const int level = heddle_ranked_level(w);
        const uint64_t number = level ? 0 : heddle_victim(w, tries);
        if (number != ~0ull) {
            if (HEDDLE_FIRST(w))
                heddle_add_acq_rel(&c->idle, ~0ull);
            if (level ? heddle_queue_try(w, level, t) : heddle_own_take(w, number, t) > 0)
                return 1;
            if (HEDDLE_FIRST(w))
                heddle_add_acq_rel(&c->idle, 1);
        }
        if (heddle_share(w, HEDDLE_FIRST(w) ? (uint64_t)heddle_all_idle(w, &start, &seen, tries) : 0))
            return 0;
        if (number == ~0ull)
            heddle_pause((unsigned)w->plan->pause_ns * (tries < 8 ? 1 : 16));
    }
}
