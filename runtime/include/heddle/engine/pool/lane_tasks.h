/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workers(lane): tasks that single lanes of a warp run, and where they wait. Part of heddle/engine/pool/worker.h.
 *
 * A task is a place in device memory from the time it is made until it is done: this header and its record. Everything
 * else is numbers of such places. A warp has a ring of numbers for each class of tasks (task type, and how far it is:
 * new, or after a taskwait), so the lanes of a batch go the same way, and a stack of free places. Lanes put their own
 * tasks into these while they run, each by an addition in the block's memory; a batch is taken from the newest end by
 * the whole warp. Whoever has none waits with a ticket as in heddle/engine/pool/queue.h, and a warp that sees somebody
 * wait there gives it the oldest of its tasks, a batch with each ticket. A ring that is full goes on as a list. Free
 * places that a warp has too many of go to those who have too few in packs. Calls that make no tasks may run where they
 * would become one, and nobody else knows of them (tests/models/lane.pml).
 */
enum {
    HEDDLE_LANE_STATES = 4,     /* new, after the first taskwait, after the second, later */
    HEDDLE_LANE_CLASSES = 64,   /* of one pool at most */
    HEDDLE_LANE_BATCH = 64,     /* lanes of the widest warp */
    HEDDLE_LANE_SPARE = 2048,   /* free places that a warp keeps in order */
    HEDDLE_LANE_PACK = 255,     /* free places that change hands together: a full binary tree */
    HEDDLE_LANE_LONG = 1 << 17, /* cycles: a batch of long tasks is shared even when it is narrow */
    HEDDLE_LANE_LOOK = 1 << 13, /* cycles: after a batch that took longer the warp looks whether somebody waits */
    HEDDLE_LANE_LEAF = 1 << 15, /* cycles: a batch that took longer has run long tasks in place */
    HEDDLE_LANE_PAUSE = 64,     /* batches of its class that then make tasks of all */
    HEDDLE_LANE_PAYLOAD = 4 * HEDDLE_LANE_BATCH
};

/* Two words of 16 bytes, each written at once: lanes have places far apart, and then a multiprocessor takes as long for
   each access of a warp as the warp has lanes. The record follows. */
typedef uint32_t heddle_lane_word __attribute__((vector_size(16), __may_alias__));
struct heddle_lane_task {
    uint32_t parent; /* whose tasks it is one of; 0: nobody's */
    uint32_t kind;
    uint64_t origin;  /* word of the node or iteration that it is, 0: a task made it */
    uint32_t pending; /* tasks it waits for, after a part of it has run */
    int32_t part;     /* to go on with; HEDDLE_PART_END: nothing left to do */
    uint32_t next;    /* in a list */
    uint32_t pad;
};

/* What the lanes of a warp share, in the block's memory. */
struct heddle_lane_warp {
    uint32_t head[HEDDLE_LANE_CLASSES], tail[HEDDLE_LANE_CLASSES]; /* of each ring */
    uint32_t more[HEDDLE_LANE_CLASSES];                            /* list of those for which it had no room */
    uint32_t free, freed; /* free places; where the next one that becomes free is put, while a batch runs */
    uint32_t lost;        /* list of those for which there was no room */
    uint32_t pause[HEDDLE_LANE_CLASSES]; /* batches until tasks run in their makers' place again */
};

HEDDLE_DEVICE struct heddle_lane_task *heddle_lane_at(const struct heddle_worker *w, uint32_t number) {
    return (struct heddle_lane_task *)(void *)heddle_frame_at(w, number);
}
HEDDLE_DEVICE int heddle_lane_class(int kind, int part) {
    return kind * HEDDLE_LANE_STATES + (part < HEDDLE_LANE_STATES ? part : HEDDLE_LANE_STATES - 1);
}
HEDDLE_DEVICE void heddle_lane_fill(struct heddle_lane_task *t, uint32_t parent, int kind, uint64_t origin) {
    *(heddle_lane_word *)(void *)t =
        (heddle_lane_word){parent, (uint32_t)kind, (uint32_t)origin, (uint32_t)(origin >> 32)};
}
HEDDLE_DEVICE void heddle_lane_suspend(struct heddle_lane_task *t, uint32_t pending, int part) {
    ((heddle_lane_word *)(void *)t)[1] = (heddle_lane_word){pending, (uint32_t)part, 0, 0};
}
/* Of this warp: the rings, then the stack of free places. */
HEDDLE_DEVICE uint32_t *heddle_lane_ring(const struct heddle_worker *w, int size_class) {
    return (uint32_t *)(void *)(w->plan->lanes + w->number * w->plan->lane_bytes) +
           ((uint64_t)size_class << w->plan->lane_shift);
}
HEDDLE_DEVICE uint32_t *heddle_lane_spare(const struct heddle_worker *w) {
    return heddle_lane_ring(w, (int)w->plan->lane_classes);
}

