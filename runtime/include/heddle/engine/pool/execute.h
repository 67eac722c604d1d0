/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ready task from its word to what its end makes ready: find_task, enter_frame for a kind that waits, run_task,
 * end_task. Part of heddle/engine/pool/engine.h.
 */

/* Looks up the task. 0: a join, which has no code; its end is dealt with. */
static HEDDLE_INLINE int HEDDLE_P(find_task)(struct heddle_worker *w, struct heddle_ready *t,
                                             struct heddle_execution *x) {
    const struct heddle_job *j = &w->plan->job[heddle_job_of(t->word)];
    const uint64_t number = heddle_number(t->word);
    *x = (struct heddle_execution){
        .word = t->word, .form = heddle_form(t->word), .kind = (int)number, .record = t->record, .parent = t->frame};
    if (x->form == HEDDLE_FORM_LOOP) {
        if (t->placed)
            x->at[0] = t->at[0], x->at[1] = t->at[1], x->at[2] = t->at[2];
        else
            heddle_place_of(j, number, x->at);
        x->kind = j->kind;
        x->record = HEDDLE_PTR(j->record);
    } else if (x->form == HEDDLE_FORM_NODE) {
        x->kind = (int)j->node[2 * number];
        x->record = (const char *)j->record + number * w->plan->record_bytes;
    } else if (x->form == HEDDLE_FORM_FRAME) {
        x->frame = (uint32_t)number;
        x->own = heddle_frame_at(w, x->frame);
        x->kind = (int)x->own->kind;
        x->part = x->own->part;
    } else if (HEDDLE_P(depends) && x->form == HEDDLE_FORM_DEPENDENT) {
        const struct heddle_frame *f = heddle_frame_at(w, (uint32_t)number);
        x->kind = (int)f->kind;
        x->parent = f->parent;
        x->record = (const char *)(f + 1);
        if (x->kind == HEDDLE_DEPENDENT_JOIN) {
            t->word = 0;
            HEDDLE_SYNC(w);
            heddle_release_dependent(w, (uint32_t)number, t);
            return 0;
        }
    }
    x->waits = HEDDLE_P(flags_of)(x->kind) & HEDDLE_TASK_WAITS;
    return 1;
}

/* A kind that waits runs with a frame and its record in there: a new one, or that of the part before. 0: no room. */
static HEDDLE_INLINE int HEDDLE_P(enter_frame)(struct heddle_worker *w, struct heddle_execution *x) {
    if (w->serving == HEDDLE_SERVING_TASK) { /* its end counts as one of the tasks made */
        w->serving = HEDDLE_SERVING_CHILDREN;
        if (HEDDLE_FIRST(w))
            heddle_add_relaxed(&heddle_frame_at(w, w->ring_frame)->pending, 1);
    }
    if (x->frame) {
        for (int d = 0; d < 3; d++)
            x->at[d] = (long)x->own->pad[d];
        HEDDLE_SYNC(w);
        if (HEDDLE_FIRST(w))
            heddle_store_relaxed(&x->own->pending, 1);
    } else {
        x->frame = heddle_frame_new(w);
        if (!x->frame)
            return 0;
        x->own = heddle_frame_at(w, x->frame);
        HEDDLE_SYNC(w);
        if (HEDDLE_FIRST(w))
            *x->own = (struct heddle_frame){.pending = 1,
                                            .task = x->word,
                                            .parent = x->parent,
                                            .kind = (uint32_t)x->kind,
                                            .pad = {(uint64_t)x->at[0], (uint64_t)x->at[1], (uint64_t)x->at[2]}};
        for (int q = HEDDLE_LANE(w); q < HEDDLE_P(record_bytes) / 8; q += HEDDLE_LANES(w))
            ((uint64_t *)(void *)(x->own + 1))[q] = ((const uint64_t *)(const void *)x->record)[q];
    }
    x->record = (const char *)(x->own + 1);
    HEDDLE_SYNC(w);
    return 1;
}

