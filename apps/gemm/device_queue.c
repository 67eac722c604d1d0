/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of tiles of each device, and the thread that drives it. */
#include "device.h"

#include "app.h"
#include "blas.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#endif

static long least(long a, long b) { return a < b ? a : b; }
static long most(long a, long b) { return a > b ? a : b; }

static bool make_room(struct work ***list, long *room, long count) {
    if (count <= *room)
        return true;
    struct work **more = realloc(*list, (size_t)(count * 2) * sizeof **list);
    if (!more)
        return false;
    *list = more;
    *room = count * 2;
    return true;
}

void device_finish(struct device *d, long index, bool failed) {
    struct work *w = d->work[index];
    memmove(d->work + index, d->work + index + 1, (size_t)(--d->count - index) * sizeof *d->work);
    if (!d->count) /* before anyone hears of it: nothing of another device's is in use after a loop */
        device_drain(d);
    pthread_mutex_lock(&d->lock);
    w->order->failed[w->t - w->order->first] = failed;
    d->published = d->totals;
    d->published.fetched = d->cache.misses;
    d->published.found = d->cache.hits;
    d->g->done += !failed;
    if (!--w->order->left)
        pthread_cond_broadcast(&d->less);
    pthread_mutex_unlock(&d->lock);
    free(w);
}

/* What was sent in goes to the end of the driver's list; under the lock. */
static void append(struct device *d) {
    if (d->incoming_count && make_room(&d->work, &d->room, d->count + d->incoming_count)) {
        memcpy(d->work + d->count, d->incoming, (size_t)d->incoming_count * sizeof *d->work);
        d->count += d->incoming_count;
        d->incoming_count = 0;
    }
}

/* Waits while there is nothing to do. False: closing. */
static bool take_in(struct device *d) {
    pthread_mutex_lock(&d->lock);
    while (!d->count && !d->incoming_count && !d->closing)
        pthread_cond_wait(&d->more, &d->lock);
    const bool go_on = d->count || d->incoming_count;
    if (d->forget && !d->count) {
        device_drain(d);
        cache_clear(&d->cache);
        d->forget = false;
        d->run_start = app_seconds();
        d->totals.start_seconds = 0;
    }
    append(d);
    pthread_mutex_unlock(&d->lock);
    return go_on;
}

/* Short waits are spent awake, since a product of a small tile takes a few microseconds; long ones asleep. */
static void pause_for(int rounds) {
    if (rounds < 2000)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

static void give_up(struct device *d, int error) {
    fprintf(stderr, "gemm: device %d failed (%d); its tiles are computed on the host\n", d->port.device, error);
    for (long x = 0; x < d->count; x++)
        if (d->work[x]->storing && d->g->beta != 0) { /* C may be half old, half new */
            fprintf(stderr,
                    "gemm: it failed while a tile of C was being written; C = alpha A B + beta C cannot be finished\n");
            exit(2);
        }
    cache_stale(&d->cache);
    device_drop_loads(d);
    pthread_mutex_lock(&d->lock);
    d->failed = true; /* nothing is sent in from here on */
    append(d);
    pthread_mutex_unlock(&d->lock);
    while (d->count)
        device_finish(d, d->count - 1, true);
    d->store_count = 0;
    memset(d->lane_count, 0, sizeof d->lane_count);
}

void *device_drive(void *arg) {
    struct device *d = arg;
    int idle = 0;
#ifdef __linux__
    prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0); /* sleeps of 20 us, not of 70 */
#endif
    const int error = d->port.ops->enter(&d->port);
    while (take_in(d)) {
        const int moved = error ? error : device_step(d);
        if (moved < 0)
            give_up(d, moved);
        idle = moved ? 0 : idle + 1;
        if (!moved)
            pause_for(idle);
    }
    if (!error)
        d->port.ops->leave(&d->port);
    return NULL;
}