/* ---- a lane alone, while a batch runs ------------------------------------------------------------------------ */
HEDDLE_DEVICE void heddle_lane_push(struct heddle_worker *w, int size_class, uint32_t number) {
    struct heddle_lane_warp *s = w->warp;
    const uint32_t slots = 1u << w->plan->lane_shift, place = heddle_add32_block(&s->tail[size_class], 1);
    if (place - s->head[size_class] < slots)
        heddle_lane_ring(w, size_class)[place & (slots - 1)] = number;
    else
        heddle_lane_at(w, number)->next = heddle_swap32_block(&s->more[size_class], number);
}

/* 0: there is none left, and everybody has been told. */
HEDDLE_DEVICE uint32_t heddle_lane_new(struct heddle_worker *w) {
    const int32_t place = (int32_t)heddle_add32_block(&w->warp->free, ~0u) - 1;
    if (place >= 0)
        return heddle_lane_spare(w)[place];
    const uint64_t ticket = heddle_add_relaxed(&w->pool->frame_ticket, 1);
    if (ticket < w->plan->frame_count + w->plan->more_frame_count)
        return (uint32_t)ticket + 1;
    heddle_stop(w->pool, HEDDLE_POOL_ERROR_MEMORY);
    return 0;
}

HEDDLE_DEVICE void heddle_lane_free(struct heddle_worker *w, uint32_t number) {
    const uint32_t place = heddle_add32_block(&w->warp->freed, 1);
    if (place < HEDDLE_LANE_SPARE)
        heddle_lane_spare(w)[place] = number;
    else
        heddle_lane_at(w, number)->next = heddle_swap32_block(&w->warp->lost, number);
}

HEDDLE_DEVICE void heddle_lane_spawn(struct heddle_worker *w, int kind, const void *record, size_t bytes) {
    const uint32_t number = heddle_lane_new(w);
    w->made++; /* also one that there is no place for: its maker must not go on as if it were done */
    if (!number)
        return;
    struct heddle_lane_task *t = heddle_lane_at(w, number);
    heddle_lane_fill(t, w->frame, kind, 0);
    heddle_lane_word *to = (heddle_lane_word *)(void *)(t + 1), rest = {0, 0, 0, 0};
    const size_t whole = bytes / sizeof *to; /* `bytes` is a constant where this is called */
#pragma GCC unroll 16
    for (size_t q = 0; q < whole; q++) {
        heddle_lane_word some;
        memcpy(&some, (const char *)record + q * sizeof some, sizeof some);
        to[q] = some;
    }
    memcpy(&rest, (const char *)record + whole * sizeof rest, bytes % sizeof rest);
    if (bytes % sizeof rest)
        to[whole] = rest;
    heddle_lane_push(w, heddle_lane_class(kind, 0), number);
}

/* A call that makes no tasks and waits for none may run in its maker's place: asked before, told after. Short ones cost
   less than a task; long ones would keep the warp's other lanes waiting. */
HEDDLE_DEVICE int heddle_lane_at_once(const struct heddle_worker *w) { return w->direct; }
HEDDLE_DEVICE void heddle_lane_ran(struct heddle_worker *w) {
    w->at_once++;
    w->direct = heddle_cycles() - w->start < HEDDLE_LANE_LEAF;
}

