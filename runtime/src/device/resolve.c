/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One choice of device for all engines. `auto` takes the device where the program keeps the arrays; else the host or
 * the first GPU with code, whichever is expected to be faster: by a model that the engine has, by what calls of about
 * this size took in this process, or by a rough bound. Near that bound the other side is tried, too, once this one has
 * been measured: the bound does not know this machine.
 */
#include "resolve.h"
#include "available.h"
#include "device.h"
#include "start.h"
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- what was asked for ------------------------------------------------------------------------------------------ */
static void add(struct heddle__wish *w, int number) {
    if (number < 0) {
        w->negative = number;
        return;
    }
    w->devices |= number < HEDDLE__DEVICES ? (uint64_t)1 << number : 0;
    w->largest = number > w->largest ? number : w->largest;
}

/* Numbers and `host`, joined by commas. OpenMP's number of the host is none here: where there is no device it is 0. */
static bool read_list(struct heddle__wish *w, const char *at) {
    for (char *end;; at = end + 1) {
        const bool host = !strncmp(at, "host", 4);
        const long number = strtol(at, &end, 10);
        end = host ? (char *)(uintptr_t)at + 4 : end;
        if (end == at || number < 0 || (*end && *end != ','))
            return false;
        w->host |= host;
        if (!host)
            add(w, number > INT_MAX ? INT_MAX : (int)number);
        if (!*end)
            return true;
    }
}

struct heddle__wish heddle__wish_read(int clause) {
    struct heddle__wish w = {.largest = -1};
    const struct heddle__wish all = {.all = true, .host = true, .largest = -1};
    char option[HEDDLE__OPTION_MAX];
    if (clause == HEDDLE_DEVICE_ALL)
        return all;
    if (clause != HEDDLE_DEVICE_AUTO) {
        w.host = heddle__is_host(clause);
        if (!w.host)
            add(&w, clause);
        return w;
    }
    heddle__option_read("device", option, sizeof option);
    w.open = !strcmp(option, "auto");
    if (!w.open && strcmp(option, "all") != 0 && read_list(&w, option))
        return w;
    if (!w.open && strcmp(option, "all") != 0) {
        heddle__option_bad("device", option);
        w.open = true;
    }
    return (struct heddle__wish){.open = w.open, .all = true, .host = true, .largest = -1};
}

/* Once for each directive, of the last ones that were told. */
static bool first_told(const struct heddle_site *site, int device) {
    enum { LAST = 64 };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct {
        const struct heddle_site *site;
        int device;
    } told[LAST];
    static int next;
    bool first = true;
    pthread_mutex_lock(&lock);
    for (int k = 0; first && k < LAST; k++)
        first = told[k].site != site || told[k].device != device;
    if (first) {
        told[next].site = site;
        told[next].device = device;
        next = (next + 1) % LAST;
    }
    pthread_mutex_unlock(&lock);
    return first;
}

void heddle__warn_missing(const struct heddle_site *site, const struct heddle__wish *wish, int count) {
    if ((wish->negative || wish->largest >= count) && first_told(site, wish->negative ? wish->negative : wish->largest))
        heddle__warn(site, "device %d is not there (%d found); running on the host. `heddle doctor` shows the devices",
                     wish->negative ? wish->negative : wish->largest, count);
}

void heddle__warn_no_code(const struct heddle_site *site, int device) {
    heddle__warn(site,
                 "the program holds no code for device %d; running on the host. Compile with heddle cc "
                 "--targets=native on this machine",
                 device);
}

static bool has_code(const struct heddle_site *site, int device) {
    return heddle__architecture(site, device) != HEDDLE_ARCH_NONE;
}

/* ---- starting them ----------------------------------------------------------------------------------------------- */
static const double near = 4; /* times the bound */
static pthread_mutex_t waiting_lock = PTHREAD_MUTEX_INITIALIZER;
static double waited_work, waited_seconds; /* of what the host did because no device had been started */
static _Thread_local bool waits;           /* this thread's last call is a part of that */

static void note_waiting(double work, double seconds) {
    pthread_mutex_lock(&waiting_lock);
    waited_work += work;
    waited_seconds += seconds;
    pthread_mutex_unlock(&waiting_lock);
}

/* Nothing is asked of devices before the host has spent as long, with this call, as they take to start: then a program
   takes at most twice as long as it could, and a short one none of it. */
static bool worth_starting(const struct heddle__resolve *call) {
    if (!heddle__devices_wait() || call->holder != HEDDLE_DEVICE_HOST)
        return true;
    if (call->work * near < call->gpu_from)
        return false;
    pthread_mutex_lock(&waiting_lock);
    const double bound = call->host_rate * heddle__host_threads();
    const double rate = waited_seconds > 0 ? waited_work / waited_seconds : bound;
    waits = rate > 0 && waited_seconds + call->work / rate < HEDDLE__START_SECONDS;
    pthread_mutex_unlock(&waiting_lock);
    return !waits;
}

