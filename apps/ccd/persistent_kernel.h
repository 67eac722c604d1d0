/* SPDX-License-Identifier: Apache-2.0 */
/* What the threads of persistent.h's launch do. */
#ifndef CCD_PERSISTENT_KERNEL_H
#define CCD_PERSISTENT_KERNEL_H

#include "persistent_boxes.h"
#include "persistent_broad.h"
#include "persistent_narrow.h"

enum { POLLS = 1 << 23 /* seconds */ };

/* All threads of all blocks. What they wrote before, others read behind. */
CCD_INLINE void meet(const struct persistent_work *w, uint64_t query, int phase) {
    struct counters *c = w->counters;
    heddle_block_sync();
    if (heddle_thread() == 0) {
        const uint64_t expected = (query * PHASES + (uint64_t)phase + 1) * (uint64_t)heddle_blocks();
        heddle_add_acq_rel(&c->meeting.value, 1);
        for (uint32_t k = 0; heddle_load_acquire(&c->meeting.value) < expected; k++) {
            if (k == POLLS) /* not all blocks run at once */
                heddle_store_relaxed(&c->failed.value, 1);
            if (k % 1024 == 1023 && heddle_load_relaxed(&c->failed.value))
                break;
        }
        if (heddle_block() == 0)
            c->clock[phase + 1] = heddle_clock_ns();
    }
    heddle_block_sync();
}

/* By one thread, before others meet. */
CCD_INLINE void begin_query(const struct persistent_work *w) {
    struct counters *c = w->counters;
    c->pairs.value = c->tests.value = c->hard.value = 0;
    c->hits.value = c->doubts.value = c->cells.value = 0;
    struct work_queue *const queues[] = {&c->walks, &c->cells_queue};
    for (int k = 0; k < 2; k++)
        queues[k]->seeds.value = queues[k]->head.value = queues[k]->tail.value = queues[k]->pending.value = 0;
    c->clock[0] = heddle_clock_ns();
}

CCD_INLINE void persistent_thread(const struct persistent_work *w) {
    const uint32_t threads = (uint32_t)(heddle_blocks() * heddle_threads()),
                   thread = (uint32_t)(heddle_block() * heddle_threads() + heddle_thread());
    const uint64_t query = w->counters->query.value;
    const uint32_t epoch = 2 * (uint32_t)query + 2; /* one for each queue; flags begin with 0 */
    if (thread == 0)
        begin_query(w);
    phase_corners(w, thread, threads);
    meet(w, query, PHASE_CORNERS);
    phase_faces(w, thread, threads);
    meet(w, query, PHASE_FACES);
    phase_boxes(w, thread, threads);
    meet(w, query, PHASE_BOXES);
    phase_walks(w, epoch);
    meet(w, query, PHASE_WALKS);
    phase_pairs(w, thread, threads);
    meet(w, query, PHASE_PAIRS);
    phase_looks(w, thread, threads);
    meet(w, query, PHASE_LOOKS);
    phase_hard(w, epoch + 1, thread);
    meet(w, query, PHASE_HARD);
    if (thread == 0) {
        const struct counters *c = w->counters;
        *w->report = (struct report){c->failed.value, c->pairs.value,  c->tests.value, c->hard.value,
                                     c->hits.value,   c->doubts.value, c->cells.value};
        w->counters->query.value = query + 1;
    }
}

#endif
