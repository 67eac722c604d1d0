/* SPDX-License-Identifier: Apache-2.0 */
/* How a unit without a task waits for one. */
#include "run.h"
#include <time.h>

static const double SPIN = 20e-6; /* ... for which a unit without a task looks for one before it sleeps */

bool heddle__graph_told(const struct heddle__graph_unit *u) {
    return __atomic_load_n(&u->given, __ATOMIC_ACQUIRE) != NONE || u->engine->over ||
           (u->caller && !u->engine->unfinished);
}

/* Without the lock for a moment: a task comes soon, or not. */
void heddle__graph_look_around(struct heddle__graph_unit *u) {
    struct heddle__graph_engine *e = u->engine;
    const double until = heddle__now() + SPIN;
    pthread_mutex_unlock(&e->lock);
    while (__atomic_load_n(&u->given, __ATOMIC_RELAXED) == NONE && !__atomic_load_n(&e->over, __ATOMIC_RELAXED) &&
           !(u->caller && !__atomic_load_n(&e->unfinished, __ATOMIC_RELAXED)) && heddle__now() < until)
        for (int k = 0; k < 16; k++)
            heddle__spin_pause();
    pthread_mutex_lock(&e->lock);
}

void heddle__graph_sleep(struct heddle__graph_unit *u, double seconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)seconds;
    until.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    u->sleeps = true;
    if (seconds > 0)
        pthread_cond_timedwait(&u->wake, &u->engine->lock, &until);
    else
        pthread_cond_wait(&u->wake, &u->engine->lock);
    u->sleeps = false;
}
