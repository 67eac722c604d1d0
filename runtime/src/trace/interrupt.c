/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ctrl-C and a polite kill end a recorded program with its timeline written. A signal handler may do next to
 * nothing, so it wakes a thread, which writes the file and then lets the signal do what it would have done.
 * Signals that the program handles itself are its own business; SIGKILL leaves no file, or the one from before.
 */
#include "record.h"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };
static sem_t wake;
static atomic_int came;
static pid_t owner;

static void end_by(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

static void handle(int number) {
    if (getpid() != owner) /* a forked child has no thread to wake, and no timeline */
        end_by(number);
    else if (!atomic_exchange(&came, number))
        sem_post(&wake);
}

static void *await(void *unused) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    while (sem_wait(&wake)) {
    }
    heddle__trace_finish();
    const int number = atomic_load(&came);
    signal(number, SIG_DFL);
    kill(getpid(), number);
    return unused;
}

void heddle__trace_interrupts(void) {
    pthread_t thread;
    struct sigaction old, new = {.sa_handler = handle, .sa_flags = SA_RESTART};
    owner = getpid();
    sigemptyset(&new.sa_mask);
    if (sem_init(&wake, 0, 0) || pthread_create(&thread, NULL, await, NULL))
        return;
    pthread_detach(thread);
    for (int k = 0; k < SIGNALS; k++)
        if (!sigaction(signals[k], NULL, &old) && old.sa_handler == SIG_DFL && !(old.sa_flags & SA_SIGINFO))
            sigaction(signals[k], &new, NULL);
}
