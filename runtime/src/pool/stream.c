/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks that the host hands to a kernel while it runs. The host writes a task into a ring in its own memory, which the
 * device reads, and sees in the same memory that it is done; nothing is launched for it. When there has been nothing
 * to do for the pool's idle() time the host sends "leave" to each mailbox poller; the next task brings the kernel back.
 *
 * There is one stream, for one kind of pool and one environment at a time; another pool makes the kernel leave first.
 * A killed program takes the kernel with it: the driver destroys its context.
 */
#include "stream.h"
#include <omp.h>
#include <sched.h>
#include <stdlib.h>

static bool same_kernel(const struct heddle__stream *s, const struct heddle_pool *pool, int device, const char *env) {
    return s->kernel.type == pool->type && s->device == device && s->env && !memcmp(s->env, env, pool->type->env_bytes);
}

/* A kernel with this environment; an older one has left. With the lock held. */
static bool set_up(struct heddle__stream *s, struct heddle_pool *pool, int device, char *env) {
    if (!s->ring || s->device != device) {
        const bool cuda = heddle__architecture(&pool->type->site, device) == HEDDLE_ARCH_GPU;
        s->ring = cuda ? heddle__device_pinned(device, sizeof *s->ring) : aligned_alloc(128, sizeof *s->ring);
        if (!s->ring) {
            free(env);
            return false;
        }
        memset(s->ring, 0, sizeof *s->ring);
        s->submitted = s->retired = s->next_launch = 0;
    }
    free(s->env);
    s->env = env;
    s->device = device;
    s->segment = (struct heddle__segment){.nodes_job = -1};
    s->kernel = *pool;
    s->kernel.maps = NULL;
    s->kernel.nmaps = 0;
    s->workers = 0;
    s->turns = 0;
    s->run = (struct heddle__run){.pool = &s->kernel,
                                  .segment = &s->segment,
                                  .schedule = HEDDLE_POOL_DYNAMIC,
                                  .device = device,
                                  .ring = s->ring,
                                  .device_env = s->env,
                                  .ring_system = !memcmp(env, pool->env, pool->type->env_bytes)};
    if (heddle__resident_start(s))
        return true;
    free(s->env); /* the next block must not take it for a kernel's */
    s->env = NULL;
    return false;
}

/* There is one stream, for one block at a time. */
static bool claim(struct heddle__stream *s) {
    pthread_mutex_lock(&s->lock);
    const bool mine = !s->open && !s->failed;
    if (mine)
        s->open = true;
    pthread_mutex_unlock(&s->lock);
    return mine;
}

static void let_go(struct heddle__stream *s) {
    pthread_mutex_lock(&s->lock);
    s->pool.maps = NULL;
    s->pool.nmaps = 0;
    s->open = false;
    pthread_mutex_unlock(&s->lock);
}

/* The environment as the device sees it; NULL: no memory there, or here. */
static char *enter_maps(struct heddle__stream *s, struct heddle_pool *pool, int device) {
    char *env = malloc(pool->type->env_bytes + 1);
    if (!env)
        return NULL;
    memcpy(env, pool->env, pool->type->env_bytes);
    for (int k = 0; k < pool->nmaps; k++)
        s->own_map[k] = !heddle__maps_kept(&pool->maps[k], device);
    if (heddle__maps_enter(pool->maps, pool->nmaps, device, env)) {
        free(env);
        return NULL;
    }
    return env;
}

struct heddle__stream *heddle__stream_open(struct heddle_pool *pool, int device) {
    struct heddle__stream *s = &heddle__the_stream;
    if (pool->nmaps > 64 || pool->type->record_bytes > HEDDLE_RING_RECORD || !heddle__device(device) || !claim(s))
        return NULL;
    char *env = enter_maps(s, pool, device);
    if (!env) {
        let_go(s);
        return NULL;
    }
    const bool same = same_kernel(s, pool, device, env);
    bool ok = same || heddle__resident_stop(s, s->device);
    pthread_mutex_lock(&s->lock);
    if (same || !ok)
        free(env);
    else
        ok = set_up(s, pool, device, env);
    if (ok) {
        s->pool = *pool;
        s->first_turn = s->turns;
    }
    pthread_mutex_unlock(&s->lock);
    if (!ok) {
        heddle__maps_exit(pool->maps, pool->nmaps, device, false);
        let_go(s);
        return NULL;
    }
    s->start = heddle__now();
    s->tasks = 0;
    return s;
}

/* Nobody else touches the tasks once the kernel has failed. Arrays that it has worked on come back first; if it has
   never run, nothing on the device has changed and the host's are what they were. */
static void rescue(struct heddle__stream *s) {
    uint64_t ticket = s->retired;
    if (s->rescued)
        return;
    s->rescued = true;
    heddle__warn(&s->pool.type->site, "device %d: the kernel for tasks from the host failed; running them on the host",
                 s->device);
    for (int k = 0; k < s->pool.nmaps && s->workers; k++)
        if (!s->own_map[k] || (s->pool.maps[k].kind & HEDDLE_MAP_FROM))
            heddle__maps_fetch(&s->pool.maps[k], s->device);
    for (; ticket < s->submitted; ticket++) {
        const uint64_t *slot = s->ring->slot[ticket % HEDDLE_RING_SLOTS];
        uint32_t data[HEDDLE_RING_WORDS];
        for (int q = 0; q < HEDDLE_RING_WORDS; q++)
            data[q] = (uint32_t)slot[q];
        if (data[0] && heddle__ring_load(&s->ring->done[ticket % HEDDLE_RING_SLOTS]) != ticket + 1)
            heddle__pool_run_now(&s->pool, (int)data[0] - 1, data + 1, s->pool.type->record_bytes, NULL);
    }
}

