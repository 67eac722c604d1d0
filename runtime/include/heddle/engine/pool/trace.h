/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a worker of a pool's kernel records of each task that it ran. Read after the run by runtime/src/pool/trace.c.
 */
HEDDLE_DEVICE uint64_t heddle_trace_time(const struct heddle_worker *w) {
    return w->plan->trace ? heddle_clock_ns() : 0;
}
/* A block at a time, so that workers do not meet at the counter. */
HEDDLE_DEVICE void heddle_trace_end(struct heddle_worker *w, uint64_t begin, uint64_t end, uint64_t word, int kind,
                                    int part) {
    struct heddle_pool_control *c = w->pool;
    if (!w->plan->trace || !HEDDLE_FIRST(w))
        return;
    struct heddle_worker_counters *n = HEDDLE_WORKER_COUNTERS(w);
    if (n->trace_at == n->trace_end && !n->trace_lost) {
        n->trace_at = heddle_add_relaxed(&c->trace_count, HEDDLE_TRACE_BLOCK);
        n->trace_end = n->trace_at + HEDDLE_TRACE_BLOCK <= w->plan->trace_capacity ? n->trace_at + HEDDLE_TRACE_BLOCK
                                                                                   : n->trace_at;
    }
    if (n->trace_at == n->trace_end) {
        n->trace_lost++;
        return;
    }
    w->plan->trace[n->trace_at++] = (struct heddle_trace_event){.begin = begin,
                                                                .end = end,
                                                                .task = word,
                                                                .worker = w->number,
                                                                .multiprocessor = (uint32_t)heddle_multiprocessor(),
                                                                .kind = (uint32_t)kind,
                                                                .part = (uint32_t)part};
}
HEDDLE_DEVICE void heddle_trace_leave(struct heddle_worker *w) {
    struct heddle_worker_counters *n = HEDDLE_WORKER_COUNTERS(w);
    for (; w->plan->trace && n->trace_at < n->trace_end; n->trace_at++)
        w->plan->trace[n->trace_at].end = 0;
    if (n->trace_lost)
        heddle_add_relaxed(&w->pool->trace_lost, n->trace_lost);
}