/* Iteration or node `number` of a job becomes a task. */
HEDDLE_DEVICE void heddle_lane_make(struct heddle_worker *w, int job, uint64_t number) {
    const struct heddle_job *j = &w->plan->job[job];
    const int nodes = j->form == HEDDLE_FORM_NODE, kind = nodes ? (int)j->node[2 * number] : j->kind;
    const char *record = (const char *)j->record + (nodes ? number * w->plan->record_bytes : 0);
    const uint32_t place = heddle_lane_new(w);
    if (!place)
        return;
    struct heddle_lane_task *t = heddle_lane_at(w, place);
    heddle_lane_fill(t, 0, kind, heddle_word(j->form, job, number));
    for (uint64_t q = 0; q < w->plan->record_bytes / 8; q++)
        ((uint64_t *)(void *)(t + 1))[q] = ((const uint64_t *)(const void *)record)[q];
    heddle_lane_push(w, heddle_lane_class(kind, 0), place);
}

/* The node or iteration `origin` is done: those that have waited for it alone are ready. */
HEDDLE_DEVICE void heddle_lane_release(struct heddle_worker *w, uint64_t origin) {
    const int job = heddle_job_of(origin);
    const struct heddle_job *j = &w->plan->job[job];
    const uint64_t number = heddle_number(origin);
    HEDDLE_COUNT(w, checksum, (number + 1) * (2 * (uint64_t)job + 1));
    if (j->form == HEDDLE_FORM_NODE) {
        for (uint32_t q = j->next_start[number]; q < j->next_start[number + 1]; q++)
            if (heddle_meet(&j->counters[j->next[q]], j->wanted[j->next[q]]))
                heddle_lane_make(w, job, j->next[q]);
        return;
    }
    int32_t at[3], after[3];
    if (j->sinks)
        heddle_place32_of(j, number, at);
    for (int q = 0; q < j->sinks; q++)
        if (heddle_neighbour(j, at, q, -1, after)) {
            const uint64_t next = heddle_number_of(j, after);
            if (heddle_meet(&j->counters[next], heddle_wanted(j, after)))
                heddle_lane_make(w, job, next);
        }
}

/* What a lane has run: a task at `number`, or (0) the iteration `origin` without a place of its own. */
struct heddle_lane_run {
    uint32_t number, parent, made, at_once; /* made: tasks by this part; at_once: others, which are done */
    uint64_t origin;
    int kind, waits, next; /* next: the part to go on with after a taskwait, 0: none */
};

/* What the end of a task, or of its part before a taskwait, makes ready. Nobody but this warp knows the tasks it has
   made before the batch is over, so the count of its own tasks needs no atomic addition. */
HEDDLE_DEVICE void heddle_lane_end(struct heddle_worker *w, struct heddle_lane_run r) {
    w->spawned += r.made + r.at_once;
    HEDDLE_COUNT(w, done, r.at_once);
    if (r.waits && r.made) {
        heddle_lane_suspend(heddle_lane_at(w, r.number), r.made, r.next > 0 ? r.next : HEDDLE_PART_END);
        return;
    }
    for (uint32_t more = r.made;; more = 0) {
        HEDDLE_COUNT(w, done, 1);
        if (r.number)
            heddle_lane_free(w, r.number);
        if (r.origin)
            heddle_lane_release(w, r.origin);
        if (!r.parent || more == 1) /* this one is done, and another one is there in its place */
            return;
        struct heddle_lane_task *above = heddle_lane_at(w, r.parent);
        if (heddle_add32_acq_rel(&above->pending, more - 1) + more != 1)
            return;
        const int part = above->part, kind = (int)above->kind;
        if (part != HEDDLE_PART_END) {
            heddle_lane_push(w, heddle_lane_class(kind, part), r.parent);
            return;
        }
        r.number = r.parent;
        r.parent = above->parent;
        r.origin = above->origin;
    }
}

