/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workers(lane): a warp takes tasks that are of one class and runs each of them on one of its lanes. Part of
 * heddle/engine/pool/engine.h; heddle/engine/pool/lane_tasks.h says where the tasks wait.
 */
static HEDDLE_INLINE int HEDDLE_P(lane_call)(struct heddle_worker *lane, const struct HEDDLE_P(env) *env, int kind,
                                             const char *record, const long *at, int part) {
    switch (kind) {
#define HEDDLE_X(N, name, flags)                                                                                       \
    case N##_##name##_kind:                                                                                            \
        return N##_##name##_run(lane, env, (struct N##_##name *)(void *)(uintptr_t)record, at, part);
        HEDDLE_P(KINDS)(HEDDLE_X)
#undef HEDDLE_X
    }
    return 0;
}

/* One lane's task, as r says, until it waits for tasks that there are; its part, and what it has made, is added there.
   direct: it may run tasks in their place; 0 afterwards: that took long. */
static HEDDLE_INLINE int HEDDLE_P(lane_run)(struct heddle_worker *w, const struct HEDDLE_P(env) *env,
                                            struct heddle_lane_run *r, int resumed, int *direct) {
    _Alignas(16) char scratch[HEDDLE_P(scratch_bytes) + 16];
    struct heddle_worker lane;
    const struct heddle_job *j = &w->plan->job[heddle_job_of(r->origin)];
    const char *record = HEDDLE_PTR(j->record);
    long at[3] = {0, 0, 0};
    int part = 0;
    memset(&lane, 0, sizeof lane);
    lane.lanes = lane.alone = 1;
    lane.pool = w->pool;
    lane.plan = w->plan;
    lane.warp = w->warp;
    lane.number = w->number;
    lane.scratch = scratch;
    lane.of_warp = 1;
    lane.direct = *direct;
    lane.start = heddle_cycles();
    if (r->number) {
        const struct heddle_lane_task *t = heddle_lane_at(w, r->number);
        r->parent = t->parent;
        r->origin = t->origin;
        part = resumed ? t->part : 0;
        record = (const char *)(t + 1);
    }
    if (heddle_form(r->origin) == HEDDLE_FORM_LOOP)
        heddle_place_of(&w->plan->job[heddle_job_of(r->origin)], heddle_number(r->origin), at);
    lane.frame = r->waits ? r->number : r->parent;
    r->next = part;
    do
        r->next = HEDDLE_P(lane_call)(&lane, env, r->kind, record, at, r->next);
    while (r->next > 0 && !lane.made);
    r->made = lane.made;
    r->at_once = lane.at_once;
    *direct = lane.direct;
    return part;
}

static HEDDLE_INLINE void HEDDLE_P(lane_trace)(struct heddle_worker *w, uint64_t begin, const struct heddle_lane_run *r,
                                               int active, int part) {
    const uint64_t end = heddle_trace_time(w),
                   word = r->origin ? r->origin : heddle_word(HEDDLE_FORM_RECORD, 0, (uint64_t)r->kind);
    for (heddle_mask mask = heddle_ballot(active); mask; mask &= mask - 1) {
        const int from = heddle_first_lane(mask);
        const uint64_t one = heddle_shuffle_word((uint32_t)word, from) |
                             (uint64_t)heddle_shuffle_word((uint32_t)(word >> 32), from) << 32;
        const int at = (int)heddle_shuffle_word((uint32_t)part, from);
        heddle_trace_end(w, begin, end, one, r->kind, at);
    }
}

/* Each lane runs the task at `mine`, or else iteration `origin`; neither: it has none. Returns cycles. */
static HEDDLE_INLINE uint64_t HEDDLE_P(lane_batch)(struct heddle_worker *w, const struct HEDDLE_P(env) *env,
                                                   int size_class, uint32_t mine, uint64_t origin, uint32_t before) {
    const int kind = size_class / HEDDLE_LANE_STATES, resumed = size_class % HEDDLE_LANE_STATES;
    struct heddle_lane_run r = {
        .number = mine, .origin = origin, .kind = kind, .waits = HEDDLE_P(flags_of)(kind) & HEDDLE_TASK_WAITS};
    const int active = mine || origin;
    const uint64_t begin = heddle_trace_time(w), start = heddle_cycles();
    int part = 0, direct = !w->warp->pause[size_class];
    HEDDLE_COUNT(w, handed, 1); /* batches */
    const int paused = !direct;
    if (active)
        part = HEDDLE_P(lane_run)(w, env, &r, resumed, &direct);
    HEDDLE_SYNC(w);
    const int took_long = heddle_any(!direct);
    if (HEDDLE_FIRST(w))
        w->warp->pause[size_class] = paused ? w->warp->pause[size_class] - 1 : took_long ? HEDDLE_LANE_PAUSE : 0;
    const uint64_t cycles = heddle_share(w, heddle_cycles() - start);
    if (w->plan->trace)
        HEDDLE_P(lane_trace)(w, begin, &r, active, part);
    if (active)
        heddle_lane_end(w, r);
    heddle_lane_settle(w, before);
    return cycles;
}

/* Iterations and nodes that wait for nothing become tasks of this warp. */
static HEDDLE_INLINE void HEDDLE_P(lane_look)(struct heddle_worker *w, int job, const struct heddle_job *j,
                                              uint64_t first, uint64_t count) {
    for (uint64_t base = first; base < first + count; base += HEDDLE_WARP) {
        const uint64_t number = base + (uint64_t)HEDDLE_LANE(w);
        const uint32_t before = heddle_lane_prepare(w);
        int ready = number < first + count;
        if (ready && j->form == HEDDLE_FORM_NODE) {
            ready = j->wanted[number] == 0;
        } else if (ready && j->sinks) {
            int32_t at[3];
            heddle_place32_of(j, number, at);
            ready = heddle_wanted(j, at) == 0;
        }
        if (ready)
            heddle_lane_make(w, job, number);
        heddle_lane_settle(w, before);
    }
}

