/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which task a worker of a pool's kernel runs next, and what becomes ready when one is done.
 *
 * Dynamic: what the last task made ready, the worker's own stack, iterations not looked at yet, the queue (steal: the
 * worker's own queue before the iterations, the others' in the end). Static: the order is fixed, worker r of W takes
 * every W-th task and waits for its predecessors' words. Barrier: the same, level by level, with a barrier of all
 * workers after each (A GPU Task-Parallel Model with Dependency Resolution, 2012).
 */
/* Every lane may bring one ready task; the worker keeps one for itself and gives the others away. Returns whose it
   has kept, or -1. */
HEDDLE_DEVICE int heddle_gather(struct heddle_worker *w, int form, int job, int ready, uint64_t number,
                                struct heddle_ready *t) {
    int kept = -1;
#if HEDDLE_ON_GPU
    heddle_mask mask = 0;
    if (w->block) { /* only the first warp brings any */
        heddle_block_sync();
        if (w->lane < HEDDLE_WARP) {
            mask = heddle_ballot(ready);
            w->share[2 + w->lane] = number;
            if (w->lane == 0)
                w->share[1] = mask;
        }
        heddle_block_sync();
        mask = (heddle_mask)w->share[1];
    } else {
        mask = heddle_ballot(ready);
    }
    for (; mask; mask &= mask - 1) {
        const int from = heddle_first_lane(mask);
        const uint64_t one = w->block ? w->share[2 + from]
                                      : heddle_shuffle_word((uint32_t)number, from) |
                                            (uint64_t)heddle_shuffle_word((uint32_t)(number >> 32), from) << 32;
#else
    const int from = 0;
    if (ready) {
        const uint64_t one = number;
#endif
        /* where priorities are used, none is run before the others have been seen */
        const int ranked = form == HEDDLE_FORM_NODE && w->plan->levels_used;
        if (!t->word && !ranked && w->plan->schedule != HEDDLE_POOL_GLOBAL) {
            t->word = heddle_word(form, job, one);
            t->frame = 0;
            t->placed = 0;
            kept = from;
            HEDDLE_COUNT(w, handed, 1);
        } else {
            heddle_give(w, ranked ? (int)w->plan->job[job].node[2 * one + 1] : 0, heddle_word(form, job, one), 0, NULL,
                        0);
        }
    }
    return kept;
}

/* Counts one dependence of a task as met. A task with only one needs no counter: its order comes with the task. */
HEDDLE_DEVICE int heddle_meet(uint32_t *counter, uint32_t wanted) {
    return wanted == 1 || heddle_add32_acq_rel(counter, 1) + 1 == wanted;
}

/* Iteration `at` is done: which others are ready now? */
HEDDLE_DEVICE void heddle_release_loop(struct heddle_worker *w, int job, const struct heddle_job *j, const int32_t *at,
                                       struct heddle_ready *t) {
    const int32_t here[3] = {at[0], at[1], at[2]};
    for (int first = 0; first < j->sinks; first += HEDDLE_LANES(w)) {
        const int q = first + HEDDLE_LANE(w);
        int32_t after[3];
        uint64_t next = 0;
        int ready = 0;
        if (q < j->sinks && heddle_neighbour(j, here, q, -1, after)) {
            next = heddle_number_of(j, after);
            ready = heddle_meet(&j->counters[next], heddle_wanted(j, after));
        }
        const int kept = heddle_gather(w, HEDDLE_FORM_LOOP, job, ready, next, t);
        if (kept >= 0)
            t->placed = heddle_neighbour(j, here, first + kept, -1, t->at);
    }
}
HEDDLE_DEVICE void heddle_release_node(struct heddle_worker *w, int job, const struct heddle_job *j, uint64_t number,
                                       struct heddle_ready *t) {
    const uint32_t end = j->next_start[number + 1];
    const int lanes = HEDDLE_LANES(w) < HEDDLE_WARP ? HEDDLE_LANES(w) : HEDDLE_WARP;
    for (uint32_t first = j->next_start[number]; first < end; first += (uint32_t)lanes) {
        const uint32_t q = first + (uint32_t)HEDDLE_LANE(w);
        uint32_t next = 0;
        int ready = 0;
        if (HEDDLE_LANE(w) < lanes && q < end) {
            next = j->next[q];
            ready = heddle_meet(&j->counters[next], j->wanted[next]);
        }
        heddle_gather(w, HEDDLE_FORM_NODE, job, ready, next, t);
    }
}

/* ---- dynamic ------------------------------------------------------------------------------------------------ */
/* Claims iterations of the first job that has some left. Loops without dependences: a batch to run, the smaller the
   fewer are left. Others: a range to look through for iterations that depend on nothing. */
HEDDLE_DEVICE uint64_t heddle_claim(struct heddle_worker *w, int job, int look, uint64_t *count) {
    const struct heddle_job *j = &w->plan->job[job];
    uint64_t first = ~0ull, n = 0;
    if (HEDDLE_FIRST(w)) {
        uint64_t *ticket = &w->pool->job[job].ticket;
        const uint64_t seen = heddle_load_relaxed(ticket), total = (uint64_t)j->total;
        if (seen < total) {
            n = look ? 1024 : (uint32_t)((total - seen) >> w->plan->batch_shift);
            n = n < 1 ? 1 : n > 64 && !look ? 64 : n;
            first = heddle_add_relaxed(ticket, n);
        }
    }
    first = heddle_share(w, first);
    if (first >= (uint64_t)j->total)
        return ~0ull;
    n = heddle_share(w, n);
    *count = first + n <= (uint64_t)j->total ? n : (uint64_t)j->total - first;
    return first;
}

HEDDLE_DEVICE void heddle_look_through(struct heddle_worker *w, int job, const struct heddle_job *j, uint64_t first,
                                       uint64_t count, struct heddle_ready *t) {
    const int lanes = HEDDLE_LANES(w) < HEDDLE_WARP ? HEDDLE_LANES(w) : HEDDLE_WARP;
    for (uint64_t base = first; base < first + count; base += (uint64_t)lanes) {
        const uint64_t number = base + (uint64_t)HEDDLE_LANE(w);
        int ready = 0;
        if (HEDDLE_LANE(w) < lanes && number < first + count) {
            if (j->form == HEDDLE_FORM_NODE) {
                ready = j->wanted[number] == 0;
            } else {
                int32_t at[3];
                heddle_place32_of(j, number, at);
                ready = heddle_wanted(j, at) == 0;
            }
        }
#if HEDDLE_ON_GPU
        if (!w->block && !heddle_any(ready))
            continue;
#endif
        heddle_gather(w, j->form, job, ready, number, t);
    }
}

HEDDLE_DEVICE int heddle_next_iteration(struct heddle_worker *w, struct heddle_ready *t) {
    while (w->batch == w->batch_end) {
        if (w->job == w->plan->jobs)
            return 0;
        const struct heddle_job *j = &w->plan->job[w->job];
        const int look = j->form == HEDDLE_FORM_NODE || j->sinks;
        uint64_t count = 0;
        const uint64_t first = heddle_claim(w, w->job, look, &count);
        if (first == ~0ull) {
            w->job++;
        } else if (look) {
            heddle_look_through(w, w->job, j, first, count, t);
            if (t->word)
                return 1;
        } else {
            w->batch = first;
            w->batch_end = first + count;
            w->batch_job = w->job;
        }
    }
    t->word = heddle_word(HEDDLE_FORM_LOOP, w->batch_job, w->batch++);
    t->frame = 0;
    t->placed = 0;
    return 1;
}

HEDDLE_DEVICE int heddle_next_dynamic(struct heddle_worker *w, struct heddle_ready *t) {
    if (t->word)
        return 1;
    if (++w->tasks % 64 == 0 && heddle_share(w, HEDDLE_FIRST(w) ? heddle_load_relaxed(&w->pool->stop) : 0))
        return 0;
    for (int looked = 0;;) {
        if (heddle_next_ranked(w, t))
            return 1;
        if (heddle_stack_pop(w, t))
            return 1;
        if (w->plan->schedule == HEDDLE_POOL_STEAL)
            for (int took = -1; took;)
                if ((took = heddle_own_take(w, w->number, t)) > 0)
                    return 1;
        if (!looked && (w->job != w->plan->jobs || w->batch != w->batch_end)) {
            if (heddle_next_iteration(w, t))
                return 1;
            looked = 1; /* it may have found some for others, which are in a queue or on the stack now */
        } else if (w->plan->schedule == HEDDLE_POOL_STEAL) {
            return heddle_steal(w, t);
        } else if (!heddle_queue_wait(w, t)) {
            return 0;
        } else if (heddle_form(t->word) != HEDDLE_FORM_LOOK) {
            return 1;
        }
    }
}

/* ---- static and barrier --------------------------------------------------------------------------------------- */
/* Lanes wait for one predecessor each. 0: for too long, or others have given up. */
HEDDLE_DEVICE int heddle_await_before(struct heddle_worker *w, const struct heddle_job *j, uint64_t number,
                                      int32_t *at) {
    struct heddle_pool_control *c = w->pool;
    const uint32_t first = j->form == HEDDLE_FORM_NODE ? j->before_start[number] : 0;
    const uint32_t end = j->form == HEDDLE_FORM_NODE ? j->before_start[number + 1] : (uint32_t)j->sinks;
    uint64_t start = 0;
    int32_t before[3];
    int ok = 1;
    heddle_place32_of(j, number, at);
    for (uint32_t q = first + (uint32_t)HEDDLE_LANE(w); ok && q < end; q += (uint32_t)HEDDLE_LANES(w)) {
        uint64_t k = 0;
        if (j->form == HEDDLE_FORM_NODE)
            k = j->before[q];
        else if (heddle_neighbour(j, at, (int)q, 1, before))
            k = heddle_number_of(j, before);
        else
            continue;
        /* an acquire empties the first-level cache each time, so only the last look is one */
        for (unsigned polls = 1; ok && heddle_load32_relaxed(&j->done[k]) != j->round; polls++) {
            if (polls % 256)
                continue;
            const uint64_t now = heddle_clock_ns();
            start = start ? start : now;
            if (now - start > w->plan->timeout_ns)
                heddle_stop(c, HEDDLE_POOL_ERROR_TIMEOUT);
            ok = !heddle_load_relaxed(&c->stop);
        }
        heddle_load32_acquire(&j->done[k]);
    }
#if HEDDLE_ON_GPU
    if (w->block) {
        heddle_block_sync();
        if (w->lane == 0)
            w->share[1] = 0;
        heddle_block_sync();
        if (!ok)
            w->share[1] = 1;
        heddle_block_sync();
        return !w->share[1];
    }
#endif
    ok = heddle_all(ok);
    HEDDLE_SYNC(w);
    return ok;
}

/* Static and barrier schedules need all workers at once. A worker that has waited too long for the others to start
   announces it; if they have all started meanwhile it takes that back, else everybody leaves before any task has run.
 */
HEDDLE_DEVICE int heddle_all_resident(struct heddle_worker *w) {
    struct heddle_pool_control *c = w->pool;
    const uint64_t doubt = 1ull << 32, limit_ns = 50000000;
    uint64_t ok = 1;
    if (HEDDLE_FIRST(w)) {
        const uint64_t start = heddle_clock_ns();
        for (int doubted = 0; heddle_load_acquire(&c->started) != c->workers && ok;) {
            if (heddle_load_relaxed(&c->stop))
                ok = 0;
            if (doubted || heddle_clock_ns() - start < limit_ns)
                continue;
            doubted = 1;
            if ((heddle_add_acq_rel(&c->started, doubt) & (doubt - 1)) == c->workers)
                heddle_add_acq_rel(&c->started, -doubt);
            else
                heddle_stop(c, HEDDLE_POOL_ERROR_RESIDENT);
        }
    }
    return (int)heddle_share(w, ok);
}

HEDDLE_DEVICE int heddle_next_static(struct heddle_worker *w, struct heddle_ready *t) {
    const struct heddle_pool_control *c = w->plan;
    if (t->word || heddle_stack_pop(w, t))
        return 1;
    for (; w->job < c->jobs; w->job++, w->step = w->number) {
        const struct heddle_job *j = &c->job[w->job];
        if (w->step >= j->total)
            continue;
        const uint64_t number = j->order[w->step];
        w->step += (int64_t)c->workers;
        if (!heddle_await_before(w, j, number, t->at))
            return 0;
        t->word = heddle_word(j->form, w->job, number);
        t->frame = 0;
        t->placed = j->total <= INT32_MAX;
        return 1;
    }
    return 0;
}

/* All workers have reached the end of a level; all are resident, the launch sees to that. */
HEDDLE_DEVICE int heddle_grid_barrier(struct heddle_worker *w) {
    struct heddle_pool_control *c = w->pool;
    uint64_t ok = 1;
    w->barriers++;
    heddle_block_sync();
    if (heddle_thread() == 0) {
        const uint64_t goal = w->barriers * (uint64_t)heddle_blocks();
        uint64_t start = 0;
        heddle_add_acq_rel(&c->arrived, 1);
        for (unsigned polls = 1; heddle_load_acquire(&c->arrived) < goal; polls++) {
            if (polls % 256)
                continue;
            const uint64_t now = heddle_clock_ns();
            start = start ? start : now;
            if (now - start > c->timeout_ns)
                heddle_stop(c, HEDDLE_POOL_ERROR_TIMEOUT);
            if (heddle_load_relaxed(&c->stop))
                break;
        }
    }
    heddle_block_sync();
    if (HEDDLE_FIRST(w))
        ok = !heddle_load_relaxed(&c->stop);
    return (int)heddle_share(w, ok);
}

HEDDLE_DEVICE int heddle_next_barrier(struct heddle_worker *w, struct heddle_ready *t) {
    const struct heddle_pool_control *c = w->plan;
    if (t->word || heddle_stack_pop(w, t))
        return 1;
    while (w->job < c->jobs) {
        const struct heddle_job *j = &c->job[w->job];
        if (w->level == j->levels) {
            w->job++;
            w->level = w->step = 0;
            continue;
        }
        const int64_t k = (int64_t)j->level_start[w->level] + w->number + w->step;
        if (k < (int64_t)j->level_start[w->level + 1]) {
            w->step += (int64_t)c->workers;
            t->word = heddle_word(j->form, w->job, j->order[k]);
            t->frame = 0;
            t->placed = 0;
            return 1;
        }
        if (!heddle_grid_barrier(w))
            return 0;
        w->level++;
        w->step = 0;
    }
    return 0;
}

HEDDLE_DEVICE int heddle_next(struct heddle_worker *w, struct heddle_ready *t) {
    switch (w->plan->schedule) {
    case HEDDLE_POOL_STATIC:
        return heddle_next_static(w, t);
    case HEDDLE_POOL_BARRIER:
        return heddle_next_barrier(w, t);
    default:
        return heddle_next_dynamic(w, t);
    }
}

/* A task that a worker runs (heddle/engine/pool/execute.h). */
struct heddle_execution {
    uint64_t word;
    long at[3];       /* iteration, or the next one of a tile */
    int32_t place[3]; /* iteration, or tile: half the registers while the task runs */
    const char *record;
    struct heddle_frame *own; /* of a kind that waits */
    uint32_t frame, parent;   /* numbers of `own`, 0: none yet, and of the maker's */
    int form, kind, part, waits;
    int told; /* heddle_tell has been called */
};

/* ---- the end of a task -------------------------------------------------------------------------------------- */
/* Static order: the task's stores are there for whoever waits for it. */
HEDDLE_DEVICE void heddle_tell(struct heddle_worker *w, const struct heddle_job *j, uint64_t number) {
    HEDDLE_SYNC(w);
    if (HEDDLE_FIRST(w))
        heddle_store32_release(&j->done[number], j->round);
}

/* The task of word `word` (and `at`, if it is an iteration) and everything it waits for is done. Sets t->word where
   that makes a task ready. told: heddle_tell has been called. */
HEDDLE_DEVICE void heddle_complete_one(struct heddle_worker *w, uint64_t word, const int32_t *at, int depends, int told,
                                       struct heddle_ready *t) {
    const int form = heddle_form(word), job = heddle_job_of(word);
    const uint64_t number = heddle_number(word);
    const struct heddle_job *j = &w->plan->job[job];
    const int iterations = form == HEDDLE_FORM_LOOP && j->tile_rows; /* they have been counted */
    if (depends && form == HEDDLE_FORM_DEPENDENT) {
        heddle_release_dependent(w, (uint32_t)number, t);
    } else if (form == HEDDLE_FORM_RECORD || told) {
    } else if (w->plan->schedule == HEDDLE_POOL_STATIC) {
        heddle_tell(w, j, number);
    } else if (w->plan->schedule != HEDDLE_POOL_BARRIER) {
        if (form == HEDDLE_FORM_NODE)
            heddle_release_node(w, job, j, number, t);
        else if (j->sinks)
            heddle_release_loop(w, job, j, at, t);
    }
    HEDDLE_COUNT(w, done, !iterations); /* others do not wait for this */
    if (!iterations && (form == HEDDLE_FORM_LOOP || form == HEDDLE_FORM_NODE))
        HEDDLE_COUNT(w, checksum, (number + 1) * (2 * (uint64_t)job + 1));
}

/* The same for the frames above that have waited for it alone. depends: there may be dependents. */
HEDDLE_DEVICE void heddle_complete(struct heddle_worker *w, uint64_t word, const int32_t *place, uint32_t frame,
                                   int depends, int told, struct heddle_ready *t) {
    int32_t at[3] = {place[0], place[1], place[2]};
    t->word = 0;
    HEDDLE_SYNC(w);
    for (;;) {
        heddle_complete_one(w, word, at, depends, told, t);
        told = 0;
        if (!frame)
            return;
        struct heddle_frame *f = heddle_frame_at(w, frame);
        uint64_t left = 0;
        if (HEDDLE_FIRST(w))
            left = heddle_add_acq_rel(&f->pending, ~0ull);
        if (heddle_share(w, left) != 1)
            return;
        HEDDLE_SYNC(w);
        if (f->part != HEDDLE_PART_END) {
            t->word = heddle_word(HEDDLE_FORM_FRAME, 0, frame);
            t->frame = 0;
            return;
        }
        const uint32_t parent = f->parent;
        word = f->task;
        for (int d = 0; d < 3; d++)
            at[d] = (int32_t)f->pad[d];
        heddle_frame_free(w, frame);
        frame = parent;
    }
}
