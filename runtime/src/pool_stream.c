/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks that the host hands to a kernel while it runs. The host writes a task into a ring in its own memory, which the
 * device reads, and sees in the same memory that it is done; nothing is launched for it. When there has been nothing
 * to do for the pool's idle() time the host sends "leave" to each doorman; the next task brings the kernel back.
 *
 * There is one stream, for one kind of pool and one environment at a time; another pool makes the kernel leave first.
 * A killed program takes the kernel with it: the driver destroys its context.
 */
#include "pool.h"
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct heddle__stream {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct heddle_pool pool;         /* a copy: the kernel outlives the block */
    struct heddle__segment segment;  /* empty */
    struct heddle__run run;
    struct heddle_pool_ring *ring;
    int device;
    char *env;
    size_t env_bytes;
    uint64_t submitted, retired;     /* tickets */
    uint64_t next_launch;            /* the ticket that the next kernel begins with */
    bool open, launcher, monitor, wanted, running, leaving, failed;
    int leavers;                     /* threads that need the device: nothing is sent before they have had it */
    bool own_map[64];                /* arrays that this block has brought to the device */
    double last;                     /* when the monitor has seen something to do */
    double start;
    uint64_t tasks;
};

static struct heddle__stream stream = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static inline void spin_pause(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

static uint64_t load(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }

/* The launcher's thread sets it when it knows how large the kernel is; 0 before the first one. */
static int doormen(const struct heddle__stream *s) { return __atomic_load_n(&s->run.doormen, __ATOMIC_ACQUIRE); }

/* Tickets up to the first that is not done are retired. */
static void retire(struct heddle__stream *s)
{
    while (s->retired < s->submitted && load(&s->ring->done[s->retired % HEDDLE_RING_SLOTS]) == s->retired + 1)
        s->retired++;
}

/* ---- the kernel's side of the host --------------------------------------------------------------------------- */
static void *launcher(void *unused)
{
    struct heddle__stream *s = &stream;
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
        retire(s);
        if (!s->failed && s->retired < s->submitted) /* tasks came while it left */
            s->running = s->wanted = true;
        pthread_cond_broadcast(&s->changed);
    }
    return unused;
}

static void put_words(struct heddle__stream *s, uint32_t kind, const void *record, size_t bytes)
{
    uint64_t *slot = s->ring->slot[s->submitted % HEDDLE_RING_SLOTS];
    const uint64_t tag = (uint64_t)(uint32_t)(s->submitted + 1) << 32;
    const size_t words = s->pool.type->record_bytes / 4;
    uint32_t data[HEDDLE_RING_WORDS];
    memset(data, 0, words * sizeof *data);
    if (bytes)
        memcpy(data, record, bytes);
    for (size_t q = 0; q < words; q++)
        __atomic_store_n(&slot[1 + q], tag | data[q], __ATOMIC_RELAXED);
    __atomic_store_n(&slot[0], tag | kind, __ATOMIC_RELEASE);
    s->submitted++;
}

/* With the lock held and nothing under way: one "leave" for each doorman. */
static void send_leave(struct heddle__stream *s)
{
    for (int k = 0, n = doormen(s); k < n; k++) {
        const uint64_t ticket = s->submitted;
        put_words(s, 0, NULL, 0);
        __atomic_store_n(&s->ring->done[ticket % HEDDLE_RING_SLOTS], ticket + 1, __ATOMIC_RELEASE);
    }
    retire(s);
    s->leaving = true;
    s->next_launch = s->submitted;
}

static void *monitor(void *unused)
{
    struct heddle__stream *s = &stream;
    for (uint64_t seen = 0;;) {
        pthread_mutex_lock(&s->lock);
        const double idle = s->pool.idle, now = heddle__now();
        retire(s);
        if (s->submitted != seen || s->retired != seen) { /* who sends tasks and waits for them does not look at the clock */
            s->last = now;
            seen = s->submitted;
        }
        if (s->running && !s->leaving && !s->wanted && doormen(s) && s->retired == s->submitted && now - s->last > idle)
            send_leave(s);
        pthread_mutex_unlock(&s->lock);
        usleep(idle > 4e-3 ? 1000 : idle > 4e-4 ? (useconds_t)(idle * 2.5e5) : 100);
    }
    return unused;
}