/* Runs its code, or that of all iterations of a tile. Returns the part to go on with after a taskwait; 0: none. */
static HEDDLE_INLINE int HEDDLE_P(run_task)(struct heddle_worker *w, const struct HEDDLE_P(env) *env,
                                            struct heddle_execution *x) {
    const int job = heddle_job_of(x->word), loops = x->form == HEDDLE_FORM_LOOP;
    /* never NULL: the job is in shared memory, where clang 19 makes an address of NULL */
    const struct heddle_job *j = &w->plan->job[job];
    const int tiled = HEDDLE_P(tiles) && loops && j->tile_rows != 0, timed = HEDDLE_P(tiles) && loops && j->sinks;
    /* whoever waits for a task in a static order is told first */
    x->told = w->plan->schedule == HEDDLE_POOL_STATIC && !x->waits && !tiled && (loops || x->form == HEDDLE_FORM_NODE);
    if (HEDDLE_ALONE(HEDDLE_P(flags_of)(x->kind))) {
        if (tiled)
            HEDDLE_P(run_tile)(w, env, j, job, x->at, x->kind, x->record);
        else
            HEDDLE_P(run_alone)(w, env, j, x->word, x->at, x->kind, x->record, x->told);
        return 0;
    }
    struct heddle_cursor cursor = {0};
    int next = 0;
    for (int more = tiled ? heddle_cursor_first(j, &cursor, x->at) : 1; more;) {
        const uint64_t begin = heddle_trace_time(w), start = timed ? heddle_cycles() : 0,
                       real = tiled ? heddle_real_number(j, x->at) : 0;
        next = HEDDLE_P(dispatch)(w, env, x->kind, (void *)(uintptr_t)x->record, x->at, x->part);
        const uint64_t cycles = timed ? heddle_cycles() - start : 0, end = heddle_trace_time(w);
        if (x->told)
            heddle_tell(w, j, heddle_number(x->word));
        HEDDLE_COUNT(w, busy, cycles);
        heddle_trace_end(w, begin, end, tiled ? heddle_word(HEDDLE_FORM_LOOP, job, real) : x->word, x->kind, x->part);
        if (HEDDLE_P(depends) && w->makes_dependents)
            heddle_forget_dependents(w);
        more = tiled && heddle_cursor_next(j, &cursor, x->at);
        if (tiled) {
            HEDDLE_SYNC(w); /* the next one reads what this one has stored */
            HEDDLE_COUNT(w, done, 1);
            HEDDLE_COUNT(w, checksum, (real + 1) * (2 * (uint64_t)job + 1));
        }
    }
    return next;
}

/* What its end, or that of the part before a taskwait, makes ready. */
static HEDDLE_INLINE void HEDDLE_P(end_task)(struct heddle_worker *w, struct heddle_execution *x, int next,
                                             struct heddle_ready *t) {
    t->word = 0;
    if (!x->waits && w->serving == HEDDLE_SERVING_TASK) {
        w->serving = w->spawned == w->spawned_before ? HEDDLE_SERVING_DONE : HEDDLE_SERVING_CHILDREN;
        HEDDLE_COUNT(w, done, 1);
        HEDDLE_SYNC(w);
        return;
    }
    if (x->waits) {
        uint64_t left = 0;
        HEDDLE_SYNC(w);
        if (HEDDLE_FIRST(w)) {
            x->own->part = next > 0 ? next : HEDDLE_PART_END;
            left = heddle_add_acq_rel(&x->own->pending, ~0ull);
        }
        if (heddle_share(w, left) != 1)
            return; /* the last of its tasks goes on with it */
        HEDDLE_SYNC(w);
        if (next > 0) {
            t->word = heddle_word(HEDDLE_FORM_FRAME, 0, x->frame);
            return;
        }
        x->word = x->own->task;
        x->parent = x->own->parent;
        heddle_frame_free(w, x->frame);
    }
    heddle_complete(w, x->word, x->place, x->parent, HEDDLE_P(depends), x->told, t);
}

static HEDDLE_INLINE void HEDDLE_P(execute)(struct heddle_worker *w, const struct HEDDLE_P(env) *env,
                                            struct heddle_ready *t) {
    struct heddle_execution x;
    if (!HEDDLE_P(find_task)(w, t, &x))
        return;
    if (x.waits && !HEDDLE_P(enter_frame)(w, &x)) {
        t->word = 0;
        return;
    }
    for (int d = 0; d < 3; d++)
        x.place[d] = (int32_t)x.at[d];
    w->frame = x.waits ? x.frame : x.parent;
    const int next = HEDDLE_P(run_task)(w, env, &x);
    HEDDLE_P(end_task)(w, &x, next, t);
}
