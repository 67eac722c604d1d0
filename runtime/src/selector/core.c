/* SPDX-License-Identifier: Apache-2.0 */
/* State of the selector, its lock, and its start, fork and end. */
#include "device/available.h"
#include "graph.h"
#include "selector.h"
#include "tasks.h"
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct selector heddle__sel = {.devices = -1};
_Thread_local int heddle__inside;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;

/* libomp registers a thread at that thread's first call, under a lock that it also holds while it tells (OMPT) of a
   thread's end, where ompt.c takes ours: a thread must be registered before it takes ours. */
static atomic_bool ready;
void heddle__lock(void) {
    static _Thread_local bool registered;
    if (!registered && atomic_load_explicit(&ready, memory_order_relaxed)) {
        registered = true;
        omp_get_default_device();
    }
    pthread_mutex_lock(&mutex);
}
void heddle__unlock(void) { pthread_mutex_unlock(&mutex); }
void heddle__wake(void) { pthread_cond_broadcast(&changed); }

static struct timespec in(double seconds) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const double ns = (double)t.tv_nsec + 1e9 * seconds;
    t.tv_sec += (time_t)(ns / 1e9);
    t.tv_nsec = (long)(ns - 1e9 * (double)(long)(ns / 1e9));
    return t;
}

void heddle__wait(double seconds) {
    const struct timespec until = in(seconds);
    pthread_cond_timedwait(&changed, &mutex, &until);
}

static void make_condition(void) {
    pthread_condattr_t a;
    pthread_condattr_init(&a);
    pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &a);
    pthread_condattr_destroy(&a);
}

/* The child has one thread: what others were doing never ends there, so it is forgotten. */
static void after_fork(void) {
    pthread_mutex_init(&mutex, NULL);
    make_condition();
    heddle__active_forget();
    heddle__data_forget_migrations();
    heddle__tasks_forget();
    heddle__record_forget();
    heddle__inside = 0;
}

static bool yes(const char *option) {
    const char *value = heddle_option_get(option);
    return *value && strcmp(value, "0") != 0;
}

__attribute__((constructor)) static void start(void) {
    if (!*heddle_option_get("policy"))
        return;
    heddle__options_check();
    make_condition();
    pthread_atfork(heddle__lock, heddle__unlock, after_fork);
    heddle__sel.summary = yes("explain");
    heddle__sel.explain = heddle__sel.summary && strcmp(heddle_option_get("explain"), "summary") != 0;
    heddle__sel.override = yes("override-device");
    heddle__sel.policy = heddle__policy_find(heddle_option_get("policy"));
    heddle__sel.fixed = heddle__sel.policy == &heddle__policy_fixed;
    if (heddle__sel.policy->start)
        heddle__sel.policy_state = heddle__sel.policy->start();
    heddle__sel.active = heddle__real_there();
    if (!heddle__sel.active) {
        heddle__warn(NULL, "no LLVM offload library behind this program; it runs as plain OpenMP");
        return;
    }
    heddle__record_start();
    heddle__hooks_view();
}

void heddle__give_up(const char *reason) {
    if (heddle__sel.opaque)
        return;
    heddle__sel.opaque = true;
    heddle__data_bring_all_back();
    heddle__verbose("%s: regions stay on their device", reason);
}

/* HEDDLE_CANDIDATES=0,2,host */
static place_set parse_candidates(const char *text, int devices) {
    place_set all = BIT(HOST), set = 0;
    for (int d = 0; d < devices; d++)
        all |= BIT(d);
    if (!strcmp(text, "all"))
        return all;
    for (const char *p = text; *p;) {
        const size_t length = strcspn(p, ",");
        char *end;
        const long d = strtol(p, &end, 10);
        if (length == 4 && !strncmp(p, "host", 4))
            set |= BIT(HOST);
        else if (end == p + length && end > p && d >= 0 && d < devices)
            set |= BIT(d);
        else
            heddle__warn(NULL, "HEDDLE_CANDIDATES=%s: there is no '%.*s'; `heddle doctor` shows the devices", text,
                         (int)length, p);
        p += length + (p[length] == ',');
    }
    if (!set)
        heddle__warn(NULL, "HEDDLE_CANDIDATES=%s names no device that is there; using all", text);
    return set ? set : all;
}

