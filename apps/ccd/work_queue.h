/* SPDX-License-Identifier: Apache-2.0 */
/* Work for the lanes of one launch: seeds, by number, and what lanes give away where others have nothing to do. Lanes
 * of a warp stay together: each turn all of them take a step of their own work, and those that are done take more. */
#ifndef CCD_WORK_QUEUE_H
#define CCD_WORK_QUEUE_H

#include "persistent.h"
#include "narrow.h"

#include <heddle/engine/device.h>

#ifndef CCD_GIVES_ALWAYS /* tests, whose devices have one lane */
#define CCD_GIVES_ALWAYS 0
#endif
#define NO_TICKET UINT64_MAX

/* Lanes of a warp that wait until seeds are taken; turns until lanes that wait look again, or work is given away, and
 * that it has to have taken; cells that are given at once; how often warps that wait ask whether all is done; turns
 * until a test's lanes tell each other what they know; lanes of a warp that wait for other warps' cells, while the rest
 * takes from each other. All warps ask the same words of memory, which answers one by one. */
enum {
    REFILL = 16,
    LOOK_AROUND = 8,
    GIVE_EVERY = 4,
    GIVE_AFTER = 1,
    CELLS = 2,
    ASK_EVERY = 4,
    REPORT_EVERY = 32,
    TICKETS = 4
};

CCD_INLINE uint32_t own_lane(void) { return (uint32_t)heddle_thread() % HEDDLE_WARP; }
CCD_INLINE uint32_t lanes_of(heddle_mask mask) { return (uint32_t)__builtin_popcountll(mask); }
CCD_INLINE uint32_t lanes_below(heddle_mask mask) { return lanes_of(mask & (((heddle_mask)1 << own_lane()) - 1)); }
CCD_INLINE uint64_t from_lane(uint64_t v, int lane) {
    return (uint64_t)heddle_shuffle_word((uint32_t)(v >> 32), lane) << 32 | heddle_shuffle_word((uint32_t)v, lane);
}

/* By all lanes of the warp at once: `some` of each, by one atomic. Whoever asks before it has other work to do does not
 * wait for the answer. */
struct claimed {
    uint64_t base; /* lane 0's */
    uint32_t before;
};
CCD_INLINE struct claimed ask_for(struct counter *counter, uint32_t some) {
    uint32_t sum = some;
    for (int by = 1; by < HEDDLE_WARP; by *= 2) {
        const uint32_t other = heddle_shuffle_up_by_word(sum, by);
        sum += own_lane() >= (uint32_t)by ? other : 0;
    }
    const uint32_t all = heddle_shuffle_word(sum, HEDDLE_WARP - 1);
    struct claimed claimed = {0, sum - some};
    if (all && own_lane() == 0)
        claimed.base = heddle_add_relaxed(&counter->value, all);
    return claimed;
}
/* Where a lane's begin. */
CCD_INLINE uint64_t answer_of(const struct claimed *claimed) { return from_lane(claimed->base, 0) + claimed->before; }
CCD_INLINE uint64_t claim_some(struct counter *counter, uint32_t some) {
    const struct claimed claimed = ask_for(counter, some);
    return answer_of(&claimed);
}
/* One for each lane that wants it. */
CCD_INLINE uint64_t claim(struct counter *counter, bool want) {
    const heddle_mask mask = heddle_ballot(want);
    uint64_t base = 0;
    if (mask && own_lane() == 0)
        base = heddle_add_relaxed(&counter->value, lanes_of(mask));
    return from_lane(base, 0) + lanes_below(mask);
}

/* What a lane has besides its work. */
struct taker {
    uint64_t ticket;
    uint64_t ended; /* seeds and parts, less those that other lanes of the warp got; nobody was told yet */
    bool dry;       /* no seeds are left */
    uint32_t waits; /* turns in which the whole warp waited */
    uint32_t flag;  /* of the ticket, as it was a turn ago */
    uint64_t head, tail;
};
enum taken { NOTHING, SEED, PART, OVER };

