/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A driver copies pageable memory by one core, an eighth of what the link carries. Here a copy is cut into pieces that
 * a crew of threads takes in turn, each through two page-locked buffers of its own: one travels while the thread copies
 * the other. Memory that the program has page-locked travels as it is. On devices that are not GPUs a piece is a plain
 * copy.
 */
#include "pipeline.h"
#include "device/threads.h"
#include <heddle/gpu.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIECE = HEDDLE__STAGE_PIECE, SPARES = 64 };

struct order {
    struct order *next;
    char *host, *there;
    size_t bytes, piece;
    const struct heddle__part *part; /* what is copied, from `at` of their range; NULL: `host` */
    int parts;
    size_t at;
    struct heddle__done *done;
};

struct heddle__stage {
    int device;
    bool home, cuda;
    double timeout;
    const struct heddle__nearby *nearby; /* or NULL */
    pthread_mutex_t lock;
    pthread_cond_t work, over; /* something to take; something done */
    struct order *first, *last;
    int threads; /* alive */
    cpu_set_t cores;
    bool bound; /* to these cores */
    bool closing;
    bool detached; /* nobody waits for its threads: the last one drops it */
};

struct buffer {
    char *pinned;
    void *event;
    struct order piece; /* .done is NULL: free */
    bool direct;
};

/* What a thread of a crew drives a GPU with. Kept: to lock a piece of memory takes longer than to copy it, and a dozen
   threads that make streams at once wait for each other. */
struct line {
    struct line *next;
    int device;
    void *stream, *event[2];
    char *pinned[2];
};
static struct line *spares;
static int spare_count;
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;

/* Memory stays locked: after an error nobody knows whether the device still writes to it. */
static void line_drop(struct line *l) {
    for (int k = 0; k < 2; k++)
        if (l->event[k])
            heddle_gpu_event_free(l->event[k]);
    if (l->stream)
        heddle_gpu_stream_free(l->stream);
    free(l);
}

static struct line *line_make(int device) {
    struct line *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->device = device;
    bool made = !heddle_gpu_stream(&l->stream);
    for (int k = 0; made && k < 2; k++)
        made = (l->pinned[k] = heddle__device_pinned(device, PIECE)) && !heddle_gpu_event(&l->event[k]);
    if (made)
        return l;
    line_drop(l);
    return NULL;
}

/* By a thread that is in the device's context. NULL: it cannot be had. */
static struct line *line_take(int device) {
    pthread_mutex_lock(&spare_lock);
    struct line **at = &spares, *l;
    while (*at && (*at)->device != device)
        at = &(*at)->next;
    if ((l = *at)) {
        *at = l->next;
        spare_count--;
    }
    pthread_mutex_unlock(&spare_lock);
    return l ? l : line_make(device);
}

static void line_give(struct line *l) {
    pthread_mutex_lock(&spare_lock);
    const bool keep = spare_count < SPARES; /* as many as were ever in use at once, unless that is very many */
    if (keep) {
        l->next = spares;
        spares = l;
        spare_count++;
    }
    pthread_mutex_unlock(&spare_lock);
    if (!keep)
        line_drop(l);
}

/* With the lock held. */
static void account(struct heddle__stage *s, struct heddle__done *done, size_t bytes, int error) {
    done->left -= bytes;
    done->error = done->error ? done->error : error;
    pthread_cond_broadcast(&s->over);
}