/* What OMP_AVAILABLE_DEVICES leaves of it. */
static place_set available(place_set set) {
    for (int d = 0; d < heddle__sel.devices; d++)
        set &= heddle__device_available(d) ? ~(place_set)0 : ~BIT(d);
    return set ? set : BIT(HOST);
}

/* With HEDDLE_DEVICE that device is the program's default device. */
static void set_default_device(void) {
    const char *device = heddle_option_get("device");
    char *end;
    const long d = strtol(device, &end, 10);
    const int plain = omp_get_default_device();
    const int instead = heddle__available_instead(plain, plain || getenv("OMP_DEFAULT_DEVICE"));
    if (plain >= 0 && plain < heddle__sel.devices && instead != plain)
        omp_set_default_device(instead < 0 ? omp_get_initial_device() : instead);
    if (!strcmp(device, "host"))
        omp_set_default_device(omp_get_initial_device());
    else if (end > device && !*end && d >= 0 && d < heddle__sel.devices)
        omp_set_default_device((int)d);
    else if (strcmp(device, "auto") != 0 && strcmp(device, "all") != 0)
        heddle__warn(NULL, "HEDDLE_DEVICE=%s is not auto, host or a device number below %d; using auto", device,
                     heddle__sel.devices);
    heddle__sel.default_device = omp_get_default_device();
}

/* libomptarget shuts down while exit runs; regions that other threads start then would crash in it. Those that
   run get a moment to end, new ones do not start: their threads end with the process. Only libomp's helper threads go
   on, for it waits for them: what their tasks would have done is left out. */
static _Atomic bool ending;
static pthread_t ends_it;
atomic_int heddle__fixed_running;

void heddle__begin_end(void) {
    if (atomic_load(&ending))
        return;
    ends_it = pthread_self();
    atomic_store(&ending, true);
    heddle__lock();
    for (int tries = 0; tries < 100 && (heddle__on_devices() || atomic_load(&heddle__fixed_running)); tries++)
        heddle__wait(0.01);
    heddle__unlock();
}

void heddle__no_end(void) { atomic_store(&ending, false); }

bool heddle__stop_if_ending(bool locked, bool task) {
    if (!atomic_load_explicit(&ending, memory_order_acquire) || pthread_equal(ends_it, pthread_self()))
        return false;
    if (task)
        return true;
    if (locked)
        heddle__unlock();
    for (;;)
        pause();
}

/* Counted first and asked then, as the end says first and counts then: one of the two sees the other. */
bool heddle__enter_fixed(bool task) {
    atomic_fetch_add(&heddle__fixed_running, 1);
    if (!atomic_load(&ending))
        return true;
    atomic_fetch_sub(&heddle__fixed_running, 1);
    if (heddle__stop_if_ending(false, task))
        return false;
    atomic_fetch_add(&heddle__fixed_running, 1); /* the thread that ends the program */
    return true;
}

void heddle__select_ready(void) {
    if (heddle__sel.devices >= 0)
        return;
    heddle__inside++;
    const int devices = omp_get_num_devices();
    heddle__sel.devices = devices < HOST ? devices : HOST;
    set_default_device();
    heddle__sel.candidates = available(parse_candidates(heddle_option_get("candidates"), heddle__sel.devices));
    heddle__classes_start(heddle__sel.devices);
    heddle__models_load();
    atomic_store(&ready, true);
    atexit(heddle__begin_end); /* as late as possible, so that it comes before the program's images are unregistered */
    heddle__inside--;
}

void heddle__select_once(void) {
    heddle__lock();
    heddle__select_ready();
    heddle__unlock();
}

/* At exit other threads may still be inside a region; whoever holds the lock then never gives it back, so
   the wait for it is short and the report is left out. */
__attribute__((destructor)) static void finish(void) {
    if (!heddle__sel.active || heddle__sel.devices < 0)
        return;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += 1;
    if (pthread_mutex_timedlock(&mutex, &t))
        return;
    heddle__explain_summary();
    heddle__record_end();
    heddle__models_save();
    heddle__iteration_stop();
    if (heddle__sel.policy->stop)
        heddle__sel.policy->stop(heddle__sel.policy_state);
    pthread_mutex_unlock(&mutex);
}
