/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that do not fit into a device's memory: each engine says so in one line and has the right result. An x86_64
 * device's memory is this process's, whose address space is limited. Usage: memory_limit MB [warm]: megabytes beyond
 * what is in use; warm: after a small run.
 */
#include <heddle.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { SIDE = 2500, LENGTH = 6000000, TASKS = 300000 };

static int fill_table(int n, int m, int (*A)[m]) {
    int most = 0;
#pragma heddle wavefront reduction(max: most) device(0)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i - 1][j - 1]) & 0xffff;
            most = A[i][j] > most ? A[i][j] : most;
        }
    return most;
}

static long triple(long n, const int *a, int *b) {
    long sum = 0;
#pragma heddle for map(to: a[heddle_lo : heddle_count]) map(from: b[heddle_lo : heddle_count]) reduction(+: sum) device(0)
    for (long i = 0; i < n; i++) {
        b[i] = 3 * a[i];
        sum += b[i];
    }
    return sum;
}

static void next_task(const int *a, int *b, int i) { b[i] = a[i] + 1; }

static void add_one(int n, const int *a, int *b) {
#pragma heddle pool map(to: a[0:n]) map(tofrom: b[0:n]) device(0)
    {
#pragma heddle taskloop
        for (int i = 0; i < n; i++)
            next_task(a, b, i);
    }
}

static int check(const char *what, long wrong) {
    if (wrong)
        printf("%s: %ld wrong\n", what, wrong);
    return wrong != 0;
}

static int run_all(int side, int (*A)[SIDE], int length, int tasks, int *a, int *b) {
    int failed = 0;
    long wrong = 0, sum = 0;
    for (int i = 0; i < side; i++)
        for (int j = 0; j < SIDE; j++)
            A[i][j] = i ? j ? -1 : i * 31 : j * 7;
    const int most = fill_table(side, SIDE, A);
    int found = 0;
    for (int i = 1; i < side; i++)
        for (int j = 1; j < SIDE; j++) {
            wrong += A[i][j] != ((A[i - 1][j] + A[i][j - 1] + A[i - 1][j - 1]) & 0xffff);
            found = A[i][j] > found ? A[i][j] : found;
        }
    failed |= check("wavefront", wrong + (most != found));
    const long got = triple(length, a, b);
    wrong = 0;
    for (int i = 0; i < length; i++) {
        wrong += b[i] != 3 * a[i];
        sum += 3 * a[i];
    }
    failed |= check("for", wrong + (got != sum));
    add_one(tasks, a, b);
    wrong = 0;
    for (int i = 0; i < tasks; i++)
        wrong += b[i] != a[i] + 1;
    return failed | check("pool", wrong);
}

static void limit(size_t more) {
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld", &pages) == 1)
        setrlimit(RLIMIT_AS, &(struct rlimit){.rlim_cur = (size_t)pages * 4096 + more, .rlim_max = RLIM_INFINITY});
    if (f)
        fclose(f);
}

int main(int argc, char **argv) {
    if (argc < 2 || heddle_device_count() < 1)
        return puts("skipped: no x86_64 devices here"), 77;
    int(*A)[SIDE] = malloc(sizeof(int[SIDE][SIDE])), *a = malloc(LENGTH * sizeof *a), *b = malloc(LENGTH * sizeof *b);
    if (!A || !a || !b)
        return 1;
    for (int i = 0; i < LENGTH; i++)
        a[i] = i & 1023;
    if (argc > 2 && run_all(100, A, 1000, 1000, a, b))
        return 1;
    for (int d = 0; d < heddle_device_count();
         d++) /* LLVM 22 starts a device at its first use, and crashes where that fails */
        omp_target_is_present(argv, d);
    limit((size_t)atol(argv[1]) << 20);
    return run_all(SIDE, A, LENGTH, TASKS, a, b);
}
