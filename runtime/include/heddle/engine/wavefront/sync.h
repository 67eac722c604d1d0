/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tickets and progress words of wavefront kernels. Every wait is bounded: a worker that sees no progress for
 * the control record's timeout gives up and says in the record which row block it is; its progress word (tile
 * kernels) or the record's error word (register kernels) then releases whoever waits for it.
 */
#ifndef HEDDLE_WAVEFRONT_SYNC_H
#define HEDDLE_WAVEFRONT_SYNC_H
#include <heddle/engine/device.h>
#include <heddle/engine/wavefront/call.h>

/* Columns that a warp takes in at once, one per lane, and the step of such a chunk in which it asks for the next. */
enum { HEDDLE_GPU_CHUNK = HEDDLE_WARP, HEDDLE_GPU_FETCH = HEDDLE_WARP * 5 / 8 };

/* One lane's 64-bit value for the whole warp. */
HEDDLE_DEVICE uint64_t heddle_broadcast(uint64_t v) {
    return heddle_shuffle_word((uint32_t)v, 0) | (uint64_t)heddle_shuffle_word((uint32_t)(v >> 32), 0) << 32;
}

HEDDLE_DEVICE long heddle_take_ticket(uint64_t *ticket) {
    uint64_t t = 0;
    if ((heddle_thread() & (HEDDLE_WARP - 1)) == 0)
        t = heddle_add_relaxed(ticket, 1);
    return (long)heddle_broadcast(t);
}

/* Called by one thread, after a warp or block barrier that follows the writes. done < 0: given up. */
HEDDLE_DEVICE void heddle_publish(uint64_t *progress, long block, long done) {
    const uint64_t value = done < 0 ? HEDDLE_GAVE_UP : (uint64_t)done;
    heddle_store_release(progress, (uint64_t)block << HEDDLE_ROW_SHIFT | value);
}

/* One thread: spins until row block `block` has done `need`, returns how much it has done, or -1. */
HEDDLE_DEVICE long heddle_spin(const struct heddle_gpu_control *c, const uint64_t *progress, long block, long need) {
    const uint64_t goal = (uint64_t)block << HEDDLE_ROW_SHIFT | (uint64_t)need;
    uint64_t start = 0, seen = 0;
    for (unsigned polls = 0;; polls++) {
        const uint64_t v = heddle_load_acquire(progress);
        if (v >= goal)
            return (v & HEDDLE_GAVE_UP) == HEDDLE_GAVE_UP ? -1 : (long)(v & HEDDLE_GAVE_UP);
        if ((polls & 255) == 255) {
            const uint64_t now = heddle_clock_ns();
            if (v != seen || !start)
                start = now, seen = v;
            if (now - start > c->timeout_ns)
                return -1;
        }
    }
}

HEDDLE_DEVICE void heddle_report(struct heddle_gpu_control *control, long block) {
    if ((heddle_thread() & (HEDDLE_WARP - 1)) == 0)
        heddle_store_release(&control->error, (uint64_t)block + 1);
}

/* The same to all devices of the wavefront, whose workers then give up as well. */
HEDDLE_DEVICE void heddle_report_all(struct heddle_gpu_control *control, const struct heddle_gpu_control *c,
                                     long block) {
    heddle_report(control, block);
    for (long d = 0; c->devices > 1 && d < c->devices; d++)
        if ((heddle_thread() & (HEDDLE_WARP - 1)) == 0)
            heddle_store_system(control->peer[d].error, (uint64_t)block + 1);
}
#endif