/* Claims iterations. 0: there are none left. */
static HEDDLE_INLINE int HEDDLE_P(lane_claim)(struct heddle_worker *w) {
    for (; w->job < w->plan->jobs; w->job++) {
        const struct heddle_job *j = &w->plan->job[w->job];
        const int look = j->form == HEDDLE_FORM_NODE || j->sinks;
        uint64_t count = 0;
        const uint64_t first = heddle_claim(w, w->job, look, &count);
        if (first == ~0ull)
            continue;
        if (look || HEDDLE_P(flags_of)(j->kind) & HEDDLE_TASK_WAITS) {
            HEDDLE_P(lane_look)(w, w->job, j, first, count);
        } else {
            w->batch = first;
            w->batch_end = first + count;
            w->batch_job = w->job;
        }
        return 1;
    }
    return 0;
}

static HEDDLE_INLINE void HEDDLE_P(lane_loop)(struct heddle_worker *w, const struct HEDDLE_P(env) *env) {
    for (unsigned turn = 1;; turn++) {
        int size_class = 0;
        uint32_t mine = 0;
        uint64_t origin = 0;
        if (turn % 16 == 0 && heddle_share(w, HEDDLE_FIRST(w) ? heddle_load_relaxed(&w->pool->stop) : 0))
            return;
        const uint32_t count = heddle_lane_choose(w, &size_class);
        if (count) {
            mine = heddle_lane_take(w, size_class, count);
        } else if (w->batch != w->batch_end) {
            const uint64_t left = w->batch_end - w->batch, number = w->batch + (uint64_t)HEDDLE_LANE(w);
            origin = number < w->batch_end ? heddle_word(HEDDLE_FORM_LOOP, w->batch_job, number) : 0;
            w->batch += left < HEDDLE_WARP ? left : HEDDLE_WARP;
        } else if (HEDDLE_P(lane_claim)(w)) {
            continue;
        } else if (!heddle_lane_wait(w, &size_class, &mine)) {
            return;
        }
        if (heddle_any(origin != 0))
            size_class = heddle_lane_class(w->plan->job[w->batch_job].kind, 0);
        const uint32_t before = heddle_lane_prepare(w);
        const uint64_t cycles = HEDDLE_P(lane_batch)(w, env, size_class, mine, origin, before);
        if (turn % 4 == 0 || cycles > HEDDLE_LANE_LOOK)
            heddle_lane_spread(w, cycles > HEDDLE_LANE_LONG);
    }
}

/* The lanes' counts become the first one's. */
static HEDDLE_INLINE void HEDDLE_P(lane_leave)(struct heddle_worker *w) {
    uint64_t done = w->done, spawned = w->spawned, checksum = w->checksum;
    HEDDLE_LANES_REDUCE(w, ADD, done, 0);
    HEDDLE_LANES_REDUCE(w, ADD, spawned, 0);
    HEDDLE_LANES_REDUCE(w, ADD, checksum, 0);
    w->done = done;
    w->spawned = spawned;
    w->checksum = checksum;
    HEDDLE_P(leave)(w);
}

static HEDDLE_INLINE void HEDDLE_P(work_lanes)(struct heddle_pool_control *c) {
    struct heddle_worker w;
    memset(&w, 0, sizeof w);
#if HEDDLE_ON_GPU
    enum { WARPS = 8 };
    HEDDLE_BLOCK_VARIABLE(struct heddle_worker_counters counters[WARPS], counters);
    HEDDLE_BLOCK_VARIABLE(struct heddle_lane_warp warp[WARPS], warp);
    HEDDLE_BLOCK_VARIABLE(struct heddle_pool_control plan, plan);
    for (size_t q = (size_t)heddle_thread(); q < sizeof plan / 8; q += (size_t)heddle_threads())
        ((uint64_t *)(void *)&plan)[q] = ((const uint64_t *)(const void *)c)[q];
    heddle_block_sync();
    w.plan = &plan;
    w.lane = heddle_thread() % HEDDLE_WARP;
    w.lanes = HEDDLE_WARP;
    w.warp = &warp[heddle_thread() / HEDDLE_WARP];
    w.record = (char *)(&counters[heddle_thread() / HEDDLE_WARP] + 1); /* its counters are before it */
#else
    struct heddle_lane_warp warp;
    struct heddle_worker_counters counters;
    w.lanes = 1;
    w.plan = c;
    w.warp = &warp;
    w.record = (char *)(&counters + 1);
#endif
    w.pool = c;
    if (HEDDLE_FIRST(&w)) {
        memset(HEDDLE_WORKER_COUNTERS(&w), 0, sizeof(struct heddle_worker_counters));
        memset(w.warp, 0, sizeof *w.warp);
    }
    w.number = (uint32_t)heddle_share(&w, HEDDLE_FIRST(&w) ? heddle_add_acq_rel(&c->started, 1) : 0);
    HEDDLE_SYNC(&w);
    const struct HEDDLE_P(env) env = *(const struct HEDDLE_P(env) *)c->env;
    HEDDLE_P(lane_loop)(&w, &env);
    HEDDLE_P(lane_leave)(&w);
}
