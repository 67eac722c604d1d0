/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libomptarget starts every GPU when a program registers its device code, which is before main: a third of a second,
 * also for what stays on the host. So libheddle, which stands before it, keeps the registrations and hands them on
 * when something is asked that devices have to answer: by OpenMP's calls (selector/hook*.c) or by libheddle itself.
 */
#include "start.h"
#include "omptarget.h"
#include <pthread.h>
#include <stdlib.h>

struct waiting {
    struct waiting *next;
    void *library;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct waiting *first; /* in the order in which they came */
HEDDLE__AT_HAND atomic_bool heddle__devices_up;
static _Thread_local bool starting; /* what libomptarget and CUDA call meanwhile goes through */

static void hand_on(const char *name, void *library) {
    void (*call)(void *) = (void (*)(void *))heddle__omptarget_function(name);
    if (call)
        call(library);
}

static bool keep(void *library) {
    struct waiting *w = atomic_load(&heddle__devices_up) ? NULL : malloc(sizeof *w), **end = &first;
    if (!w)
        return false;
    while (*end)
        end = &(*end)->next;
    *w = (struct waiting){NULL, library};
    *end = w;
    return true;
}

static atomic_uint added;

unsigned heddle__libraries_added(void) { return atomic_load(&added); }

void heddle__library_add(void *library) {
    atomic_fetch_add(&added, 1);
    pthread_mutex_lock(&lock);
    const bool kept = keep(library);
    pthread_mutex_unlock(&lock);
    if (kept)
        return;
    heddle__devices_start(); /* no memory: those before it first */
    hand_on("__tgt_register_lib", library);
}

void heddle__library_remove(void *library) {
    struct waiting *found = NULL;
    pthread_mutex_lock(&lock);
    for (struct waiting **at = &first; *at && !found;)
        if ((*at)->library == library) {
            found = *at;
            *at = found->next;
        } else {
            at = &(*at)->next;
        }
    pthread_mutex_unlock(&lock);
    if (!found)
        hand_on("__tgt_unregister_lib", library);
    free(found);
}

bool heddle__devices_wait(void) {
    return !atomic_load_explicit(&heddle__devices_up, memory_order_acquire) && !starting;
}

void heddle__devices_start(void) {
    if (!heddle__devices_wait())
        return;
    pthread_mutex_lock(&lock);
    starting = true;
    while (first) {
        struct waiting *w = first;
        first = w->next;
        hand_on("__tgt_register_lib", w->library);
        free(w);
    }
    starting = false;
    atomic_store_explicit(&heddle__devices_up, true, memory_order_release);
    pthread_mutex_unlock(&lock);
}

/* ---- fork ---------------------------------------------------------------------------------------------------- */
/* A child has devices that have started, or that can still start. CUDA itself forks while it starts (modprobe). */
static void hold(void) {
    if (!starting)
        pthread_mutex_lock(&lock);
}
static void let_go(void) {
    if (!starting)
        pthread_mutex_unlock(&lock);
}
__attribute__((constructor)) static void watch(void) { pthread_atfork(hold, let_go, let_go); }