/* ---- the whole warp, between batches --------------------------------------------------------------------------- */
/* After a batch: what became free fills the places of what was taken, and full rings end where they end. */
HEDDLE_DEVICE void heddle_lane_settle(struct heddle_worker *w, uint32_t before) {
    struct heddle_lane_warp *s = w->warp;
    uint32_t *spare = heddle_lane_spare(w);
    const uint32_t slots = 1u << w->plan->lane_shift;
    HEDDLE_SYNC(w);
    const uint32_t free = (int32_t)s->free < 0 ? 0 : s->free,
                   end = s->freed < HEDDLE_LANE_SPARE ? s->freed : HEDDLE_LANE_SPARE;
    const uint32_t came = end - before, holes = before - free, moves = came < holes ? came : holes;
    HEDDLE_SYNC(w);
    for (uint32_t k = (uint32_t)HEDDLE_LANE(w); k < moves; k += HEDDLE_WARP)
        spare[free + k] = spare[end - 1 - k];
    for (uint32_t c = (uint32_t)HEDDLE_LANE(w); c < w->plan->lane_classes; c += HEDDLE_WARP)
        if (s->tail[c] - s->head[c] > slots)
            s->tail[c] = s->head[c] + slots;
    if (HEDDLE_FIRST(w))
        s->free = free + came;
    HEDDLE_SYNC(w);
}

/* A pack is a tree, so that a warp writes and reads it a level at a time: the children of place k are 2k + 1 and
   2k + 2, in `next` and `parent`; `pending` of the root is the next pack. The head's upper half counts its changes. */
HEDDLE_DEVICE void heddle_lane_give_pack(struct heddle_worker *w) {
    uint32_t *spare = heddle_lane_spare(w) + w->warp->free - HEDDLE_LANE_PACK;
    uint64_t *head = &w->pool->lane_packs, seen = 0, given = 0;
    for (uint32_t k = (uint32_t)HEDDLE_LANE(w); k < HEDDLE_LANE_PACK / 2; k += HEDDLE_WARP) {
        struct heddle_lane_task *t = heddle_lane_at(w, spare[k]);
        t->next = spare[2 * k + 1];
        t->parent = spare[2 * k + 2];
    }
    HEDDLE_SYNC(w);
    if (HEDDLE_FIRST(w)) {
        seen = heddle_load_relaxed(head);
        heddle_lane_at(w, spare[0])->pending = (uint32_t)seen;
        given = heddle_swap_if(head, seen, ((seen >> 32) + 1) << 32 | spare[0]) == seen;
    }
    given = heddle_share(w, given);
    if (given && HEDDLE_FIRST(w))
        w->warp->free -= HEDDLE_LANE_PACK;
    HEDDLE_SYNC(w);
}

/* 0: there is none, or another warp was faster. */
HEDDLE_DEVICE int heddle_lane_take_pack(struct heddle_worker *w) {
    uint32_t *spare = heddle_lane_spare(w) + w->warp->free;
    uint64_t *head = &w->pool->lane_packs, got = 0;
    if (HEDDLE_FIRST(w)) {
        const uint64_t seen = heddle_load_acquire(head);
        if ((uint32_t)seen) {
            const uint64_t next = heddle_load32_relaxed(&heddle_lane_at(w, (uint32_t)seen)->pending);
            if (heddle_swap_if(head, seen, ((seen >> 32) + 1) << 32 | next) == seen)
                spare[0] = (uint32_t)(got = (uint32_t)seen);
        }
    }
    if (!heddle_share(w, got))
        return 0;
    HEDDLE_SYNC(w);
    for (uint32_t first = 0, count = 1; first < HEDDLE_LANE_PACK / 2; first += count, count *= 2) {
        for (uint32_t k = first + (uint32_t)HEDDLE_LANE(w); k < first + count; k += HEDDLE_WARP) {
            const struct heddle_lane_task *t = heddle_lane_at(w, spare[k]);
            spare[2 * k + 1] = t->next;
            spare[2 * k + 2] = t->parent;
        }
        HEDDLE_SYNC(w);
    }
    if (HEDDLE_FIRST(w))
        w->warp->free += HEDDLE_LANE_PACK;
    HEDDLE_SYNC(w);
    return 1;
}

