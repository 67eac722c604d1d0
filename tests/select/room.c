/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions whose data does not fit where they are to run: x86_64 devices have this process's memory, whose address space
 * is limited. own: what the region maps itself fits nowhere. kept: what the program keeps on its device fits on no
 * other one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { N = 6000000, RUNS = 6 };

static void limit(size_t more) {
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld", &pages) == 1)
        setrlimit(RLIMIT_AS, &(struct rlimit){.rlim_cur = (size_t)pages * 4096 + more, .rlim_max = RLIM_INFINITY});
    if (f)
        fclose(f);
}

static void add_one(int *a, int n) {
#pragma omp target map(tofrom : a[0 : n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
}

static long wrong(const int *a, int more) {
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] != i + more;
    return sum;
}

int main(int argc, char **argv) {
    int *a = malloc(N * sizeof *a);
    if (argc < 2 || !a)
        return 2;
    for (int i = 0; i < N; i++)
        a[i] = i;
    add_one(a, 1000); /* the device has started */
    for (int i = 0; i < 1000; i++)
        a[i] = i;
    if (!strcmp(argv[1], "own")) {
        limit(8 << 20);
        for (int k = 0; k < RUNS; k++)
            add_one(a, N);
        return wrong(a, RUNS) != 0;
    }
#pragma omp target enter data map(to : a[0 : N])
    limit(8 << 20);
    for (int k = 0; k < RUNS; k++)
        add_one(a, N);
#pragma omp target exit data map(from : a[0 : N])
    return wrong(a, RUNS) != 0;
}
