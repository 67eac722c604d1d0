/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A driver copies pageable memory by one core, an eighth of what the link carries. Here a copy is cut into pieces that a
 * crew of threads takes in turn, each through two page-locked buffers of its own: one travels while the thread copies the
 * other. Memory that the program has page-locked travels as it is. On devices that are not GPUs a piece is a plain copy.
 */
#include "staging.h"
#include "loop/engine.h"
#include <heddle/gpu.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIECE = 2 << 20, SPARES = 128 };

struct order {
    struct order *next;
    char *host, *there;
    size_t bytes;
    struct heddle__done *done;
};

struct heddle__stage {
    int device;
    bool home, cuda;
    double timeout;
    pthread_mutex_t lock;
    pthread_cond_t work, over; /* something to take; something done */
    struct order *first, *last;
    int threads; /* alive */
    cpu_set_t cores;
    bool bound;  /* to these cores */
    bool closing;
};

struct buffer {
    char *pinned;
    void *event;
    struct order piece; /* .done is NULL: free */
    bool direct;
};

/* Page-locked pieces are kept: locking one takes longer than copying it. */
static char *spares[SPARES];
static int spare_count;
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;

static char *pinned_take(int device)
{
    pthread_mutex_lock(&spare_lock);
    char *memory = spare_count ? spares[--spare_count] : NULL;
    pthread_mutex_unlock(&spare_lock);
    return memory ? memory : heddle__cuda_pinned(device, PIECE);
}

static void pinned_give(char *memory)
{
    pthread_mutex_lock(&spare_lock);
    if (memory && spare_count < SPARES) /* as many as were ever in use at once, unless that is very many */
        spares[spare_count++] = memory;
    pthread_mutex_unlock(&spare_lock);
}

/* With the lock held. */
static void account(struct heddle__stage *s, struct heddle__done *done, size_t bytes, int error)
{
    done->left -= bytes;
    done->error = done->error ? done->error : error;
    pthread_cond_broadcast(&s->over);
}

/* The next piece; waits for one if `wait`. False: there is none. */
static bool take(struct heddle__stage *s, struct order *piece, bool wait)
{
    pthread_mutex_lock(&s->lock);
    while (!s->first && wait && !s->closing)
        pthread_cond_wait(&s->work, &s->lock);
    struct order *o = s->first;
    if (o) {
        *piece = *o;
        piece->bytes = o->bytes < PIECE ? o->bytes : PIECE;
        o->host += piece->bytes;
        o->there += piece->bytes;
        o->bytes -= piece->bytes;
        if (!o->bytes) {
            s->first = o->next;
            free(o);
        }
    }
    pthread_mutex_unlock(&s->lock);
    return o;
}

/* Bounded: the device may be gone. */
static int wait_event(const struct heddle__stage *s, void *event)
{
    const double begin = heddle__now();
    for (unsigned polls = 0;; polls++) {
        const int done = heddle_gpu_done(event);
        if (done)
            return done > 0 ? HEDDLE_OK : HEDDLE_ELAUNCH;
        if (polls % 64 == 63 && heddle__now() - begin > s->timeout)
            return HEDDLE_ETIMEDOUT;
        nanosleep(&(struct timespec){0, 5000}, NULL);
    }
}

static int copy_plainly(const struct heddle__stage *s, const struct order *piece)
{
    const int host = omp_get_initial_device();
    return (s->home ? omp_target_memcpy(piece->host, piece->there, piece->bytes, 0, 0, host, s->device)
                    : omp_target_memcpy(piece->there, piece->host, piece->bytes, 0, 0, s->device, host))
               ? HEDDLE_ELAUNCH : HEDDLE_OK;
}

static int start(struct heddle__stage *s, struct buffer *b, void *stream)
{
    struct order *piece = &b->piece;
    b->direct = heddle__cuda_locked(piece->host, piece->bytes);
    char *here = b->direct ? piece->host : b->pinned;
    if (!s->home && !b->direct)
        memcpy(here, piece->host, piece->bytes);
    const int error = s->home ? heddle_gpu_copy_out(here, piece->there, piece->bytes, stream)
                              : heddle_gpu_copy_in(piece->there, here, piece->bytes, stream);
    return error ? error : heddle_gpu_record(b->event, stream);
}

static void finish(struct heddle__stage *s, struct buffer *b, int error)
{
    if (!b->piece.done)
        return;
    if (!error)
        error = wait_event(s, b->event);
    if (!error && s->home && !b->direct)
        memcpy(b->piece.host, b->pinned, b->piece.bytes);
    pthread_mutex_lock(&s->lock);
    account(s, b->piece.done, b->piece.bytes, error);
    pthread_mutex_unlock(&s->lock);
    b->piece.done = NULL;
}

