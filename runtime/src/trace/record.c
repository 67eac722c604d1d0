/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects spans while the program runs. Each thread appends to chunks of its own, so recording takes no lock but
 * for a new chunk; HEDDLE_TRACE_EVENTS bounds all of them together, and what does not fit is counted. The file is
 * written when the program ends or is interrupted, by the process that started recording (not by a forked child).
 */
#include "record.h"
#include "core/internal.h"
#include "trace.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 4096, NAMES = 1 << 14, TRACKS = 1 << 14 };

struct chunk {
    struct chunk *next;
    _Atomic uint32_t count;
    struct trace_event events[CHUNK];
};

HEDDLE__AT_HAND _Atomic int heddle__trace_state; /* 0: not asked yet, 1: off, 2: on */
static char path[4096];
static pid_t owner;
HEDDLE__AT_HAND static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct chunk *) chunks;
static _Atomic uint64_t dropped;
static atomic_long chunks_left;
static struct trace_track tracks[TRACKS];
static char *names[NAMES];
static int32_t name_hash[2 * NAMES]; /* index + 1 */
static int track_count, name_count;
static _Thread_local struct chunk *mine;
static _Thread_local int own_track = -1;

bool heddle__trace_ask(void) {
    pthread_mutex_lock(&lock);
    if (!heddle__trace_state) {
        char value[HEDDLE__OPTION_MAX] = "";
        if (heddle__options_any())
            heddle__option_read("trace", value, sizeof value);
        if (*value) {
            snprintf(path, sizeof path, "%s", value);
            owner = getpid();
            atomic_store(&chunks_left, heddle__option_long("trace-events", 1, 1000000000) / CHUNK + 1);
        }
        if (*value)
            heddle__trace_interrupts();
        atomic_store(&heddle__trace_state, *value ? 2 : 1);
    }
    pthread_mutex_unlock(&lock);
    return heddle__trace_state == 2;
}

int64_t heddle__trace_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static uint32_t hash_of(const char *s) {
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

int heddle__trace_name(const char *name) {
    int found = 0; /* the first name stands for all when the table is full */
    pthread_mutex_lock(&lock);
    for (uint32_t h = hash_of(name);; h++) {
        int32_t *slot = &name_hash[h % (2 * NAMES)];
        if (*slot && strcmp(names[*slot - 1], name) != 0)
            continue;
        if (!*slot && name_count < NAMES && (names[name_count] = strdup(name)))
            *slot = ++name_count;
        found = *slot ? *slot - 1 : 0;
        break;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

int heddle__trace_track(const char *group, const char *name) {
    int found = -1;
    pthread_mutex_lock(&lock);
    for (int k = 0; k < track_count && found < 0; k++)
        if (!strcmp(tracks[k].group, group) && !strcmp(tracks[k].name, name))
            found = k;
    if (found < 0 && track_count < TRACKS) {
        struct trace_track t = {strdup(group), strdup(name), 0};
        if (t.group && t.name) {
            tracks[found = track_count++] = t;
        } else {
            free((void *)(uintptr_t)t.group);
            free((void *)(uintptr_t)t.name);
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

int heddle__trace_thread(void) {
    static atomic_int threads;
    if (own_track < 0) {
        char name[32];
        snprintf(name, sizeof name, "thread %d", atomic_fetch_add(&threads, 1));
        own_track = heddle__trace_track("host", name);
    }
    return own_track;
}

static struct chunk *new_chunk(void) {
    struct chunk *c = atomic_fetch_sub(&chunks_left, 1) > 0 ? malloc(sizeof *c) : NULL;
    if (!c)
        return NULL;
    atomic_init(&c->count, 0);
    c->next = atomic_load(&chunks);
    while (!atomic_compare_exchange_weak(&chunks, &c->next, c)) {
    }
    return c;
}

void heddle__trace_span(int track, int name, int64_t begin, int64_t end) {
    if (!mine || atomic_load_explicit(&mine->count, memory_order_relaxed) == CHUNK)
        mine = new_chunk();
    if (!mine || track < 0) {
        atomic_fetch_add(&dropped, 1);
        return;
    }
    const uint32_t k = atomic_load_explicit(&mine->count, memory_order_relaxed);
    mine->events[k] = (struct trace_event){begin, end > begin ? end : begin, track, name};
    atomic_store_explicit(&mine->count, k + 1, memory_order_release);
}

/* A forked child writes no file, so it records nothing. */
static void in_child(void) { atomic_store(&heddle__trace_state, 1); }
__attribute__((constructor)) static void watch(void) { pthread_atfork(NULL, NULL, in_child); }

void heddle__trace_lost(uint64_t events) { atomic_fetch_add(&dropped, events); }

/* Copies what the threads have so far; the lists of names and tracks are lent. */
static int collect(struct trace_document *d) {
    size_t count = 0;
    for (const struct chunk *c = atomic_load(&chunks); c; c = c->next)
        count += atomic_load_explicit(&c->count, memory_order_acquire);
    d->events = malloc((count + 1) * sizeof *d->events);
    if (!d->events)
        return -1;
    for (const struct chunk *c = atomic_load(&chunks); c; c = c->next) {
        size_t n = atomic_load_explicit(&c->count, memory_order_acquire);
        n = n < count - d->event_count ? n : count - d->event_count; /* others may still be running */
        memcpy(d->events + d->event_count, c->events, n * sizeof *d->events);
        d->event_count += n;
    }
    d->tracks = tracks, d->track_count = (size_t)track_count;
    d->names = names, d->name_count = (size_t)name_count;
    d->dropped = dropped;
    d->title = program_invocation_short_name;
    return 0;
}

void heddle__trace_finish(void) {
    static atomic_int written;
    char message[512];
    struct trace_document d = {0};
    if (heddle__trace_state != 2 || getpid() != owner || atomic_exchange(&written, 1))
        return;
    if (collect(&d))
        snprintf(message, sizeof message, "no memory to collect the events");
    else if (!trace_write(path, &d, message, sizeof message))
        *message = 0;
    if (*message)
        heddle__warn(NULL, "HEDDLE_TRACE: %s; no trace written", message);
    else if (dropped)
        heddle__warn(NULL, "HEDDLE_TRACE: %llu events did not fit (HEDDLE_TRACE_EVENTS); %zu are in %s",
                     (unsigned long long)dropped, d.event_count, path);
    free(d.events);
}

__attribute__((destructor)) static void finish(void) { heddle__trace_finish(); }