/* ---- what it costs ----------------------------------------------------------------------------------------------- */
enum { ENOUGH = 2 /* runs: the first one starts threads or loads code */ };

static int size_class(double work) {
    const int size = work > 1 ? (int)log2(work) : 0;
    return size < HEDDLE__WORK_SIZES ? size : HEDDLE__WORK_SIZES - 1;
}

void heddle__resolve_note(const struct heddle_site *site, int device, double work, double seconds) {
    if (waits && device == HEDDLE_DEVICE_HOST)
        note_waiting(work, seconds);
    waits = false;
    struct heddle__kernel_facts *k = heddle__kernel_facts(site, device);
    if (!k)
        return;
    struct heddle__run_times *t = &k->times[size_class(work)];
    const int runs = __atomic_load_n(&t->runs, __ATOMIC_RELAXED);
    float now; /* of two threads that note at once, one counts */
    __atomic_load(&t->seconds, &now, __ATOMIC_RELAXED);
    now = (float)(runs < ENOUGH || seconds < now ? seconds : now + (seconds - now) / 4);
    __atomic_store(&t->seconds, &now, __ATOMIC_RELAXED);
    if (runs < ENOUGH)
        __atomic_store_n(&t->runs, runs + 1, __ATOMIC_RELEASE);
}

static double noted(const struct heddle__run_times *t) {
    float seconds = 0;
    if (__atomic_load_n(&t->runs, __ATOMIC_ACQUIRE) == ENOUGH)
        __atomic_load(&t->seconds, &seconds, __ATOMIC_RELAXED);
    return seconds;
}

/* 0: not known. */
static double expected(const struct heddle__resolve *call, int device) {
    const double by_model = call->expected ? call->expected(call->with, device) : 0;
    const struct heddle__kernel_facts *k = by_model > 0 ? NULL : heddle__kernel_facts(call->site, device);
    return by_model > 0 ? by_model : k ? noted(&k->times[size_class(call->work)]) : 0;
}

static int by_costs(const struct heddle__resolve *call, int gpu) {
    const bool large = call->work >= call->gpu_from;
    const int first = large ? gpu : HEDDLE_DEVICE_HOST, other = large ? HEDDLE_DEVICE_HOST : gpu;
    const double here = expected(call, first), there = expected(call, other);
    const bool try_other = call->work * near >= call->gpu_from && call->work <= call->gpu_from * near;
    if (here > 0 && (there > 0 ? there < here : try_other))
        return other;
    return first;
}

static void settle(const struct heddle__resolve *call, bool settled) {
    if (call->settled)
        *call->settled = settled;
}

static int by_itself(const struct heddle__resolve *call, int count) {
    if (call->holder != HEDDLE_DEVICE_HOST && has_code(call->site, call->holder))
        return call->holder;
    for (int d = 0; d < count && call->work * near >= call->gpu_from; d++)
        if (heddle__architecture(call->site, d) > HEDDLE_ARCH_HOST)
            return by_costs(call, d);
    settle(call, call->work * near < call->gpu_from);
    return HEDDLE_DEVICE_HOST;
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */
static int by_number(const struct heddle__resolve *call, const struct heddle__wish *wish, int count) {
    heddle__warn_missing(call->site, wish, count);
    for (int d = 0; d < count && d < HEDDLE__DEVICES; d++) {
        if (!(wish->devices >> d & 1))
            continue;
        if (heddle__device_refused(call->site, d))
            continue;
        if (has_code(call->site, d)) {
            settle(call, !wish->negative && wish->largest < count && !(wish->devices & (((uint64_t)1 << d) - 1)));
            return d;
        }
        heddle__warn_no_code(call->site, d);
    }
    return HEDDLE_DEVICE_HOST;
}

int heddle__resolve(const struct heddle__resolve *call) {
    const struct heddle__wish wish = heddle__wish_read(call->clause);
    if (!wish.all && wish.largest < 0 && !wish.negative) {
        settle(call, true);
        return HEDDLE_DEVICE_HOST;
    }
    if (wish.all && !wish.open && call->shares)
        return HEDDLE_DEVICE_ALL;
    if (wish.all && !worth_starting(call)) {
        settle(call, call->work * near < call->gpu_from);
        return HEDDLE_DEVICE_HOST;
    }
    const int count = heddle_device_count();
    return wish.all ? by_itself(call, count) : by_number(call, &wish, count);
}
