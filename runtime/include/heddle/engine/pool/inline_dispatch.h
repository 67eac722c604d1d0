/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a mailbox poller does with the host's tasks. It dispatches a task that makes no tasks and does not wait
 * (HEDDLE_TASK_PLAIN) inline, where it has seen it: with far jumps through `execute` and back the host waited 0.7 us
 * longer. Part of heddle/engine/pool/engine.h.
 */
static HEDDLE_INLINE int HEDDLE_P(dispatched_inline)(int kind) {
    const int flags = HEDDLE_P(flags_of)(kind);
    return HEDDLE_ON_GPU ? HEDDLE_ALONE(flags) : (flags & HEDDLE_TASK_PLAIN) != 0;
}

static HEDDLE_INLINE void HEDDLE_P(dispatch_inline)(struct heddle_worker *w, const struct HEDDLE_P(env) *env,
                                                    struct heddle_completion_slot slot, int kind, int traced) {
    const long at[3] = {0, 0, 0};
    const uint64_t begin = traced ? heddle_clock_ns() : 0;
    uint64_t end = 0;
    if (HEDDLE_FIRST(w)) {
#if HEDDLE_ON_GPU
        HEDDLE_P(run_lane)(w, env, kind, w->record, at);
#else
        (void)HEDDLE_P(dispatch)(w, env, kind, w->record, at, 0);
#endif
        if (traced)
            end = heddle_clock_ns();
        heddle_post_completion(slot);
    }
    HEDDLE_SYNC(w); /* the next look writes into the record's place */
    HEDDLE_COUNT(w, done, 1);
    if (traced)
        heddle_trace_end(w, begin, end, heddle_word(HEDDLE_FORM_RECORD, 0, (uint64_t)kind), kind, 0);
}

/* As heddle_next. */
static HEDDLE_INLINE int HEDDLE_P(next_polled)(struct heddle_worker *w, const struct HEDDLE_P(env) *env,
                                               struct heddle_ready *t) {
    const int helps = heddle_poller_help(w, t), traced = w->plan->trace != NULL;
    if (helps >= 0)
        return helps;
    for (;;) {
        const uint64_t ticket = heddle_ring_ticket(w);
        const struct heddle_completion_slot slot = heddle_completion_slot_of(w, ticket);
        const uint32_t kind = heddle_ring_await(w, ticket, HEDDLE_P(record_bytes));
        if (!kind) {
            heddle_poller_leave(w);
            return 0;
        }
        if (!HEDDLE_P(dispatched_inline)((int)kind - 1)) {
            heddle_poller_serve(w, ticket, (int)kind - 1, t);
            return 1;
        }
        HEDDLE_P(dispatch_inline)(w, env, slot, (int)kind - 1, traced);
    }
}