/* The next piece; waits for one if `wait`. False: there is none. */
static bool take(struct heddle__stage *s, struct order *piece, bool wait) {
    pthread_mutex_lock(&s->lock);
    while (!s->first && wait && !s->closing)
        pthread_cond_wait(&s->work, &s->lock);
    struct order *o = s->first;
    if (o) {
        *piece = *o;
        piece->bytes = o->bytes < o->piece ? o->bytes : o->piece;
        if (o->part)
            o->at += piece->bytes;
        else
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
static int wait_event(const struct heddle__stage *s, void *event) {
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

static const char *find_nearby(const struct heddle__stage *s, const struct order *piece, int *device) {
    return s->nearby && !piece->part ? s->nearby->find(s->nearby->with, piece->host, device) : NULL;
}

static void tell_arrived(const struct heddle__stage *s, const struct order *piece, int error) {
    if (s->nearby && !piece->part && !error)
        s->nearby->arrived(s->nearby->with, piece->host);
}

static int copy_parts_plainly(const struct heddle__stage *s, const struct order *piece) {
    for (int k = 0; k < piece->parts; k++) {
        const struct heddle__part *p = &piece->part[k];
        size_t low, high;
        if (!heddle__part_within(p, piece->at, piece->bytes, &low, &high))
            continue;
        char *there = piece->there + (low - piece->at), *here = p->host + (low - p->at);
        if (s->home ? heddle__device_copy_out(s->device, here, there, high - low)
                    : heddle__device_copy_in(s->device, there, here, high - low))
            return HEDDLE_ELAUNCH;
    }
    return HEDDLE_OK;
}

static int copy_plainly(const struct heddle__stage *s, const struct order *piece) {
    int other;
    if (piece->part)
        return copy_parts_plainly(s, piece);
    const char *near = find_nearby(s, piece, &other);
    if (near && !heddle__device_copy_across(s->device, piece->there, other, near, piece->bytes))
        return HEDDLE_OK;
    return s->home ? heddle__device_copy_out(s->device, piece->host, piece->there, piece->bytes)
                   : heddle__device_copy_in(s->device, piece->there, piece->host, piece->bytes);
}

static void copy_on_host(const struct order *piece, char *pinned, bool in) {
    if (piece->part)
        heddle__gather(piece->part, piece->parts, pinned, piece->at, piece->bytes, in);
    else
        memcpy(in ? pinned : piece->host, in ? piece->host : pinned, piece->bytes);
}

static int start(struct heddle__stage *s, struct buffer *b, void *stream) {
    struct order *piece = &b->piece;
    int other;
    const char *near = find_nearby(s, piece, &other);
    b->direct = true;
    if (near && !heddle_gpu_copy_across(piece->there, near, other, piece->bytes, stream))
        return heddle_gpu_record(b->event, stream);
    b->direct = !piece->part && heddle__device_locked(s->device, piece->host, piece->bytes);
    char *here = b->direct ? piece->host : b->pinned;
    if (!s->home && !b->direct)
        copy_on_host(piece, here, true);
    const int error = s->home ? heddle_gpu_copy_out(here, piece->there, piece->bytes, stream)
                              : heddle_gpu_copy_in(piece->there, here, piece->bytes, stream);
    return error ? error : heddle_gpu_record(b->event, stream);
}

static int finish(struct heddle__stage *s, struct buffer *b, int error) {
    if (!b->piece.done)
        return HEDDLE_OK;
    if (!error)
        error = wait_event(s, b->event);
    if (!error && s->home && !b->direct)
        copy_on_host(&b->piece, b->pinned, false);
    tell_arrived(s, &b->piece, error);
    pthread_mutex_lock(&s->lock);
    account(s, b->piece.done, b->piece.bytes, error);
    pthread_mutex_unlock(&s->lock);
    b->piece.done = NULL;
    return error;
}

static void serve_plainly(struct heddle__stage *s) {
    struct order piece;
    while (take(s, &piece, true)) {
        const int error = copy_plainly(s, &piece);
        tell_arrived(s, &piece, error);
        pthread_mutex_lock(&s->lock);
        account(s, piece.done, piece.bytes, error);
        pthread_mutex_unlock(&s->lock);
    }
}

/* Until there is nothing more to do; returns the last error. */
static int serve_through(struct heddle__stage *s, struct buffer *b, void *stream) {
    int failed = HEDDLE_OK;
    for (int k = 0;; k ^= 1) {
        const bool idle = !b[k ^ 1].piece.done;
        int error = finish(s, &b[k], HEDDLE_OK);
        failed = error ? error : failed;
        if (take(s, &b[k].piece, idle)) {
            error = start(s, &b[k], stream);
            if (error)
                failed = finish(s, &b[k], error);
        } else if (idle) {
            return failed;
        }
    }
}

static void serve_gpu(struct heddle__stage *s) {
    const bool entered = !heddle_gpu_enter(s->device);
    struct line *l = entered ? line_take(s->device) : NULL;
    if (l) {
        struct buffer b[2] = {{.pinned = l->pinned[0], .event = l->event[0]},
                              {.pinned = l->pinned[1], .event = l->event[1]}};
        if (serve_through(s, b, l->stream))
            line_drop(l);
        else
            line_give(l);
    } else {
        serve_plainly(s);
    }
    if (entered)
        heddle_gpu_leave();
}

static bool is_over(struct heddle__stage *s) {
    pthread_mutex_lock(&s->lock);
    const bool over = s->closing && !s->first;
    pthread_mutex_unlock(&s->lock);
    return over;
}

static void serve_until_over(struct heddle__stage *s) {
    if (is_over(s)) /* others were faster */
        return;
    if (s->cuda)
        serve_gpu(s);
    else
        serve_plainly(s);
}

static void drop(struct heddle__stage *s) {
    pthread_cond_destroy(&s->over);
    pthread_cond_destroy(&s->work);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static void serve(void *with) {
    struct heddle__stage *s = with;
    if (s->bound) /* a thread is kept from one use to the next, and may have served a device on cores of its own */
        (void)sched_setaffinity(0, sizeof s->cores, &s->cores);
    serve_until_over(s);
    pthread_mutex_lock(&s->lock);
    const bool last = !--s->threads && s->detached;
    pthread_cond_broadcast(&s->over);
    pthread_mutex_unlock(&s->lock);
    if (last)
        drop(s);
}

static int crew(const struct heddle__stage *s, int share, int most) {
    const int count = s->bound ? CPU_COUNT(&s->cores) / share : 1;
    return most < 1 ? 0 : count < 1 ? 1 : count < most ? count : most;
}

struct heddle__stage *heddle__stage_open(int device, bool home, const cpu_set_t *cores, int share, int most) {
    struct heddle__stage *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct heddle__stage){.device = device,
                                .home = home,
                                .cuda = heddle__device_is_cuda(device),
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
    const bool none = most && !s->threads;
    pthread_mutex_unlock(&s->lock);
    if (!none)
        return s;
    drop(s);
    return NULL;
}

void heddle__stage_close(struct heddle__stage *s) {
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

void heddle__stage_nearby(struct heddle__stage *s, const struct heddle__nearby *nearby) { s->nearby = nearby; }

static int begin(struct heddle__stage *s, const struct order *what) {
    if (!what->bytes)
        return HEDDLE_OK;
    struct order *o = malloc(sizeof *o);
    if (!o)
        return HEDDLE_ENOMEM;
    *o = *what;
    pthread_mutex_lock(&s->lock);
    if (s->first)
        s->last->next = o;
    else
        s->first = o;
    s->last = o;
    o->done->left += o->bytes;
    pthread_cond_broadcast(&s->work);
    pthread_mutex_unlock(&s->lock);
    return HEDDLE_OK;
}

int heddle__stage_copy(struct heddle__stage *s, char *host, char *there, size_t bytes, struct heddle__done *done) {
    return begin(s, &(struct order){.host = host, .there = there, .bytes = bytes, .piece = PIECE, .done = done});
}

int heddle__stage_wait(struct heddle__stage *s, struct heddle__done *done) {
    pthread_mutex_lock(&s->lock);
    while (done->left)
        pthread_cond_wait(&s->over, &s->lock);
    const int error = done->error;
    pthread_mutex_unlock(&s->lock);
    return error;
}

/* ---- one range
 * ------------------------------------------------------------------------------------------------------- */
enum { LEAST = 128 << 10 /* bytes of a piece */, HELP = 1 << 20 /* bytes for each thread that helps */, HELPERS = 5 };

/* As many as can be had. */
static struct heddle__stage *open_range(int device, bool home, const cpu_set_t *cores, int share, int helpers) {
    struct heddle__stage *s = heddle__stage_open(device, home, cores, share, helpers);
    return s || !helpers ? s : heddle__stage_open(device, home, cores, share, 0);
}

/* Does what is left, and waits for what others are about; who has not even begun is not waited for. */
static int end_range(struct heddle__stage *s, struct heddle__done *done) {
    pthread_mutex_lock(&s->lock);
    s->closing = true;
    pthread_mutex_unlock(&s->lock);
    serve_until_over(s);
    const int error = heddle__stage_wait(s, done);
    pthread_mutex_lock(&s->lock);
    s->detached = true;
    const bool alone = !s->threads;
    pthread_cond_broadcast(&s->work);
    pthread_mutex_unlock(&s->lock);
    if (alone)
        drop(s);
    return error;
}

/* The caller copies, too: of little it has done most before others are awake. Pieces are so small that all have some.
 */
int heddle__stage_range(int device, bool home, const cpu_set_t *cores, int share, const struct heddle__part *part,
                        int parts, char *there, size_t at, size_t end) {
    const size_t bytes = end - at, many = bytes / HELP;
    const int helpers = !heddle__device_is_cuda(device) ? 0 : many < HELPERS ? (int)many : HELPERS;
    const size_t fair = (bytes / (size_t)(2 * (helpers + 1)) + 255) / 256 * 256, piece = fair < LEAST   ? LEAST
                                                                                         : fair < PIECE ? fair
                                                                                                        : PIECE;
    struct heddle__done done = {0};
    struct heddle__stage *s = open_range(device, home, cores, share, helpers);
    if (!s)
        return HEDDLE_ENOMEM;
    const int error = begin(s, &(struct order){.part = part,
                                               .parts = parts,
                                               .at = at,
                                               .there = there + at,
                                               .bytes = bytes,
                                               .piece = piece,
                                               .done = &done});
    const int late = end_range(s, &done);
    return error ? error : late;
}