/* With the lock held, which it lets go meanwhile: the oldest task's word is looked at for a while. */
static void await_room(struct heddle__stream *s) {
    const uint64_t tag = s->retired + 1, *word = &s->ring->done[s->retired % HEDDLE_RING_SLOTS];
    int polls = 0;
    heddle__resident_check_turn(s);
    if (!s->running) { /* others have the device */
        pthread_cond_wait(&s->changed, &s->lock);
        return;
    }
    pthread_mutex_unlock(&s->lock);
    for (; polls < 1000 && heddle__ring_load(word) != tag; polls++)
        heddle__spin_pause();
    if (polls == 1000)
        sched_yield();
    pthread_mutex_lock(&s->lock);
}

static bool has_room(struct heddle__stream *s) {
    heddle__ring_retire(s);
    return s->submitted - s->retired < HEDDLE_RING_SLOTS - 2 * HEDDLE_POLLERS;
}

void heddle__stream_put(struct heddle__stream *s, int kind, const void *record, size_t bytes) {
    pthread_mutex_lock(&s->lock);
    while (!s->failed && !has_room(s))
        await_room(s);
    s->tasks++;
    if (s->failed) {
        pthread_mutex_unlock(&s->lock);
        rescue(s);
        heddle__pool_run_now(&s->pool, kind, record, bytes, NULL);
        return;
    }
    heddle__ring_put(s, (uint32_t)kind + 1, record, bytes);
    if (!s->running && !s->wanted) {
        s->wanted = true;
        pthread_cond_broadcast(&s->changed);
    }
    heddle__resident_check_turn(s);
    pthread_mutex_unlock(&s->lock);
}

/* The last task's word is looked at without the lock for a while. */
static void spin(struct heddle__stream *s) {
    pthread_mutex_lock(&s->lock);
    const uint64_t last = s->submitted;
    pthread_mutex_unlock(&s->lock);
    const uint64_t *word = last ? &s->ring->done[(last - 1) % HEDDLE_RING_SLOTS] : NULL;
    for (int polls = 0; word && polls < 20000 && heddle__ring_load(word) != last; polls++)
        if (polls > 10000)
            heddle__spin_pause();
}

void heddle__stream_stop(struct heddle__stream *s) { (void)heddle__resident_stop(s, s->device); }

/* Whether they are all done on the device. */
static bool all_done(struct heddle__stream *s) {
    bool failed = false;
    spin(s);
    for (unsigned polls = 1;; polls++) {
        pthread_mutex_lock(&s->lock);
        heddle__ring_retire(s);
        heddle__resident_check_turn(s);
        failed = s->failed;
        const bool done = s->retired == s->submitted;
        pthread_mutex_unlock(&s->lock);
        if (done || failed)
            return !failed;
        if (polls > 64) /* a device that is a thread of this machine may need the core */
            sched_yield();
    }
}

void heddle__stream_wait(struct heddle__stream *s) {
    if (!all_done(s)) { /* arrays that the program holds on the device are to be there what they are here */
        rescue(s);
        heddle__maps_push(s->pool.maps, s->pool.nmaps, s->device);
        return;
    }
    for (int k = 0; k < s->pool.nmaps; k++)
        if (s->own_map[k] && (s->pool.maps[k].kind & HEDDLE_MAP_FROM))
            heddle__maps_fetch(&s->pool.maps[k], s->device);
}

void heddle__stream_close(struct heddle__stream *s) {
    struct heddle_report *report = heddle__report();
    const double seconds = heddle__now() - s->start;
    for (int k = 0; k < s->pool.nmaps; k++)
        if (s->own_map[k]) { /* freeing device memory waits for every kernel, so this one must not stay */
            heddle__stream_stop(s);
            break;
        }
    heddle__maps_exit(s->pool.maps, s->pool.nmaps, s->device, false);
    pthread_mutex_lock(&s->lock);
    const bool failed = s->failed;
    const int workers = heddle__stream_pollers(s) ? s->run.workers : s->workers;
    const unsigned turns = s->turns - s->first_turn;
    pthread_mutex_unlock(&s->lock);
    *report = (struct heddle_report){.file = s->pool.type->site.file,
                                     .line = s->pool.type->site.line,
                                     .device = failed ? HEDDLE_DEVICE_HOST : s->device,
                                     .schedule = "dynamic",
                                     .rows = (long)s->tasks,
                                     .columns = 1,
                                     .workers = workers,
                                     .rows_per_worker = 1,
                                     .seconds = seconds,
                                     .kernel_seconds = seconds};
    heddle__verbose("%s:%d: %llu tasks from the host, for which the kernel came %u times, %.6f s", report->file,
                    report->line, (unsigned long long)s->tasks, turns, seconds);
    let_go(s);
}
