/* SPDX-License-Identifier: Apache-2.0 */
/* What the model of a nest's pipeline is told: how long a signal is on its way, and how long a step takes. */
#include "signals.h"
#include "device/threads.h"
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/* A signal's way where none was measured, and what only a machine with other work shows. */
static const double GUESS = 0.2e-6, BUSY = 20e-6;
enum { LAPS = 8, TEAM = 16 };

/* ---- signals ----------------------------------------------------------------------------------------------------- */
struct word {
    _Alignas(128) atomic_long value;
};

static void wait_until(const atomic_long *word, long goal) {
    for (unsigned polls = 1; atomic_load_explicit(word, memory_order_acquire) < goal; polls++) {
        heddle__spin_pause();
        if (polls % 1024 == 0) /* more threads than processors */
            sched_yield();
    }
}

/* The fastest of some laps around a team; others of the machine's programs slow down some of them. */
static double measure(struct word *word, int threads) {
    double best = 0;
#pragma omp parallel num_threads(threads)
    {
        const int me = omp_get_thread_num(), team = omp_get_num_threads();
        for (long lap = 1; lap <= LAPS; lap++) {
            const double start = heddle__now();
            if (me)
                wait_until(&word[me - 1].value, lap);
            atomic_store_explicit(&word[me].value, lap, memory_order_release);
            if (me || team == 1)
                continue;
            wait_until(&word[team - 1].value, lap);
            const double way = (heddle__now() - start) / team;
            if (lap == 1 || way < best)
                best = way;
        }
    }
    return best;
}

double heddle__signal_seconds(int threads) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static double known;
    static struct word word[TEAM];
    pthread_mutex_lock(&lock);
    if (known <= 0 && threads <= omp_get_num_procs())
        known = measure(word, threads < TEAM ? threads : TEAM);
    if (known <= 0 || known > BUSY)
        known = GUESS;
    const double seconds = known;
    pthread_mutex_unlock(&lock);
    return seconds;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */
enum { STEPS = 256 };
static struct {
    const struct heddle_nest *nest;
    int isa;
    double seconds;
} steps[STEPS];
static pthread_mutex_t steps_lock = PTHREAD_MUTEX_INITIALIZER;

static int place(const struct heddle_nest *nest, int isa) {
    return (int)(((uintptr_t)nest / sizeof *nest * 8 + (unsigned)isa) % STEPS);
}

double heddle__step_seconds(const struct heddle_nest *nest, int isa) {
    const int k = place(nest, isa);
    pthread_mutex_lock(&steps_lock);
    const double seconds = steps[k].nest == nest && steps[k].isa == isa ? steps[k].seconds : 0;
    pthread_mutex_unlock(&steps_lock);
    return seconds;
}

void heddle__step_note(const struct heddle_nest *nest, int isa, double seconds) {
    const int k = place(nest, isa);
    pthread_mutex_lock(&steps_lock);
    const bool same = steps[k].nest == nest && steps[k].isa == isa;
    if (!same || seconds < steps[k].seconds) {
        steps[k].nest = nest;
        steps[k].isa = isa;
        steps[k].seconds = seconds;
    }
    pthread_mutex_unlock(&steps_lock);
}