static void serve_plainly(struct heddle__stage *s)
{
    struct order piece;
    while (take(s, &piece, true)) {
        const int error = copy_plainly(s, &piece);
        pthread_mutex_lock(&s->lock);
        account(s, piece.done, piece.bytes, error);
        pthread_mutex_unlock(&s->lock);
    }
}

static void serve_through(struct heddle__stage *s, struct buffer *b, void *stream)
{
    for (int k = 0;; k ^= 1) {
        const bool idle = !b[k ^ 1].piece.done;
        finish(s, &b[k], HEDDLE_OK);
        if (take(s, &b[k].piece, idle)) {
            const int error = start(s, &b[k], stream);
            if (error)
                finish(s, &b[k], error);
        } else if (idle) {
            return;
        }
    }
}

static void serve_gpu(struct heddle__stage *s)
{
    struct buffer b[2] = {{.pinned = NULL}};
    void *stream = NULL;
    bool ready = !heddle_gpu_enter(s->device);
    const bool entered = ready;
    ready = ready && !heddle_gpu_stream(&stream);
    for (int k = 0; ready && k < 2; k++)
        ready = (b[k].pinned = pinned_take(s->device)) && !heddle_gpu_event(&b[k].event);
    if (ready)
        serve_through(s, b, stream);
    else
        serve_plainly(s);
    for (int k = 0; k < 2; k++) {
        pinned_give(b[k].pinned);
        if (b[k].event)
            heddle_gpu_event_free(b[k].event);
    }
    if (stream)
        heddle_gpu_stream_free(stream);
    if (entered)
        heddle_gpu_leave();
}

static void serve(void *with)
{
    struct heddle__stage *s = with;
    heddle__own_nest++;
    if (s->bound) /* a thread is kept from one use to the next, and may have served a device on cores of its own */
        (void)sched_setaffinity(0, sizeof s->cores, &s->cores);
    if (s->cuda)
        serve_gpu(s);
    else
        serve_plainly(s);
    heddle__own_nest--;
    pthread_mutex_lock(&s->lock);
    s->threads--;
    pthread_cond_broadcast(&s->over);
    pthread_mutex_unlock(&s->lock);
}

static void drop(struct heddle__stage *s)
{
    pthread_cond_destroy(&s->over);
    pthread_cond_destroy(&s->work);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static int crew(const struct heddle__stage *s, int share, int most)
{
    const int count = s->bound ? CPU_COUNT(&s->cores) / share : 1;
    return count < 1 ? 1 : count < most ? count : most;
}

struct heddle__stage *heddle__stage_open(int device, bool home, const cpu_set_t *cores, int share, int most)
{
    struct heddle__stage *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct heddle__stage){.device = device, .home = home, .cuda = device < heddle__cuda_count(),
                                .timeout = heddle__option_seconds("timeout")};
    if (cores)
        s->cores = *cores;
    s->bound = cores || !sched_getaffinity(0, sizeof s->cores, &s->cores);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->work, NULL);
    pthread_cond_init(&s->over, NULL);
    pthread_mutex_lock(&s->lock);
    for (int k = 0, threads = crew(s, share, most); k < threads; k++)
        s->threads += !heddle__thread_run(serve, s, true);
    const bool none = !s->threads;
    pthread_mutex_unlock(&s->lock);
    if (!none)
        return s;
    drop(s);
    return NULL;
}

void heddle__stage_close(struct heddle__stage *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->closing = true;
    pthread_cond_broadcast(&s->work);
    while (s->threads)
        pthread_cond_wait(&s->over, &s->lock);
    pthread_mutex_unlock(&s->lock);
    drop(s);
}

int heddle__stage_copy(struct heddle__stage *s, char *host, char *there, size_t bytes, struct heddle__done *done)
{
    if (!bytes)
        return HEDDLE_OK;
    struct order *o = malloc(sizeof *o);
    if (!o)
        return HEDDLE_ENOMEM;
    *o = (struct order){.host = host, .there = there, .bytes = bytes, .done = done};
    pthread_mutex_lock(&s->lock);
    if (s->first)
        s->last->next = o;
    else
        s->first = o;
    s->last = o;
    done->left += bytes;
    pthread_cond_broadcast(&s->work);
    pthread_mutex_unlock(&s->lock);
    return HEDDLE_OK;
}

int heddle__stage_wait(struct heddle__stage *s, struct heddle__done *done)
{
    pthread_mutex_lock(&s->lock);
    while (done->left)
        pthread_cond_wait(&s->over, &s->lock);
    const int error = done->error;
    pthread_mutex_unlock(&s->lock);
    return error;
}
