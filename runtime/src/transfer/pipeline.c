/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A driver copies pageable memory by one core, an eighth of what the link carries. Here a copy is cut into blocks that
 * several copy workers take in turn, each with a double buffer of its own (double_buffer.c).
 */
#include "pipeline.h"
#include "device/threads.h"
#include "double_buffer.h"
#include <pthread.h>
#include <stdlib.h>

struct request {
    struct request *next;
    char *host, *there;
    size_t bytes, block;
    const struct heddle__segment *segment; /* what is copied, from `at` of their range; NULL: `host` */
    int segments;
    size_t at;
    struct heddle__done *done;
};

struct heddle__transfer {
    int device;
    bool to_host;
    double timeout;
    const struct heddle__nearby *nearby; /* or NULL */
    pthread_mutex_t lock;
    pthread_cond_t work, over; /* something to take; something done */
    struct request *first, *last;
    int workers; /* alive */
    cpu_set_t cores;
    bool bound; /* to these cores */
    bool closing;
    bool detached; /* nobody waits for its workers: the last one drops it */
};

/* ---- a copy worker ----------------------------------------------------------------------------------------------- */
static bool take(void *with, struct heddle__block *block, bool idle) {
    struct heddle__transfer *t = with;
    pthread_mutex_lock(&t->lock);
    while (!t->first && idle && !t->closing)
        pthread_cond_wait(&t->work, &t->lock);
    struct request *r = t->first;
    if (r) {
        *block = (struct heddle__block){.host = r->segment ? NULL : r->host,
                                        .there = r->there,
                                        .bytes = r->bytes < r->block ? r->bytes : r->block,
                                        .segment = r->segment,
                                        .segments = r->segments,
                                        .at = r->at,
                                        .of = r->done};
        if (r->segment)
            r->at += block->bytes;
        else
            r->host += block->bytes;
        r->there += block->bytes;
        r->bytes -= block->bytes;
        if (!r->bytes) {
            t->first = r->next;
            free(r);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return r;
}

static const char *find_nearby(void *with, const struct heddle__block *block, int *device) {
    const struct heddle__transfer *t = with;
    return t->nearby && block->host ? t->nearby->find(t->nearby->with, block->host, device) : NULL;
}

static void ended(void *with, const struct heddle__block *block, int error) {
    struct heddle__transfer *t = with;
    struct heddle__done *done = block->of;
    if (t->nearby && block->host && !error)
        t->nearby->arrived(t->nearby->with, block->host);
    pthread_mutex_lock(&t->lock);
    done->left -= block->bytes;
    done->error = done->error ? done->error : error;
    pthread_cond_broadcast(&t->over);
    pthread_mutex_unlock(&t->lock);
}

static bool is_over(struct heddle__transfer *t) {
    pthread_mutex_lock(&t->lock);
    const bool over = t->closing && !t->first;
    pthread_mutex_unlock(&t->lock);
    return over;
}

static void serve_until_over(struct heddle__transfer *t) {
    if (is_over(t)) /* others were faster */
        return;
    const bool entered = !heddle__device_enter(t->device);
    struct heddle__double_buffer b = {.device = t->device, .timeout = t->timeout};
    const struct heddle__block_source source = {take, ended, find_nearby, t};
    b.channel = entered ? heddle__channel_take(t->device) : NULL;
    const int error = heddle__double_buffer_run(&b, &source, t->to_host, true);
    if (b.channel && error)
        heddle__channel_drop(t->device, b.channel);
    else if (b.channel)
        heddle__channel_give(t->device, b.channel);
    if (entered)
        heddle__device_leave(t->device);
}

static void drop(struct heddle__transfer *t) {
    pthread_cond_destroy(&t->over);
    pthread_cond_destroy(&t->work);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

static void copy_worker(void *with) {
    struct heddle__transfer *t = with;
    if (t->bound) /* a thread is kept from one use to the next, and may have served a device on cores of its own */
        (void)sched_setaffinity(0, sizeof t->cores, &t->cores);
    serve_until_over(t);
    pthread_mutex_lock(&t->lock);
    const bool last = !--t->workers && t->detached;
    pthread_cond_broadcast(&t->over);
    pthread_mutex_unlock(&t->lock);
    if (last)
        drop(t);
}

static int worker_count(const struct heddle__transfer *t, int share, int most) {
    const int count = t->bound ? CPU_COUNT(&t->cores) / share : 1;
    return most < 1 ? 0 : count < 1 ? 1 : count < most ? count : most;
}

struct heddle__transfer *heddle__transfer_open(int device, bool to_host, const cpu_set_t *cores, int share, int most) {
    struct heddle__transfer *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    *t = (struct heddle__transfer){.device = device, .to_host = to_host, .timeout = heddle__option_seconds("timeout")};
    if (cores)
        t->cores = *cores;
    t->bound = cores || !sched_getaffinity(0, sizeof t->cores, &t->cores);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->work, NULL);
    pthread_cond_init(&t->over, NULL);
    pthread_mutex_lock(&t->lock);
    for (int k = 0, workers = worker_count(t, share, most); k < workers; k++)
        t->workers += !heddle__thread_run(copy_worker, t, true);
    const bool none = most && !t->workers;
    pthread_mutex_unlock(&t->lock);
    if (!none)
        return t;
    drop(t);
    return NULL;
}

void heddle__transfer_close(struct heddle__transfer *t) {
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->closing = true;
    pthread_cond_broadcast(&t->work);
    while (t->workers)
        pthread_cond_wait(&t->over, &t->lock);
    pthread_mutex_unlock(&t->lock);
    drop(t);
}

void heddle__transfer_nearby(struct heddle__transfer *t, const struct heddle__nearby *nearby) { t->nearby = nearby; }

static int begin(struct heddle__transfer *t, const struct request *what) {
    if (!what->bytes)
        return HEDDLE_OK;
    struct request *r = malloc(sizeof *r);
    if (!r)
        return HEDDLE_ENOMEM;
    *r = *what;
    pthread_mutex_lock(&t->lock);
    if (t->first)
        t->last->next = r;
    else
        t->first = r;
    t->last = r;
    r->done->left += r->bytes;
    pthread_cond_broadcast(&t->work);
    pthread_mutex_unlock(&t->lock);
    return HEDDLE_OK;
}

int heddle__transfer_copy(struct heddle__transfer *t, char *host, char *there, size_t bytes,
                          struct heddle__done *done) {
    return begin(
        t, &(struct request){.host = host, .there = there, .bytes = bytes, .block = HEDDLE__BLOCK_BYTES, .done = done});
}

int heddle__transfer_wait(struct heddle__transfer *t, struct heddle__done *done) {
    pthread_mutex_lock(&t->lock);
    while (done->left)
        pthread_cond_wait(&t->over, &t->lock);
    const int error = done->error;
    pthread_mutex_unlock(&t->lock);
    return error;
}

/* ---- one range --------------------------------------------------------------------------------------------- */
enum { LEAST = 128 << 10 /* bytes of a block */, HELP = 1 << 20 /* bytes for each worker that helps */, HELPERS = 5 };

/* As many as can be had. */
static struct heddle__transfer *open_range(int device, bool to_host, const cpu_set_t *cores, int share, int helpers) {
    struct heddle__transfer *t = heddle__transfer_open(device, to_host, cores, share, helpers);
    return t || !helpers ? t : heddle__transfer_open(device, to_host, cores, share, 0);
}

/* Does what is left, and waits for blocks that workers have begun, but not for workers that have begun none. */
static int end_range(struct heddle__transfer *t, struct heddle__done *done) {
    pthread_mutex_lock(&t->lock);
    t->closing = true;
    pthread_mutex_unlock(&t->lock);
    serve_until_over(t);
    const int error = heddle__transfer_wait(t, done);
    pthread_mutex_lock(&t->lock);
    t->detached = true;
    const bool alone = !t->workers;
    pthread_cond_broadcast(&t->work);
    pthread_mutex_unlock(&t->lock);
    if (alone)
        drop(t);
    return error;
}

/* The caller copies, too: of little it has done most before others are awake. Blocks are so small that all have some */
int heddle__transfer_range(int device, bool to_host, const cpu_set_t *cores, int share,
                           const struct heddle__segment *segment, int segments, char *there, size_t at, size_t end) {
    const size_t bytes = end - at, many = bytes / HELP;
    const int helpers = !heddle__device_is_cuda(device) ? 0 : many < HELPERS ? (int)many : HELPERS;
    const size_t fair = (bytes / (size_t)(2 * (helpers + 1)) + 255) / 256 * 256, block = fair < LEAST ? LEAST
                                                                                         : fair < HEDDLE__BLOCK_BYTES
                                                                                             ? fair
                                                                                             : HEDDLE__BLOCK_BYTES;
    struct heddle__done done = {0};
    struct heddle__transfer *t = open_range(device, to_host, cores, share, helpers);
    if (!t)
        return HEDDLE_ENOMEM;
    const int error = begin(t, &(struct request){.segment = segment,
                                                 .segments = segments,
                                                 .at = at,
                                                 .there = there + at,
                                                 .bytes = bytes,
                                                 .block = block,
                                                 .done = &done});
    const int late = end_range(t, &done);
    return error ? error : late;
}
