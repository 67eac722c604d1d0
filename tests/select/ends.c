/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ends NAME [FILE]: programs that end, fork or grow in the middle. What the status must be stands at each; ends.sh
 * compares with plain OpenMP. Nothing may hang.
 */
#include <dlfcn.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1000, ROUNDS = 12 };

static void add_one(int *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : N])
    for (int i = 0; i < N; i++)
        a[i] += 1;
}

static int sum_of(const int *a) {
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i];
    return sum;
}

/* A region that aborts, in its later rounds, wherever it is then: 134 and its message. */
static int abort_in_region(void) {
    for (int k = 0; k < ROUNDS; k++) {
        int x = k;
#pragma omp target map(tofrom : x)
        if (++x == ROUNDS - 2) {
            printf("this region cannot go on with %d\n", x);
            fflush(NULL);
            abort();
        }
    }
    return 1;
}

/* The same with exit: 5. */
static int exit_in_region(void) {
    for (int k = 0; k < ROUNDS; k++) {
        int x = k;
#pragma omp target map(tofrom : x)
        if (++x == ROUNDS - 2)
            exit(5);
    }
    return 1;
}

/* Many threads in regions while one ends the process: 3. */
static int exit_beside_regions(void) {
#pragma omp parallel num_threads(4)
    {
        int *a = calloc(N, sizeof *a);
        for (int k = 0; k < 1000; k++) {
            add_one(a);
            if (k == 100 && omp_get_thread_num() == 1)
                exit(3);
        }
        free(a);
    }
    return 1;
}

/* The main thread ends in the middle of nowait regions: 4. */
static int exit_beside_tasks(void) {
    static int a[64];
    for (int k = 0; k < 64; k++) {
#pragma omp target map(tofrom : a[k : 1]) nowait
        a[k] += 1;
    }
    exit(4);
}

/* A child that runs regions of its own, and a parent that goes on: 0. */
static int fork_after_start(void) {
    int *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b), status = 1;
    for (int k = 0; k < ROUNDS; k++)
        add_one(a);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
#pragma omp target map(tofrom : b[0 : N])
        b[0] += 7;
        _exit(b[0] == 7 && sum_of(a) == ROUNDS * N ? 0 : 1);
    }
    for (int k = 0; k < ROUNDS; k++)
        add_one(a);
    waitpid(child, &status, 0);
    return status != 0 || sum_of(a) != 2 * ROUNDS * N;
}

/* Another library with regions comes, goes and comes again: 0. */
static int second_library(const char *file) {
    int *a = calloc(N, sizeof *a), expected = 0;
    for (int k = 0; k < 3; k++) {
        void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        void (*double_all)(int *, int) = library ? (void (*)(int *, int))dlsym(library, "double_all") : NULL;
        if (!double_all) {
            fprintf(stderr, "%s\n", dlerror());
            return 2;
        }
        for (int j = 0; j < 4; j++) {
            add_one(a);
            double_all(a, N);
            expected = 2 * (expected + 1);
        }
        dlclose(library);
    }
    return sum_of(a) != expected * N;
}

static int out_of_range(void) {
    const int device = omp_get_num_devices() + 5;
    int x = 0;
#pragma omp target map(tofrom : x) device(device)
    x = 1;
    return x != 1; /* a run time may also take the host */
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*run)(void);
    } ends[] = {{"abort-in-region", abort_in_region},         {"exit-in-region", exit_in_region},
                {"exit-beside-regions", exit_beside_regions}, {"exit-beside-tasks", exit_beside_tasks},
                {"fork-after-start", fork_after_start},       {"out-of-range", out_of_range}};
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        if (!strcmp(name, ends[k].name))
            return ends[k].run();
    if (!strcmp(name, "second-library") && argc > 2)
        return second_library(argv[2]);
    fprintf(stderr, "ends: no program '%s'\n", name);
    return 99;
}
