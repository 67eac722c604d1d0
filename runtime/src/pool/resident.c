/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel that stays for tasks from the host: who brings it, and when it leaves.
 *
 * It leaves when there has been nothing to do for the pool's idle() time, when another kernel of ours asks for the
 * device, and when its turn is over: a driver's calls that wait for all that runs on a device (memory freed or
 * allocated, code loaded) would otherwise wait for as long as somebody sends, whoever makes them. A turn ends with its
 * length and the tasks that have been sent by then, at most a ring's; those sent later are the next turn's. Whoever
 * asked the driver before the kernel has left comes before it comes back: the driver has to do what it is asked in
 * turn.
 *
 * "Leave" is one message for each mailbox poller behind the last task, so no task falls between a kernel that leaves
 * and the next. tests/models/resident.pml proves that nobody waits for ever and no task is lost.
 */
#include "stream.h"
#include <stdlib.h>
#include <unistd.h>

static const uint64_t turn_ns = 4000000;

struct heddle__stream heddle__the_stream = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static uint64_t now_ns(void) { return (uint64_t)(heddle__now() * 1e9); }

/* ---- when it comes ---------------------------------------------------------------------------------------- */
/* With the lock held: returns once the kernel may be launched. */
static void take_turn(struct heddle__stream *s) {
    while (!s->wanted || s->waiting[s->device])
        pthread_cond_wait(&s->changed, &s->lock);
    s->wanted = s->owed = s->leaving = s->back = false;
    s->running = true;
    s->since = now_ns();
    s->run.ring_first = s->next_launch;
    s->run.ring_turn = s->turns++;
    __atomic_store_n(&s->run.pollers, 0, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&s->changed);
}

static void *launcher(void *unused) {
    struct heddle__stream *s = &heddle__the_stream;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        take_turn(s);
        pthread_mutex_unlock(&s->lock);
        const int error = heddle__pool_run_ring(&s->run);
        pthread_mutex_lock(&s->lock);
        heddle__ring_retire(s);
        s->running = false;
        if (error)
            s->failed = true;
        else
            s->workers = s->run.workers;
        s->wanted = !s->failed && (s->back || s->retired < s->submitted); /* tasks came while it left */
        pthread_cond_broadcast(&s->changed);
    }
    return unused;
}

/* ---- when it leaves --------------------------------------------------------------------------------------- */
static bool can_leave(const struct heddle__stream *s) { return s->running && !s->leaving && heddle__stream_pollers(s); }

/* With the lock held. The ring has room: a task leaves that for two such messages to each poller. */
static void leave(struct heddle__stream *s, bool back) {
    for (int k = 0, n = heddle__stream_pollers(s); k < n; k++) {
        const uint64_t ticket = s->submitted;
        heddle__ring_put(s, 0, NULL, 0);
        __atomic_store_n(&s->ring->done[ticket % HEDDLE_RING_SLOTS], ticket + 1, __ATOMIC_RELEASE);
    }
    heddle__ring_retire(s);
    s->leaving = true;
    s->back = back;
    s->next_launch = s->submitted;
}

void heddle__resident_check_turn(struct heddle__stream *s) {
    if (__atomic_load_n(&s->clock, __ATOMIC_RELAXED) > s->since + turn_ns && can_leave(s))
        leave(s, true);
}

/* With the lock held. Who sends tasks and waits for them does not look at the clock. */
static void look(struct heddle__stream *s, uint64_t *seen) {
    const double now = heddle__now();
    heddle__ring_retire(s);
    if (s->submitted != *seen || s->retired != *seen)
        s->last = now;
    if (can_leave(s) && s->retired == s->submitted && now - s->last > s->pool.idle)
        leave(s, false);
    heddle__resident_check_turn(s);
    *seen = s->submitted; /* that it has been told to leave is nothing to do */
}

static void *monitor(void *unused) {
    struct heddle__stream *s = &heddle__the_stream;
    double idle = 0;
    for (uint64_t seen = 0;;) {
        __atomic_store_n(&s->clock, now_ns(), __ATOMIC_RELAXED);
        if (!pthread_mutex_trylock(&s->lock)) {
            look(s, &seen);
            idle = s->pool.idle;
            pthread_mutex_unlock(&s->lock);
        }
        usleep(idle > 4e-3 ? 1000 : idle > 4e-4 ? (useconds_t)(idle * 2.5e5) : 100);
    }
    return unused;
}

bool heddle__resident_stop(struct heddle__stream *s, int device) {
    pthread_mutex_lock(&s->lock);
    s->waiting[device]++;
    for (double end = heddle__now() + heddle__option_seconds("timeout");
         s->running && s->device == device && heddle__now() < end;) {
        if (can_leave(s))
            leave(s, false);
        s->back = false;
        pthread_mutex_unlock(&s->lock);
        usleep(20);
        pthread_mutex_lock(&s->lock);
    }
    const bool stopped = !s->running || s->device != device;
    if (stopped && s->device == device)
        s->wanted = !s->failed && s->retired < s->submitted;
    s->waiting[device]--;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return stopped;
}

static void stop_at_exit(void) {
    if (!heddle__forked()) /* the kernel is the parent's */
        (void)heddle__resident_stop(&heddle__the_stream, heddle__the_stream.device);
}

void heddle__stream_yield(int device) {
    struct heddle__stream *s = &heddle__the_stream;
    pthread_mutex_lock(&s->lock);
    while (s->owed && s->wanted && s->device == device)
        pthread_cond_wait(&s->changed, &s->lock);
    s->waiting[device]++;
    const bool there = s->running && s->device == device;
    pthread_mutex_unlock(&s->lock);
    if (there)
        (void)heddle__resident_stop(s, device);
}

void heddle__stream_resume(int device) {
    struct heddle__stream *s = &heddle__the_stream;
    pthread_mutex_lock(&s->lock);
    s->waiting[device]--;
    s->owed = s->wanted && s->device == device;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

/* ---- threads ---------------------------------------------------------------------------------------------- */
static bool start(bool *there, void *(*run)(void *)) {
    pthread_t thread;
    if (*there)
        return true;
    if (pthread_create(&thread, NULL, run, NULL))
        return false;
    pthread_detach(thread);
    return *there = true;
}

bool heddle__resident_start(struct heddle__stream *s) {
    const bool first = !s->monitor;
    if (!start(&s->launcher, launcher) || !start(&s->monitor, monitor))
        return false;
    if (first)
        atexit(stop_at_exit);
    return true;
}
