/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that serve loops and copies, kept from one to the next: starting sixteen takes longer than a short loop. One
 * that hangs in a device is not waited for; another one takes its place.
 */
#include "threads.h"
#include <omp.h>
#include <stdlib.h>
#include <sys/prctl.h>

struct thread {
    struct thread *next; /* idle ones */
    bool device;         /* it serves devices */
    pthread_cond_t called;
    void (*run)(void *with);
    void *with;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread
    *idle[2]; /* of the host, of devices: the driver keeps something for each thread that ever called it */

static void *live(void *argument) {
    struct thread *me = argument;
    omp_set_num_threads(1);                  /* of teams that a loop's body makes by itself */
    prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0); /* ns: waits for a device are short */
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!me->run)
            pthread_cond_wait(&me->called, &lock);
        void (*run)(void *) = me->run;
        void *with = me->with;
        pthread_mutex_unlock(&lock);
        run(with);
        pthread_mutex_lock(&lock);
        me->run = NULL;
        me->next = idle[me->device];
        idle[me->device] = me;
    }
    return NULL;
}

static struct thread *create(void) {
    struct thread *t = calloc(1, sizeof *t);
    pthread_attr_t attributes;
    pthread_t id;
    if (!t || pthread_attr_init(&attributes)) {
        free(t);
        return NULL;
    }
    pthread_cond_init(&t->called, NULL);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, (size_t)16 << 20);
    const int error = pthread_create(&id, &attributes, live, t);
    pthread_attr_destroy(&attributes);
    if (!error)
        return t;
    pthread_cond_destroy(&t->called);
    free(t);
    return NULL;
}

/* A forked child has none of them. */
static pthread_once_t watched = PTHREAD_ONCE_INIT;

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void in_parent(void) { pthread_mutex_unlock(&lock); }

static void in_child(void) {
    idle[0] = idle[1] = NULL;
    pthread_mutex_unlock(&lock);
}

static void watch(void) { pthread_atfork(before_fork, in_parent, in_child); }

int heddle__thread_run(void (*run)(void *with), void *with, bool device) {
    pthread_once(&watched, watch);
    pthread_mutex_lock(&lock);
    struct thread *t = idle[device];
    if (t)
        idle[device] = t->next;
    else
        t = create(); /* it waits for the lock, or for `run` */
    if (t) {
        t->device = device;
        t->with = with;
        t->run = run;
        pthread_cond_signal(&t->called);
    }
    pthread_mutex_unlock(&lock);
    return t ? 0 : -1;
}
