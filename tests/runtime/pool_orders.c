/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each function by which workers of a pool's kernel hand something to each other, by itself: pool_orders.py reads from
 * the PTX which of its accesses are ordered. On x86 a relaxed access in place of one of them runs as well, and on a GPU
 * nearly always.
 */
#include <heddle/engine/pool/pool.h>

#define ALONE __attribute__((noinline, used))
#pragma omp begin declare target
ALONE void order_stop(struct heddle_pool_control *c, int error) { heddle_stop(c, error); }
ALONE void order_queue_put(struct heddle_worker *w, uint64_t word, uint32_t frame, const void *record, size_t bytes) {
    heddle_queue_put(w, 0, word, frame, record, bytes);
}
ALONE void order_queue_unpack(struct heddle_worker *w, char *slot, uint64_t word, uint64_t round,
                              struct heddle_ready *t) {
    heddle_queue_unpack(w, slot, word, round, t);
}
ALONE int order_queue_take(struct heddle_worker *w, char *slot, uint64_t round, struct heddle_ready *t) {
    return heddle_queue_take(w, slot, round, t);
}
ALONE uint64_t order_queue_await(struct heddle_worker *w, const uint64_t *word, uint64_t ticket, uint64_t generation) {
    return heddle_queue_await(w, word, ticket, generation);
}
ALONE int order_queue_wait(struct heddle_worker *w, struct heddle_ready *t) { return heddle_queue_wait(w, t); }
ALONE void order_lane_put(struct heddle_worker *w, int class, uint32_t count) { heddle_lane_put(w, class, count); }
ALONE int order_lane_wait(struct heddle_worker *w, int *class, uint32_t *mine) {
    return heddle_lane_wait(w, class, mine);
}
ALONE void order_lane_end(struct heddle_worker *w, const struct heddle_lane_run *r) { heddle_lane_end(w, *r); }
ALONE void order_lane_give_pack(struct heddle_worker *w) { heddle_lane_give_pack(w); }
ALONE int order_lane_take_pack(struct heddle_worker *w) { return heddle_lane_take_pack(w); }
ALONE void order_wake(struct heddle_worker *w) { heddle_wake(w); }
ALONE int order_own_put(struct heddle_worker *w, uint64_t word, uint32_t frame, const void *record, size_t bytes) {
    return heddle_own_put(w, word, frame, record, bytes);
}
ALONE int order_own_take(struct heddle_worker *w, uint64_t number, struct heddle_ready *t) {
    return heddle_own_take(w, number, t);
}
ALONE int order_all_idle(struct heddle_worker *w, uint64_t *start, uint64_t *seen, unsigned tries) {
    return heddle_all_idle(w, start, seen, tries);
}
ALONE int order_meet(uint32_t *counter, uint32_t wanted) { return heddle_meet(counter, wanted); }
ALONE uint64_t order_link_some(struct heddle_worker *w, struct heddle_depend_table *s, uint32_t maker,
                               uint32_t dependent, uint64_t k) {
    return heddle_link_some(w, s, maker, dependent, k);
}
ALONE void order_drop_dependent(struct heddle_worker *w, uint32_t number) { heddle_drop_dependent(w, number); }
ALONE void order_meet_dependence(struct heddle_worker *w, uint32_t number) { heddle_meet_dependence(w, number, NULL); }
ALONE void order_release_dependent(struct heddle_worker *w, uint32_t number) {
    heddle_release_dependent(w, number, NULL);
}
#pragma omp end declare target