/* Never used places. */
HEDDLE_DEVICE void heddle_lane_take_new(struct heddle_worker *w) {
    const uint64_t total = w->plan->frame_count + w->plan->more_frame_count, want = 4 * HEDDLE_WARP;
    uint32_t *spare = heddle_lane_spare(w) + w->warp->free;
    const uint64_t first = heddle_share(w, HEDDLE_FIRST(w) ? heddle_add_relaxed(&w->pool->frame_ticket, want) : 0);
    const uint64_t count = first >= total ? 0 : total - first < want ? total - first : want;
    for (uint64_t k = (uint64_t)HEDDLE_LANE(w); k < count; k += HEDDLE_WARP)
        spare[k] = (uint32_t)(first + k) + 1;
    HEDDLE_SYNC(w);
    if (HEDDLE_FIRST(w))
        w->warp->free += (uint32_t)count;
    HEDDLE_SYNC(w);
}

/* Before a batch: places for what it will make, and not too many of them. Returns how many there are. */
HEDDLE_DEVICE uint32_t heddle_lane_prepare(struct heddle_worker *w) {
    struct heddle_lane_warp *s = w->warp;
    if (s->lost) {
        HEDDLE_SYNC(w);
        if (HEDDLE_FIRST(w))
            while (s->lost && s->free < HEDDLE_LANE_SPARE / 2) {
                heddle_lane_spare(w)[s->free++] = s->lost;
                s->lost = heddle_lane_at(w, s->lost)->next;
            }
        HEDDLE_SYNC(w);
    }
    if (s->free < 2 * HEDDLE_WARP) {
        if (!heddle_lane_take_pack(w))
            heddle_lane_take_new(w);
    } else if (s->free > HEDDLE_LANE_SPARE / 2) {
        heddle_lane_give_pack(w);
    }
    const uint32_t before = s->free;
    HEDDLE_SYNC(w);
    if (HEDDLE_FIRST(w))
        s->freed = before;
    HEDDLE_SYNC(w);
    return before;
}

/* The class with the fullest batch, of equal ones the one that is nearest to its end. 0: no task waits in this warp. */
HEDDLE_DEVICE uint32_t heddle_lane_choose(struct heddle_worker *w, int *size_class) {
    const struct heddle_lane_warp *s = w->warp;
    uint32_t best = 0;
    for (uint32_t c = (uint32_t)HEDDLE_LANE(w); c < w->plan->lane_classes; c += HEDDLE_WARP) {
        const uint32_t waiting = s->more[c] ? HEDDLE_WARP : s->tail[c] - s->head[c];
        const uint32_t key = (waiting < HEDDLE_WARP ? waiting : HEDDLE_WARP) << 8 | c;
        best = key > best ? key : best;
    }
    for (int m = HEDDLE_WARP / 2; m; m /= 2) {
        const uint32_t other = heddle_shuffle_xor_word(best, m);
        best = other > best ? other : best;
    }
    *size_class = (int)(best & 255);
    return best >> 8;
}

/* The newest tasks of a class, one for each lane; 0: none for this one. */
HEDDLE_DEVICE uint32_t heddle_lane_take(struct heddle_worker *w, int size_class, uint32_t count) {
    struct heddle_lane_warp *s = w->warp;
    const uint32_t lane = (uint32_t)HEDDLE_LANE(w), mask = (1u << w->plan->lane_shift) - 1;
    uint32_t mine = 0, next = s->more[size_class];
    if (next) {
        for (uint32_t k = 0; k < count && next; k++) {
            mine = k == lane ? next : mine;
            next = heddle_lane_at(w, next)->next;
        }
        HEDDLE_SYNC(w);
        if (HEDDLE_FIRST(w))
            s->more[size_class] = next;
    } else {
        const uint32_t first = s->tail[size_class] - count;
        mine = lane < count ? heddle_lane_ring(w, size_class)[(first + lane) & mask] : 0;
        HEDDLE_SYNC(w);
        if (HEDDLE_FIRST(w))
            s->tail[size_class] = first;
    }
    HEDDLE_SYNC(w);
    return mine;
}

