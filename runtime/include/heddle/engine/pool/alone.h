/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks that a lane runs alone (HEDDLE_TASK_PLAIN), as many at a time as there are lanes: iterations of a loop without
 * dependences that this worker has claimed, or those of a tile that do not depend on each other. In a tile lane l has
 * row l, a column behind the lane above: what an iteration needs of its own row and of those above was done a step
 * before. Part of heddle/engine/pool/engine.h.
 */
static HEDDLE_INLINE void HEDDLE_P(run_lane)(const struct heddle_worker *w, const struct HEDDLE_P(env) *env, int kind,
                                             const char *record, const long *at) {
    struct heddle_worker lane;
    memset(&lane, 0, sizeof lane);
    lane.lanes = lane.alone = 1;
    lane.pool = w->pool;
    lane.plan = w->plan;
    switch (kind) {
#define HEDDLE_X(N, name, flags)                                                                                       \
    case N##_##name##_kind:                                                                                            \
        if (HEDDLE_ALONE(flags))                                                                                       \
            N##_##name##_run(&lane, env, (struct N##_##name *)(void *)(uintptr_t)record, at, 0);                       \
        break;
        HEDDLE_P(KINDS)(HEDDLE_X)
#undef HEDDLE_X
    }
}

/* How many iterations from this one on the worker takes at once: of those that it has claimed. */
static HEDDLE_INLINE int HEDDLE_P(together)(struct heddle_worker *w, uint64_t word) {
    if (heddle_form(word) != HEDDLE_FORM_LOOP || heddle_number(word) + 1 != w->batch ||
        heddle_job_of(word) != w->batch_job)
        return 1;
    const uint64_t left = w->batch_end - w->batch, more = left < HEDDLE_WARP - 1 ? left : HEDDLE_WARP - 1;
    w->batch += more;
    return 1 + (int)more;
}

/* The first one's end is counted by heddle_complete, like any task's. */
static HEDDLE_INLINE void HEDDLE_P(run_alone)(struct heddle_worker *w, const struct HEDDLE_P(env) *env,
                                              const struct heddle_job *loop, uint64_t word, const long *at, int kind,
                                              const char *record, int tell) {
    const uint64_t number = heddle_number(word), begin = heddle_trace_time(w), start = heddle_cycles();
    const int count = HEDDLE_P(together)(w, word), lane = HEDDLE_LANE(w);
    if (lane < count) {
        long mine[3] = {at[0], at[1], at[2]};
        if (lane)
            heddle_place_of(loop, number + (uint64_t)lane, mine);
        HEDDLE_P(run_lane)(w, env, kind, record, mine);
    }
    const uint64_t cycles = heddle_cycles() - start, end = heddle_trace_time(w), more = (uint64_t)(count - 1);
    if (tell) /* whoever waits for a task in a static order is told first */
        heddle_tell(w, &w->plan->job[heddle_job_of(word)], number);
    else
        HEDDLE_SYNC(w);
    if (heddle_form(word) == HEDDLE_FORM_LOOP && loop->sinks)
        HEDDLE_COUNT(w, busy, cycles);
    if (more) {
        HEDDLE_COUNT(w, done, more);
        HEDDLE_COUNT(w, checksum,
                     (more * (number + 1) + more * (more + 1) / 2) * (2 * (uint64_t)heddle_job_of(word) + 1));
    }
    for (int k = 0; k < count && w->plan->trace; k++)
        heddle_trace_end(w, begin, end, word + (uint64_t)k, kind, 0);
}

/* at: the tile. */
static HEDDLE_INLINE void HEDDLE_P(run_tile)(struct heddle_worker *w, const struct HEDDLE_P(env) *env,
                                             const struct heddle_job *loop, int job, const long *at, int kind,
                                             const char *record) {
#if HEDDLE_ON_GPU
    const int deep = loop->dims == 3, lane = HEDDLE_LANE(w);
    const int32_t n = (int32_t)loop->real[deep], m = (int32_t)loop->real[deep + 1];
    /* no variable index: `at` would have to be in memory, whose stores the next release waits for */
    const int32_t top = (int32_t)(deep ? at[1] : at[0]) * loop->tile_rows,
                  left = (int32_t)(deep ? at[2] : at[1]) * loop->tile_cols;
    const int32_t rows = n - top < loop->tile_rows ? n - top : loop->tile_rows;
    const uint64_t start = heddle_cycles();
    uint64_t tasks = 0, sum = 0, steps = 0;
    for (int32_t base = 0; base < rows; base += HEDDLE_WARP) {
        const int32_t last = rows - base < HEDDLE_WARP ? rows - base : HEDDLE_WARP, y = top + base + lane,
                      x0 = left - loop->skew * y;
        for (int32_t step = 0; step < loop->tile_cols + last - 1; step++) {
            const int32_t column = step - lane, x = x0 + column;
            const int here = lane < last && column >= 0 && column < loop->tile_cols && x >= 0 && x < m;
            if (!heddle_any(here))
                continue;
            const long mine[3] = {deep ? at[0] : y, deep ? y : x, deep ? x : 0};
            const uint64_t begin = heddle_trace_time(w), real = heddle_real_number(loop, mine);
            if (here) {
                HEDDLE_P(run_lane)(w, env, kind, record, mine);
                tasks++;
                sum += real + 1;
            }
            steps++;
            HEDDLE_SYNC(w); /* the next ones read what these have stored */
            if (!w->plan->trace)
                continue;
            const uint64_t end = heddle_trace_time(w);
            for (heddle_mask mask = heddle_ballot(here); mask; mask &= mask - 1) {
                const int from = heddle_first_lane(mask);
                const uint64_t one = heddle_shuffle_word((uint32_t)real, from) |
                                     (uint64_t)heddle_shuffle_word((uint32_t)(real >> 32), from) << 32;
                heddle_trace_end(w, begin, end, heddle_word(HEDDLE_FORM_LOOP, job, one), kind, 0);
            }
        }
    }
    HEDDLE_LANES_REDUCE(w, ADD, tasks, 0);
    HEDDLE_LANES_REDUCE(w, ADD, sum, 0);
    HEDDLE_COUNT(w, busy, steps ? (heddle_cycles() - start) * tasks / steps : 0);
    HEDDLE_COUNT(w, done, tasks);
    HEDDLE_COUNT(w, checksum, sum * (2 * (uint64_t)job + 1));
#else
    (void)w, (void)env, (void)loop, (void)job, (void)at, (void)kind, (void)record;
#endif
}
