/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults-forked FORKS: a thread runs every directive again and again, and another one forks; each child runs them, too,
 * and must end with the right results. With held_lock preloaded, the thread stands still with a lock of libheddle in
 * its hands while the fork happens: the HELD-th place that takes one (exit status 77: there are not so many).
 */
#include "work.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

__attribute__((weak)) int held_lock_wait(void); /* until the thread stands still; 0: it never does */
__attribute__((weak)) void held_lock_fork(void);

enum { CHILD_SECONDS = 120 };
static atomic_bool ended;
static atomic_long rounds;

/* The child is this thread alone, so what the plain program leaves is found before. */
static unsigned long want[64];

static void *run_all(void *unused) {
    while (!atomic_load(&ended)) {
        for (int k = 0; heddle_work[k].name; k++)
            if (heddle_work[k].run() != want[k])
                exit(3);
        atomic_fetch_add(&rounds, 1);
    }
    return unused;
}

static int child(void) {
    alarm(CHILD_SECONDS);     /* rather than to wait for ever */
    work_look_on_devices = 0; /* libomptarget's locks are not ours */
    for (int k = 0; heddle_work[k].name; k++)
        if (heddle_work[k].name[0] != 'r' && heddle_work[k].run() != want[k]) /* not regions, which are plain OpenMP */
            return 3;
    return 0;
}

static int fork_once(int number) {
    int status = 0;
    if (held_lock_fork)
        held_lock_fork();
    const pid_t pid = fork();
    if (pid == 0)
        _exit(child());
    if (pid > 0 && waitpid(pid, &status, 0) == pid && !status)
        return 0;
    printf("fork %d: the child %s %d\n", number, WIFSIGNALED(status) ? "was ended by signal" : "ended with",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return 1;
}

int main(int argc, char **argv) {
    const int forks = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t thread;
    int bad = 0;
    for (int k = 0; plain_work[k].name; k++)
        want[k] = plain_work[k].run();
    if (pthread_create(&thread, NULL, run_all, NULL))
        return 2;
    if (held_lock_wait && !held_lock_wait()) {
        fflush(stdout);
        _exit(77);
    }
    for (int k = 0; k < forks; k++) {
        const struct timespec pause = {0, 1000000 + 997001 * (long)k % 7000000};
        if (!held_lock_wait)
            nanosleep(&pause, NULL);
        bad += fork_once(k);
    }
    atomic_store(&ended, true);
    pthread_join(thread, NULL);
    printf("%d forks, %d bad, %ld rounds of the other thread\n", forks, bad, atomic_load(&rounds));
    return bad != 0;
}