/* ---- batches for other warps ------------------------------------------------------------------------------------ */
/* The oldest tasks of a class to whoever waits with the next ticket. */
HEDDLE_DEVICE void heddle_lane_put(struct heddle_worker *w, int size_class, uint32_t count) {
    struct heddle_lane_warp *s = w->warp;
    struct heddle_queue *q = &w->pool->queue[0];
    const uint32_t lane = (uint32_t)HEDDLE_LANE(w), mask = (1u << w->plan->lane_shift) - 1;
    const uint64_t ticket = heddle_share(w, HEDDLE_FIRST(w) ? heddle_add_relaxed(&q->tail, 1) : 0),
                   round = heddle_round(w, 0, ticket);
    char *slot = heddle_slot(w, 0, ticket);
    uint64_t *head = (uint64_t *)(void *)slot;
    HEDDLE_COUNT(w, queued, count);
    if (HEDDLE_FIRST(w))
        while (round && heddle_load_relaxed(&head[1]) != round) /* its last user is about to finish reading */
            if (heddle_load_relaxed(&w->pool->stop))
                break;
    HEDDLE_SYNC(w);
    if (lane < count)
        ((uint32_t *)(void *)(slot + HEDDLE_SLOT_HEAD))[lane] =
            heddle_lane_ring(w, size_class)[(s->head[size_class] + lane) & mask];
    HEDDLE_SYNC(w);
    if (HEDDLE_FIRST(w)) {
        s->head[size_class] += count;
        heddle_store_release(&head[0],
                             heddle_generation(round) << HEDDLE_GENERATION_SHIFT |
                                 heddle_word(HEDDLE_FORM_BATCH, 0, (uint64_t)count << 8 | (uint64_t)size_class));
    }
    HEDDLE_SYNC(w);
}

/* Somebody waits, and this warp has more than it can run at once; of long tasks it gives even what it could. */
HEDDLE_DEVICE void heddle_lane_spread(struct heddle_worker *w, int are_long) {
    const struct heddle_queue *q = &w->pool->queue[0];
    const struct heddle_lane_warp *s = w->warp;
    const uint64_t waiting =
        heddle_share(w, HEDDLE_FIRST(w) ? heddle_load_relaxed(&q->head) - heddle_load_relaxed(&q->tail) : 0);
    for (int64_t given = 0; given < (int64_t)waiting && given < 4; given++) {
        uint32_t best = 0;
        for (uint32_t c = 0; c < w->plan->lane_classes; c++) {
            const uint32_t key = (s->tail[c] - s->head[c]) << 8 | c;
            best = key > best ? key : best;
        }
        const uint32_t count = best >> 8;
        if (count <= (are_long ? 1u : (uint32_t)HEDDLE_WARP))
            return;
        heddle_lane_put(w, (int)(best & 255), count / 2 < HEDDLE_WARP ? count / 2 : HEDDLE_WARP);
    }
}

/* There is nothing else to do: waits with a ticket. 0: the pool is done. */
HEDDLE_DEVICE int heddle_lane_wait(struct heddle_worker *w, int *size_class, uint32_t *mine) {
    struct heddle_pool_control *c = w->pool;
    struct heddle_queue *q = &c->queue[0];
    uint64_t ticket = 0, word = 0;
    if (HEDDLE_FIRST(w)) {
        ticket = heddle_add_acq_rel(&q->head, 1); /* as in heddle_queue_wait */
        if (ticket + 1 - heddle_load_relaxed(&q->tail) == heddle_load_relaxed(&c->started))
            heddle_stop(c, HEDDLE_POOL_ERROR_NONE);
        word = heddle_queue_await(w, (uint64_t *)(void *)heddle_slot(w, 0, ticket), ticket,
                                  heddle_generation(heddle_round(w, 0, ticket)));
    }
    word = heddle_share(w, word);
    ticket = heddle_share(w, ticket);
    if (!word)
        return 0;
    char *slot = heddle_slot(w, 0, ticket);
    const uint64_t what = heddle_number(word);
    HEDDLE_SYNC(w);
    *size_class = (int)(what & 255);
    *mine = (uint64_t)HEDDLE_LANE(w) < what >> 8
                ? ((const uint32_t *)(const void *)(slot + HEDDLE_SLOT_HEAD))[HEDDLE_LANE(w)]
                : 0;
    HEDDLE_SYNC(w);
    if (HEDDLE_FIRST(w))
        heddle_store_release((uint64_t *)(void *)slot + 1, heddle_round(w, 0, ticket) + 1);
    return 1;
}
