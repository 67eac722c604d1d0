/* SPDX-License-Identifier: Apache-2.0 */
/* A child that was forked from a process with devices runs on the host: it has neither the threads that serve them nor their contexts. */
// says: this process was forked from one that had used its devices
#include "../run/run.h"

#include <sys/wait.h>
#include <unistd.h>

enum { N = 60, M = 80 };
static int H[N][M], t[N], y[N];

static void all(void)
{
    long sum = 0;
#pragma heddle wavefront
    for (int i = 1; i < N; i++)
        for (int j = 1; j < M; j++)
            H[i][j] = (H[i - 1][j] * 3 + H[i][j - 1] + i) & 1023;
#pragma heddle for map(from: y[heddle_lo:heddle_count]) reduction(+: sum)
    for (int i = 0; i < N; i++) {
        y[i] = i * i;
        sum += y[i];
    }
#pragma heddle pool map(tofrom: t)
#pragma heddle taskloop sink(i-1)
    for (int i = 1; i < N; i++)
        t[i] = (t[i - 1] + i) & 255;
    run_report("H", H, sizeof H);
    run_report("y", y, sizeof y);
    run_report("t", t, sizeof t);
    run_report("sum", &sum, sizeof sum);
    fflush(stdout);
}

/* The thread sanitizer lets no child start threads. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define fork() 0
#define _exit(status) (void)0
#define waitpid(child, status, options) (*(status) = 0)
#define alarm(seconds) (void)0
#endif
#endif

int main(void)
{
    int status = 1;
    all();
    const pid_t child = fork();
    if (child == 0) {
        alarm(50); /* rather than to wait for ever */
        all();
        _exit(0);
    }
    waitpid(child, &status, 0);
    printf("%d\n", status);
    all();
    return 0;
}