/* By a warp that waits: tells what has ended, and asks whether all has. */
CCD_INLINE bool all_done(struct work_queue *q, uint64_t seeds, struct taker *t) {
    uint32_t ended = (uint32_t)t->ended; /* of the warp: one lane's may be negative */
    for (int by = 1; by < HEDDLE_WARP; by *= 2)
        ended += heddle_shuffle_xor_word(ended, by);
    if (ended && own_lane() == 0)
        heddle_add_acq_rel(&q->pending.value, 0 - (uint64_t)ended);
    t->ended = 0;
    if (t->waits++ % ASK_EVERY)
        return false;
    uint64_t left = 0;
    if (own_lane() == 0)
        left = heddle_load_relaxed(&q->pending.value);
    return !(from_lane(left, 0) + seeds);
}

/* By all lanes; those that are not busy take, `most` of what others give. `number`: of a seed, or of what was given. */
CCD_INLINE enum taken take(struct work_queue *q, const struct persistent_work *w, uint32_t epoch, uint64_t seeds,
                           uint32_t most, bool busy, struct taker *t, uint64_t *number) {
    enum taken taken = NOTHING;
    if (!t->dry) {
        const uint64_t seed = claim(&q->seeds, !busy);
        taken = !busy && seed < seeds ? SEED : NOTHING;
        *number = taken == SEED ? seed : *number;
        t->dry = heddle_any(!busy && seed >= seeds);
    }
    if (t->dry) {
        const bool wants = !busy && taken == NOTHING;
        const heddle_mask without = heddle_ballot(wants && t->ticket == NO_TICKET);
        const uint32_t held = lanes_of(heddle_ballot(t->ticket != NO_TICKET));
        const bool asks = wants && t->ticket == NO_TICKET && held + lanes_below(without) < most;
        const uint64_t ticket = claim(&q->head, asks);
        t->ticket = asks ? ticket : t->ticket;
        if (wants && t->ticket < w->given_room && heddle_load32_acquire(&w->flags[t->ticket]) == epoch) {
            taken = PART;
            *number = t->ticket;
            t->ticket = NO_TICKET;
        }
        if (!heddle_any(busy || taken != NOTHING)) {
            if (all_done(q, seeds, t))
                return OVER;
            heddle_pause(100);
        }
    }
    return taken;
}

/* Asks what the turn's end needs to know: answers come while the lanes work. A warp whose lanes all have long work
 * takes nothing: it has to ask whether others wait. */
CCD_INLINE void look_ahead(const struct work_queue *q, const struct persistent_work *w, uint64_t seeds, bool busy,
                           uint32_t turn, struct taker *t) {
    t->flag = 0;
    if (!t->dry && turn % LOOK_AROUND == 1) {
        uint64_t taken = 0;
        if (own_lane() == 0)
            taken = heddle_load_relaxed(&q->seeds.value);
        t->dry = from_lane(taken, 0) >= seeds;
    }
    if (t->dry && !busy && t->ticket < w->given_room)
        t->flag = heddle_load32_relaxed(&w->flags[t->ticket]);
    if (t->dry && turn % GIVE_EVERY == 0 && own_lane() == 0) {
        t->head = heddle_load_relaxed(&q->head.value);
        t->tail = heddle_load_relaxed(&q->tail.value);
    }
}

/* Lanes that wait cost those that do not. */
CCD_INLINE bool time_to_take(const struct taker *t, uint32_t epoch, heddle_mask idle, uint32_t turn) {
    if (lanes_of(idle) == HEDDLE_WARP || turn % LOOK_AROUND == 0)
        return true;
    return t->dry ? heddle_any(t->flag == epoch) : lanes_of(idle) >= REFILL;
}

/* Whether lanes wait for what others give. */
CCD_INLINE bool hungry(const struct taker *t) { return CCD_GIVES_ALWAYS || from_lane(t->tail < t->head, 0); }

/* `some` of each lane. Where a lane's begin; what has no room is taken back. */
CCD_INLINE uint64_t offer(struct work_queue *q, const struct persistent_work *w, uint32_t some, uint32_t *fit,
                          struct taker *t) {
    claim_some(&q->pending, some);
    const uint64_t at = claim_some(&q->tail, some);
    *fit = at >= w->given_room ? 0 : some < w->given_room - at ? some : (uint32_t)(w->given_room - at);
    t->ended += some - *fit;
    return at;
}

#endif
