/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded: the HELD-th place in libheddle, in the order in which a second thread comes to them, that takes a lock
 * keeps it until the main thread has forked. A lock that fork() itself wants is given back after a moment.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PLACES = 512, PATIENCE = 4000, MOMENT = 300 /* milliseconds */ };
__attribute__((visibility("default"))) int held_lock_wait(void);
__attribute__((visibility("default"))) void held_lock_fork(void);
__attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t *mutex);
__attribute__((visibility("default"))) int pthread_mutex_trylock(pthread_mutex_t *mutex);

static _Atomic uintptr_t places[PLACES];
static atomic_int known, held, forking;
static pthread_t main_thread;
static int wanted; /* 0: other constructors run before ours */

static void pause_ms(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); }

__attribute__((constructor)) static void begin(void) {
    main_thread = pthread_self();
    wanted = getenv("HELD") ? atoi(getenv("HELD")) : 1;
}

static int in_libheddle(void *at) {
    Dl_info info;
    return dladdr(at, &info) && info.dli_fname && strstr(info.dli_fname, "libheddle.so");
}

/* 0: seen before. */
static int number_of(void *at) {
    const int n = atomic_load(&known);
    for (int k = 0; k < n; k++)
        if (atomic_load(&places[k]) == (uintptr_t)at)
            return 0;
    const int mine = atomic_fetch_add(&known, 1);
    if (mine < PLACES)
        atomic_store(&places[mine], (uintptr_t)at);
    return mine + 1;
}

static void hold(void *at) {
    static _Thread_local int busy;
    if (!wanted || atomic_load(&held) || pthread_equal(pthread_self(), main_thread) || busy)
        return;
    busy = 1; /* dladdr locks, too */
    if (in_libheddle(at) && number_of(at) == wanted) {
        Dl_info info;
        if (dladdr(at, &info))
            fprintf(stderr, "held: a lock that is taken at libheddle.so+0x%lx\n",
                    (unsigned long)at - (unsigned long)info.dli_fbase);
        atomic_store(&held, 1);
        for (int ms = 0; ms < PATIENCE && !atomic_load(&forking); ms++)
            pause_ms();
        for (int ms = 0; ms < MOMENT; ms++)
            pause_ms();
    }
    busy = 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static int (*real)(pthread_mutex_t *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    const int error = real(mutex);
    if (!error)
        hold(__builtin_return_address(0));
    return error;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    static int (*real)(pthread_mutex_t *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_trylock");
    const int error = real(mutex);
    if (!error)
        hold(__builtin_return_address(0));
    return error;
}

int held_lock_wait(void) {
    for (int ms = 0; ms < PATIENCE && !atomic_load(&held); ms++)
        pause_ms();
    return atomic_load(&held);
}

void held_lock_fork(void) { atomic_store(&forking, 1); }
