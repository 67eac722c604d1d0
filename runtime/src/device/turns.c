/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops and jobs of several host threads at once. Each has all of its threads, and no more of them compute than one
 * call would have: while there are several calls, a thread takes a turn for some pieces of its work, in the order in
 * which they ask. So a call gets the whole machine as soon as others are done, and waits for a while of theirs until
 * then: a turn that ended with each piece would cost a sleeping thread's start each time. A call that is alone counts
 * nothing. GPUs are shared by the driver: each call has streams and memory of its own.
 */
#include "turns.h"
#include <errno.h>
#include <stdalign.h>
#include <time.h>

/* A thread keeps its turn for so many seconds where others wait: many times what it takes to start one. */
static const double WHILE = 0.5e-3;
enum { PATIENCE = 100000000 /* ns: pieces that wait for each other, by the program's own doing, go on */ };

struct waiting {
    struct waiting *next;
    pthread_cond_t called;
    bool go;
};

/* What each thread looks at for each piece is on a line that nobody writes to while a call is alone. */
enum { LINE = 128 };
HEDDLE__AT_HAND alignas(LINE) static atomic_uint taken;  /* bit set of seats */
HEDDLE__AT_HAND alignas(LINE) static atomic_bool shared; /* ... of which there are several; under the lock */
HEDDLE__AT_HAND static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct waiting *first, **last = &first; /* in the order in which they came; under the lock, as all below */
HEDDLE__AT_HAND static int running, most;
static atomic_int waiting;         /* threads */
static _Thread_local int inside;   /* pieces that this thread is in */
static _Thread_local double since; /* heddle__now(): its turn began */

/* Under the lock. */
static void call_next(void) {
    while (first && running < most) {
        struct waiting *next = first;
        first = next->next;
        last = first ? last : &first;
        next->go = true;
        running++;
        pthread_cond_signal(&next->called);
    }
}

/* Under the lock. */
static void look_at_seats(void) {
    const unsigned set = atomic_load_explicit(&taken, memory_order_relaxed);
    atomic_store_explicit(&shared, set & (set - 1), memory_order_relaxed);
}

int heddle__seat_take(void) {
    unsigned set = atomic_load_explicit(&taken, memory_order_relaxed);
    if (inside) /* a loop in another one's body */
        return -1;
    for (;;) {
        const unsigned left = ~set & ((1u << HEDDLE__SEATS) - 1);
        if (!left)
            return -1;
        const int seat = __builtin_ctz(left);
        /* what the last one to sit here has left on devices is seen */
        if (!atomic_compare_exchange_weak_explicit(&taken, &set, set | 1u << seat, memory_order_acq_rel,
                                                   memory_order_relaxed))
            continue;
        if (!set)
            return seat;
        const int threads = heddle__host_threads();
        pthread_mutex_lock(&lock);
        look_at_seats();
        most = running ? (threads > most ? threads : most) : threads;
        call_next();
        pthread_mutex_unlock(&lock);
        return seat;
    }
}

void heddle__seat_leave(int seat) {
    if (atomic_fetch_and_explicit(&taken, ~(1u << seat), memory_order_acq_rel) == 1u << seat)
        return;
    pthread_mutex_lock(&lock);
    look_at_seats();
    pthread_mutex_unlock(&lock);
}

bool heddle__seats_shared(void) { return atomic_load_explicit(&shared, memory_order_relaxed); }

/* Until it is called, or out of patience. Under the lock. */
static void wait_for_turn(void) {
    struct waiting me = {.called = PTHREAD_COND_INITIALIZER};
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PATIENCE;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    *last = &me;
    last = &me.next;
    atomic_fetch_add_explicit(&waiting, 1, memory_order_relaxed);
    while (!me.go && pthread_cond_timedwait(&me.called, &lock, &until) != ETIMEDOUT)
        ;
    if (!me.go) {
        struct waiting **at = &first;
        while (*at != &me)
            at = &(*at)->next;
        *at = me.next;
        last = last == &me.next ? at : last;
        running++;
    }
    atomic_fetch_sub_explicit(&waiting, 1, memory_order_relaxed);
    pthread_cond_destroy(&me.called);
}

/* Under the lock. */
static void take_turn(void) {
    if (running < most && !first)
        running++;
    else
        wait_for_turn();
    since = heddle__now();
}

bool heddle__turn_begin(void) {
    inside++;
    if (!heddle__seats_shared())
        return false;
    pthread_mutex_lock(&lock);
    take_turn();
    pthread_mutex_unlock(&lock);
    return true;
}

bool heddle__turn_go_on(bool counted) {
    if (counted ? !atomic_load_explicit(&waiting, memory_order_relaxed) || heddle__now() - since < WHILE
                : !heddle__seats_shared())
        return counted;
    pthread_mutex_lock(&lock);
    running -= counted;
    call_next();
    take_turn();
    pthread_mutex_unlock(&lock);
    return true;
}

/* The place of whoever ends is the next one's. */
void heddle__turn_end(bool counted) {
    inside--;
    if (!counted)
        return;
    pthread_mutex_lock(&lock);
    running--;
    call_next();
    pthread_mutex_unlock(&lock);
}
