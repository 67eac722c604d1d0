/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that the host sends while a pool's kernel runs: the kernel's side of runtime/src/pool/stream.c. */

/* One look at a slot of the host's ring: its kind + 1 in *kind, its record in the worker's buffer. 0: not there yet. */
HEDDLE_DEVICE int heddle_ring_look(struct heddle_worker *w, const uint64_t *slot, uint32_t tag, int words,
                                   uint32_t *kind) {
    uint32_t first = 0;
    int here = 1;
    HEDDLE_LANES_LOOP
    for (int q = HEDDLE_LANE(w); q < words; q += HEDDLE_LANES(w)) {
        const uint64_t v = heddle_load_system_relaxed(&slot[q]);
        here &= (uint32_t)(v >> 32) == tag;
        if (q)
            ((uint32_t *)(void *)w->record)[q - 1] = (uint32_t)v;
        else
            first = (uint32_t)v;
    }
#if HEDDLE_ON_GPU
    if (w->block) { /* the words are in the first warp */
        heddle_block_sync();
        if (w->lane < HEDDLE_WARP) {
            here = heddle_all(here);
            if (w->lane == 0)
                w->share[1] = (uint64_t)here << 32 | first;
        }
        heddle_block_sync();
        *kind = (uint32_t)w->share[1];
        here = (int)(w->share[1] >> 32);
        heddle_block_sync();
        return here;
    }
#endif
    *kind = heddle_shuffle_word(first, 0);
    return heddle_all(here);
}

HEDDLE_DEVICE uint64_t heddle_ring_ticket(struct heddle_worker *w) {
    return heddle_share(w, HEDDLE_FIRST(w) ? heddle_add_relaxed(&w->pool->ring_ticket, 1) : 0);
}

/* Waits for the host's task of this ticket: its kind + 1, 0: leave. From here until the host is told nothing more is
   sent to memory than the task does itself: the fence before that waits for all of it. What the host has copied here
   before is read anew: whoever ran a task has emptied its first-level cache at the end of it, and the host copies when
   its tasks are done. */
HEDDLE_DEVICE uint32_t heddle_ring_await(struct heddle_worker *w, uint64_t ticket, int record_bytes) {
    const uint64_t *slot = w->plan->ring->slot[ticket % HEDDLE_RING_SLOTS];
    const unsigned pause = (unsigned)w->plan->pause_ns;
    uint32_t kind = 0;
    for (unsigned polls = 1; !heddle_ring_look(w, slot, (uint32_t)(ticket + 1), 1 + record_bytes / 4, &kind); polls++)
        if (polls > 1000)
            heddle_pause(pause);
    HEDDLE_SYNC(w);
    return kind;
}

/* Where a poller posts that a task is done. It is looked up before the task comes, since the host waits for whatever
   happens after that. */
struct heddle_completion_slot {
    uint64_t *done, tag;
    uint64_t system; /* the tasks' arrays are the host's own */
};
HEDDLE_DEVICE struct heddle_completion_slot heddle_completion_slot_of(const struct heddle_worker *w, uint64_t ticket) {
    return (struct heddle_completion_slot){&w->plan->ring->done[ticket % HEDDLE_RING_SLOTS], ticket + 1,
                                           w->plan->ring_system};
}

/* First lane: the task is done, and what it has stored is there. */
HEDDLE_DEVICE void heddle_post_completion(struct heddle_completion_slot slot) {
    if (slot.system)
        heddle_store_system_last(slot.done, slot.tag);
    else
        heddle_store_system_after(slot.done, slot.tag);
}

/* A poller helps until the tasks that the host's last one has made are done, and then posts its completion. Its frame
   counts those tasks, and its own hold of 1 keeps the frame from ending. -1: nothing is left, 0: everybody leaves. */
HEDDLE_DEVICE int heddle_poller_help(struct heddle_worker *w, struct heddle_ready *t) {
    struct heddle_pool_control *c = w->pool;
    if (t->word || heddle_stack_pop(w, t))
        return 1;
    struct heddle_frame *f = heddle_frame_at(w, w->ring_frame);
    while (w->serving) {
        if (w->serving == HEDDLE_SERVING_DONE ||
            heddle_share(w, HEDDLE_FIRST(w) ? heddle_load_acquire(&f->pending) : 0) == 1) {
            HEDDLE_SYNC(w);
            if (HEDDLE_FIRST(w))
                heddle_post_completion(heddle_completion_slot_of(w, w->ring_tag - 1));
            w->serving = HEDDLE_SERVING_NONE;
        } else if (heddle_queue_try(w, 0, t)) {
            if (heddle_form(t->word) != HEDDLE_FORM_LOOK || heddle_next_ranked(w, t))
                return 1;
            t->word = 0;
        } else if (heddle_share(w, HEDDLE_FIRST(w) ? heddle_load_relaxed(&c->stop) : 0)) {
            return 0;
        }
    }
    return -1;
}

/* The host's task becomes the worker's next one. */
HEDDLE_DEVICE void heddle_poller_serve(struct heddle_worker *w, uint64_t ticket, int kind, struct heddle_ready *t) {
    w->ring_tag = ticket + 1;
    w->serving = HEDDLE_SERVING_TASK;
    w->spawned_before = w->spawned;
    t->word = heddle_word(HEDDLE_FORM_RECORD, 0, (uint64_t)kind);
    t->frame = w->ring_frame;
    t->placed = 0;
    t->record = w->record;
}

HEDDLE_DEVICE void heddle_poller_leave(struct heddle_worker *w) {
    struct heddle_pool_control *c = w->pool;
    if (HEDDLE_FIRST(w) && heddle_add_acq_rel(&c->pollers_left, 1) + 1 == w->plan->pollers)
        heddle_stop(c, HEDDLE_POOL_ERROR_NONE);
}