/* Devices begin with different quarters of their tiles, so that what two of them need comes from the host to each by
 * half, and crosses from one to the other later. With chunks that are quarters of a square, those of a row or column of
 * chunks are in different columns or rows of theirs at any time. */
static long in_turn(const struct device *d, long count, long k) {
    static const int first[4] = {0, 2, 1, 3};
    long quarter = 0, before = 0;
    for (int turn = 0; turn < 4; turn++) {
        quarter = turn ^ first[d->rank & 3];
        const long length = count * (quarter + 1) / 4 - count * quarter / 4;
        if (k < before + length)
            break;
        before += length;
    }
    return count * quarter / 4 + k - before;
}

/* A group of s x s tiles loads 2 s panels while it computes s * s tiles: with fewer than so many, products wait for the
 * link. Where they do in any case, with all tiles in one group, small groups let the first tiles go back earlier. */
static long groups_of(const struct device *d, long count) {
    const double link = 40e9, side = (double)gemm_element(d->g) * d->rate / (link * (double)d->g->tile);
    const long fit = (long)((double)count / fmax(side * side, 4));
    return side * side > (double)count ? least(count, GROUPS) : least(most(fit, 1), GROUPS);
}

static bool send_in(struct device *d, struct order *order) {
    const long groups = groups_of(d, order->count);
    bool ok = false;
    pthread_mutex_lock(&d->lock);
    if (!d->failed && make_room(&d->incoming, &d->incoming_room, d->incoming_count + order->count)) {
        long k = 0;
        for (; k < order->count; k++) {
            struct work *w = calloc(1, sizeof *w);
            if (!w)
                break;
            const long group = k * groups / order->count;
            *w = (struct work){.order = order,
                               .t = order->first + in_turn(d, order->count, k),
                               .group = d->groups + group,
                               .slot = -1};
            w->at = gemm_tile_at(d->g, w->t);
            d->incoming[d->incoming_count + k] = w;
        }
        ok = k == order->count;
        d->groups += GROUPS;
        while (!ok && k > 0)
            free(d->incoming[d->incoming_count + --k]);
        d->incoming_count += ok ? order->count : 0;
        pthread_cond_signal(&d->more);
    }
    pthread_mutex_unlock(&d->lock);
    return ok;
}

static void wait_for(struct device *d, struct order *order) {
    pthread_mutex_lock(&d->lock);
    while (order->left)
        pthread_cond_wait(&d->less, &d->lock);
    pthread_mutex_unlock(&d->lock);
}

static struct device *find(const struct gemm *g, int device) {
    for (int k = 0; g->devices && k < g->devices->count; k++)
        if (g->devices->device[k]->port.device == device)
            return g->devices->device[k];
    return NULL;
}

void devices_run(struct gemm *g, int device, long first, long count) {
    struct device *d = g->k ? find(g, device) : NULL; /* without depth there is nothing to move, C is scaled */
    struct order order = {
        .first = first, .count = count, .left = count, .failed = d ? calloc((size_t)count + 1, 1) : NULL};
    const bool sent = d && order.failed && send_in(d, &order);
    if (sent)
        wait_for(d, &order);
    for (long k = 0; k < count; k++)
        if (!sent || order.failed[k])
            gemm_host(g, first + k);
    free(order.failed);
}

void gemm_device(struct gemm *g, long first, long count) {
#if __has_include(<heddle.h>)
    devices_run(g, heddle_variant_device(), first, count);
#else
    devices_run(g, -1, first, count);
#endif
}

void gemm_name_loop(const struct gemm *g) {
#if __has_include(<heddle.h>)
    char name[64];
    long depth = 1;
    while (depth * 2 <= g->k)
        depth *= 2;
    snprintf(name, sizeof name, "fp%d tile %ld depth %ld", g->is_double ? 64 : 32, g->tile, depth);
    heddle_loop_case(name);
#else
    (void)g;
#endif
}
