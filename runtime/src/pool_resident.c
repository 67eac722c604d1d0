/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel that stays for tasks from the host: who brings it, and when it leaves. */
#include "pool_stream.h"
#include <stdlib.h>
#include <unistd.h>

struct heddle__stream heddle__the_stream = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *launcher(void *unused)
{
    struct heddle__stream *s = &heddle__the_stream;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (!s->wanted)
            pthread_cond_wait(&s->changed, &s->lock);
        s->wanted = false;
        s->run.ring_first = s->next_launch;
        pthread_mutex_unlock(&s->lock);
        heddle__own_nest++;
        const int error = heddle__pool_ring(&s->run);
        heddle__own_nest--;
        pthread_mutex_lock(&s->lock);
        s->running = s->leaving = false;
        s->failed |= error != HEDDLE_OK;
        heddle__ring_retire(s);
        if (!s->failed && s->retired < s->submitted) /* tasks came while it left */
            s->running = s->wanted = true;
        pthread_cond_broadcast(&s->changed);
    }
    return unused;
}

/* With the lock held and nothing under way: one "leave" for each doorman. */
static void send_leave(struct heddle__stream *s)
{
    for (int k = 0, n = heddle__stream_doormen(s); k < n; k++) {
        const uint64_t ticket = s->submitted;
        heddle__ring_put(s, 0, NULL, 0);
        __atomic_store_n(&s->ring->done[ticket % HEDDLE_RING_SLOTS], ticket + 1, __ATOMIC_RELEASE);
    }
    heddle__ring_retire(s);
    s->leaving = true;
    s->next_launch = s->submitted;
}

static void *monitor(void *unused)
{
    struct heddle__stream *s = &heddle__the_stream;
    for (uint64_t seen = 0;;) {
        pthread_mutex_lock(&s->lock);
        const double idle = s->pool.idle, now = heddle__now();
        heddle__ring_retire(s);
        if (s->submitted != seen || s->retired != seen) { /* who sends tasks and waits for them does not look at the clock */
            s->last = now;
            seen = s->submitted;
        }
        if (s->running && !s->leaving && !s->wanted && heddle__stream_doormen(s) && s->retired == s->submitted && now - s->last > idle)
            send_leave(s);
        pthread_mutex_unlock(&s->lock);
        usleep(idle > 4e-3 ? 1000 : idle > 4e-4 ? (useconds_t)(idle * 2.5e5) : 100);
    }
    return unused;
}

bool heddle__resident_stop(struct heddle__stream *s)
{
    pthread_mutex_lock(&s->lock);
    s->leavers++;
    for (double end = heddle__now() + heddle__option_seconds("timeout"); s->running && heddle__now() < end;) {
        heddle__ring_retire(s);
        if (!s->leaving && !s->wanted && heddle__stream_doormen(s) && s->retired == s->submitted)
            send_leave(s);
        pthread_mutex_unlock(&s->lock);
        usleep(20);
        pthread_mutex_lock(&s->lock);
    }
    const bool stopped = !s->running;
    s->leavers--;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return stopped;
}

void heddle__stream_stop(struct heddle__stream *s) { (void)heddle__resident_stop(s); }
static void stop_at_exit(void) { (void)heddle__resident_stop(&heddle__the_stream); }

/* Another kernel is to run: this one must not keep the device, and not come back before heddle__stream_resume, since the
   other one might find no room beside it as long as tasks are sent. */
bool heddle__stream_yield(int device)
{
    pthread_mutex_lock(&heddle__the_stream.lock);
    const bool there = heddle__the_stream.running && heddle__the_stream.device == device;
    heddle__the_stream.leavers += there;
    pthread_mutex_unlock(&heddle__the_stream.lock);
    if (there)
        (void)heddle__resident_stop(&heddle__the_stream);
    return there;
}

void heddle__stream_resume(bool yielded)
{
    pthread_mutex_lock(&heddle__the_stream.lock);
    heddle__the_stream.leavers -= yielded;
    pthread_cond_broadcast(&heddle__the_stream.changed);
    pthread_mutex_unlock(&heddle__the_stream.lock);
}

static bool start(bool *there, void *(*run)(void *))
{
    pthread_t thread;
    if (*there)
        return true;
    if (pthread_create(&thread, NULL, run, NULL))
        return false;
    pthread_detach(thread);
    return *there = true;
}

bool heddle__resident_start(struct heddle__stream *s)
{
    const bool first = !s->monitor;
    if (!start(&s->launcher, launcher) || !start(&s->monitor, monitor))
        return false;
    if (first)
        atexit(stop_at_exit);
    return true;
}