/* Whether it has left within HEDDLE_TIMEOUT. */
static bool stop(struct heddle__stream *s)
{
    pthread_mutex_lock(&s->lock);
    s->leavers++;
    for (double end = heddle__now() + heddle__option_seconds("timeout"); s->running && heddle__now() < end;) {
        retire(s);
        if (!s->leaving && !s->wanted && doormen(s) && s->retired == s->submitted)
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

void heddle__stream_stop(struct heddle__stream *s) { (void)stop(s); }
static void stop_at_exit(void) { (void)stop(&stream); }

/* Another kernel is to run: this one must not keep the device, and not come back before heddle__stream_resume, since the
   other one might find no room beside it as long as tasks are sent. */
bool heddle__stream_yield(int device)
{
    pthread_mutex_lock(&stream.lock);
    const bool there = stream.running && stream.device == device;
    stream.leavers += there;
    pthread_mutex_unlock(&stream.lock);
    if (there)
        (void)stop(&stream);
    return there;
}

void heddle__stream_resume(bool yielded)
{
    pthread_mutex_lock(&stream.lock);
    stream.leavers -= yielded;
    pthread_cond_broadcast(&stream.changed);
    pthread_mutex_unlock(&stream.lock);
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

static bool start_threads(struct heddle__stream *s)
{
    const bool first = !s->monitor;
    if (!start(&s->launcher, launcher) || !start(&s->monitor, monitor))
        return false;
    if (first)
        atexit(stop_at_exit);
    return true;
}

/* ---- the block's side ------------------------------------------------------------------------------------------- */
static bool same_kernel(const struct heddle__stream *s, const struct heddle_pool *pool, int device, const char *env)
{
    return s->pool.type == pool->type && s->device == device && s->env && !memcmp(s->env, env, pool->type->env_bytes);
}

/* A kernel with this environment; an older one has left. With the lock held. */
static bool set_up(struct heddle__stream *s, struct heddle_pool *pool, int device, char *env)
{
    if (!s->ring || s->device != device) {
        const bool cuda = heddle__architecture(&pool->type->nest, device) == HEDDLE_ARCH_NVPTX;
        s->ring = cuda ? heddle__cuda_pinned(device, sizeof *s->ring) : aligned_alloc(128, sizeof *s->ring);
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
    s->pool = *pool;
    s->pool.maps = NULL;
    s->pool.nmaps = 0;
    s->run = (struct heddle__run){.pool = &s->pool, .segment = &s->segment, .schedule = HEDDLE_POOL_DYNAMIC, .device = device,
                                  .ring = s->ring, .device_env = s->env,
                                  .ring_system = !memcmp(env, pool->env, pool->type->env_bytes)};
    if (start_threads(s))
        return true;
    free(s->env); /* the next block must not take it for a kernel's */
    s->env = NULL;
    return false;
}

/* There is one stream, for one block at a time. */
static bool claim(struct heddle__stream *s)
{
    pthread_mutex_lock(&s->lock);
    const bool mine = !s->open && !s->failed;
    if (mine)
        s->open = true;
    pthread_mutex_unlock(&s->lock);
    return mine;
}

static void let_go(struct heddle__stream *s)
{
    pthread_mutex_lock(&s->lock);
    s->pool.maps = NULL;
    s->pool.nmaps = 0;
    s->open = false;
    pthread_mutex_unlock(&s->lock);
}

/* The environment as the device sees it; NULL: no memory there, or here. */
static char *enter_maps(struct heddle__stream *s, struct heddle_pool *pool, int device)
{
    char *env = malloc(pool->type->env_bytes + 1);
    if (!env)
        return NULL;
    memcpy(env, pool->env, pool->type->env_bytes);
    for (int k = 0; k < pool->nmaps; k++)
        s->own_map[k] = !omp_target_is_present((char *)pool->maps[k].base + pool->maps[k].first, device);
    if (heddle__maps_enter(pool->maps, pool->nmaps, device, env)) {
        free(env);
        return NULL;
    }
    return env;
}

struct heddle__stream *heddle__stream_open(struct heddle_pool *pool, int device)
{
    struct heddle__stream *s = &stream;
    if (pool->nmaps > 64 || pool->type->record_bytes > HEDDLE_RING_RECORD || !claim(s))
        return NULL;
    char *env = enter_maps(s, pool, device);
    if (!env) {
        let_go(s);
        return NULL;
    }
    const bool same = same_kernel(s, pool, device, env);
    bool ok = same || stop(s);
    pthread_mutex_lock(&s->lock);
    if (same || !ok)
        free(env);
    else
        ok = set_up(s, pool, device, env);
    if (ok) {
        s->pool.idle = pool->idle;
        s->pool.maps = pool->maps;
        s->pool.nmaps = pool->nmaps;
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

void heddle__stream_put(struct heddle__stream *s, int kind, const void *record, size_t bytes)
{
    pthread_mutex_lock(&s->lock);
    for (unsigned polls = 1;; polls++) {
        retire(s);
        if (s->failed || (!s->leavers && s->submitted - s->retired < HEDDLE_RING_SLOTS - 2 * HEDDLE_DOORMEN))
            break;
        if (s->leavers) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        pthread_mutex_unlock(&s->lock);
        spin_pause();
        if (polls > 1000)
            sched_yield();
        pthread_mutex_lock(&s->lock);
    }
    s->tasks++;
    if (s->failed) {
        pthread_mutex_unlock(&s->lock);
        heddle__pool_run_now(&s->pool, kind, record, bytes, NULL);
        return;
    }
    put_words(s, (uint32_t)kind + 1, record, bytes);
    if (!s->running) {
        s->running = s->wanted = true;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
}

/* The kernel could not be run at all: nothing on the device has changed, the host's arrays are what they were. */
static void run_rest(struct heddle__stream *s)
{
    heddle__warn(&s->pool.type->nest, "device %d: the kernel for tasks from the host failed; running them on the host", s->device);
    pthread_mutex_lock(&s->lock);
    for (; s->retired < s->submitted; s->retired++) {
        const uint64_t *slot = s->ring->slot[s->retired % HEDDLE_RING_SLOTS];
        uint32_t data[HEDDLE_RING_WORDS];
        for (int q = 0; q < HEDDLE_RING_WORDS; q++)
            data[q] = (uint32_t)slot[q];
        if (data[0] && load(&s->ring->done[s->retired % HEDDLE_RING_SLOTS]) != s->retired + 1)
            heddle__pool_run_now(&s->pool, (int)data[0] - 1, data + 1, s->pool.type->record_bytes, NULL);
    }
    pthread_mutex_unlock(&s->lock);
}

/* The last task's word is looked at without the lock for a while. */
static void spin(struct heddle__stream *s)
{
    pthread_mutex_lock(&s->lock);
    const uint64_t last = s->submitted;
    pthread_mutex_unlock(&s->lock);
    const uint64_t *word = last ? &s->ring->done[(last - 1) % HEDDLE_RING_SLOTS] : NULL;
    for (int polls = 0; word && polls < 20000 && load(word) != last; polls++)
        if (polls > 10000)
            spin_pause();
}

void heddle__stream_wait(struct heddle__stream *s)
{
    bool failed = false;
    spin(s);
    for (unsigned polls = 1;; polls++) {
        pthread_mutex_lock(&s->lock);
        retire(s);
        const bool done = s->retired == s->submitted;
        failed = s->failed;
        pthread_mutex_unlock(&s->lock);
        if (failed && !done)
            run_rest(s);
        if (done || failed)
            break;
        if (polls > 64) /* a device that is a thread of this machine may need the core */
            sched_yield();
    }
    for (int k = 0; k < s->pool.nmaps && !failed; k++)
        if (s->own_map[k] && (s->pool.maps[k].kind & HEDDLE_MAP_FROM))
            heddle__maps_pull(&s->pool.maps[k], 1, s->device);
}

void heddle__stream_close(struct heddle__stream *s)
{
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
    pthread_mutex_unlock(&s->lock);
    *report = (struct heddle_report){.file = s->pool.type->nest.file, .line = s->pool.type->nest.line,
                                     .device = failed ? HEDDLE_DEVICE_HOST : s->device, .schedule = "dynamic",
                                     .rows = (long)s->tasks, .columns = 1, .workers = doormen(s) ? s->run.workers : 0, .rows_per_worker = 1,
                                     .seconds = seconds, .kernel_seconds = seconds};
    let_go(s);
}
