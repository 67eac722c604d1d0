/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that the host sends while a pool's kernel runs: the kernel's side of runtime/src/pool_stream.c. */

/* One look at a slot of the host's ring: its kind + 1 in *kind, its record in the worker's buffer. 0: not there yet. */
HEDDLE_DEVICE int heddle_ring_look(struct heddle_worker *w, const uint64_t *slot, uint32_t tag, uint32_t *kind)
{
    const int words = 1 + (int)w->plan->record_bytes / 4;
    uint32_t first = 0;
    int here = 1;
    for (int q = HEDDLE_LANE(w); q < words; q += HEDDLE_LANES(w)) {
        const uint64_t v = heddle_load_system_relaxed(&slot[q]);
        here &= (uint32_t)(v >> 32) == tag;
        if (q)
            ((uint32_t *)(void *)w->record)[q - 1] = (uint32_t)v;
        else
            first = (uint32_t)v;
    }
#ifdef __NVPTX__
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

/* Waits for the host's task of this ticket. From here until the host is told nothing more is sent to memory than the task
   does itself: the fence before that waits for all of it. */
HEDDLE_DEVICE void heddle_ring_await(struct heddle_worker *w, uint64_t ticket, uint32_t *kind)
{
    const uint64_t *slot = w->plan->ring->slot[ticket % HEDDLE_RING_SLOTS];
    for (unsigned polls = 1; !heddle_ring_look(w, slot, (uint32_t)(ticket + 1), kind); polls++)
        if (polls > 1000)
            heddle_pause((unsigned)w->plan->pause_ns);
}

/* A doorman runs what the host sends. Its frame counts the tasks that this one makes, and its own hold of 1 keeps the
   frame from ending: while they are under way the doorman helps; then it tells the host. */
HEDDLE_DEVICE int heddle_next_doorman(struct heddle_worker *w, struct heddle_ready *t)
{
    struct heddle_pool_control *c = w->pool;
    struct heddle_pool_ring *ring = w->plan->ring;
    if (t->word || heddle_stack_pop(w, t))
        return 1;
    struct heddle_frame *f = heddle_frame_at(w, w->ring_frame);
    while (w->serving) {
        if (w->serving == HEDDLE_SERVING_DONE ||
            heddle_share(w, HEDDLE_FIRST(w) ? heddle_load_acquire(&f->pending) : 0) == 1) {
            HEDDLE_SYNC(w);
            uint64_t *done = &ring->done[(w->ring_tag - 1) % HEDDLE_RING_SLOTS];
            if (HEDDLE_FIRST(w) && w->plan->ring_system)
                heddle_store_system(done, w->ring_tag);
            else if (HEDDLE_FIRST(w))
                heddle_store_system_after(done, w->ring_tag);
            w->serving = HEDDLE_SERVING_NONE;
        } else if (heddle_queue_try(w, 0, t)) {
            if (heddle_form(t->word) != HEDDLE_FORM_LOOK || heddle_next_ranked(w, t))
                return 1;
            t->word = 0;
        } else if (heddle_share(w, HEDDLE_FIRST(w) ? heddle_load_relaxed(&c->stop) : 0)) {
            return 0;
        }
    }
    const uint64_t ticket = heddle_share(w, HEDDLE_FIRST(w) ? heddle_add_relaxed(&c->ring_ticket, 1) : 0);
    uint32_t kind = 0;
    heddle_ring_await(w, ticket, &kind);
    /* What the host has copied here before is read anew: whoever ran a task has emptied its first-level cache at the end of
       it, and the host copies when its tasks are done. */
    HEDDLE_SYNC(w);
    if (kind == 0) {
        if (HEDDLE_FIRST(w) && heddle_add_acq_rel(&c->doormen_left, 1) + 1 == w->plan->doormen)
            heddle_stop(c, HEDDLE_POOL_ERROR_NONE);
        return 0;
    }
    w->ring_tag = ticket + 1;
    w->serving = HEDDLE_SERVING_TASK;
    w->spawned_before = w->spawned;
    t->word = heddle_word(HEDDLE_FORM_RECORD, 0, kind - 1);
    t->frame = w->ring_frame;
    t->placed = 0;
    t->record = w->record;
    return 1;
}
