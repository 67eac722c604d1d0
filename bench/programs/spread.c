/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Independent target regions of one program, written as plain OpenMP for one device: how well does the selector spread
 * them over several GPUs? Each of --arrays arrays gets --regions regions one after the other, in one of three ways:
 *   threads  a host thread per array, each region maps its array
 *   nowait   `target nowait` with a dependence per array
 *   data     a host thread per array, the arrays stay mapped by `target enter data`
 * Unsigned integers only, so every device computes the same bits. (nowait on x86_64 devices: LLVM 19's libomp can
 * abort, with or without heddle.)
 */
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long arrays = 8, regions = 20, work = 10000, size = 1 << 20;

static inline uint32_t mixed(uint32_t v) {
    v ^= v >> 16;
    v *= 0x7feb352du;
    v ^= v >> 15;
    v *= 0x846ca68bu;
    return v ^ v >> 16;
}

static uint32_t many(uint32_t v, long rounds) {
    for (long round = 0; round < rounds; round++)
        v = mixed(v + (uint32_t)round);
    return v;
}

static void region(uint32_t *x, long n, long rounds) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n])
    for (long k = 0; k < n; k++)
        x[k] = many(x[k], rounds);
}

static void by_threads(uint32_t **x, bool data) {
    for (long k = 0; data && k < arrays; k++) {
        uint32_t *a = x[k];
#pragma omp target enter data map(to : a[0 : size])
    }
#pragma omp parallel for num_threads((int)arrays) schedule(static, 1)
    for (long k = 0; k < arrays; k++)
        for (long r = 0; r < regions; r++)
            region(x[k], size, work);
    for (long k = 0; data && k < arrays; k++) {
        uint32_t *a = x[k];
#pragma omp target exit data map(from : a[0 : size])
    }
}

static void by_tasks(uint32_t **x) {
    const long n = size, rounds = work;
#pragma omp parallel
#pragma omp single
    for (long r = 0; r < regions; r++)
        for (long k = 0; k < arrays; k++) {
            uint32_t *a = x[k];
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n]) depend(inout : a[0]) nowait
            for (long i = 0; i < n; i++)
                a[i] = many(a[i], rounds);
        }
}

static uint64_t checksum(uint32_t **x) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (long k = 0; k < arrays; k++)
        for (long i = 0; i < size; i += 5)
            hash = (hash ^ x[k][i]) * UINT64_C(0x100000001b3);
    return hash;
}

static double measure(uint32_t **x, const char *method) {
    for (long k = 0; k < arrays; k++)
        for (long i = 0; i < size; i++)
            x[k][i] = mixed((uint32_t)(k * size + i));
    const double start = omp_get_wtime();
    if (!strcmp(method, "nowait"))
        by_tasks(x);
    else
        by_threads(x, !strcmp(method, "data"));
    return omp_get_wtime() - start;
}

static int usage(void) {
    fprintf(stderr, "usage: bench-spread [--method=threads|nowait|data] [--arrays=N] [--regions=N] [--size=N] "
                    "[--work=N] [--warm=N] [--repeat=N]\n");
    return 2;
}

int main(int argc, char **argv) {
    static const char *const methods[] = {"threads", "nowait", "data"};
    const char *method = methods[0];
    long warm = 1, repeat = 3;
    const struct {
        const char *name;
        long *value, least;
    } options[] = {{"--arrays=", &arrays, 1}, {"--regions=", &regions, 1}, {"--size=", &size, 1},
                   {"--work=", &work, 0},     {"--warm=", &warm, 0},       {"--repeat=", &repeat, 1}};
    for (int k = 1; k < argc; k++) {
        bool known = !strcmp(argv[k], "--json");
        for (size_t j = 0; j < sizeof options / sizeof *options; j++)
            if (!strncmp(argv[k], options[j].name, strlen(options[j].name))) {
                *options[j].value = atol(argv[k] + strlen(options[j].name));
                known = *options[j].value >= options[j].least;
            }
        for (size_t j = 0; j < 3 && !strncmp(argv[k], "--method=", 9); j++)
            if (!strcmp(argv[k] + 9, methods[j])) {
                method = methods[j];
                known = true;
            }
        if (!known)
            return usage();
    }
    uint32_t **x = malloc((size_t)arrays * sizeof *x);
    for (long k = 0; x && k < arrays; k++)
        if (!(x[k] = malloc((size_t)size * sizeof **x)))
            x = NULL;
    if (!x) {
        fprintf(stderr, "bench-spread: no memory for %ld arrays of %ld bytes\n", arrays, size * (long)sizeof(uint32_t));
        return 2;
    }
    double best = 1e30;
    for (long k = 0; k < warm + repeat; k++) {
        const double seconds = measure(x, method);
        fprintf(stderr, "bench-spread: %s, %s: %.6f s\n", method, k < warm ? "warm-up" : "run", seconds);
        if (k >= warm && seconds < best)
            best = seconds;
    }
    printf("{\"program\": \"bench-spread\", \"method\": \"%s\", \"size\": \"%ldx%ld\", \"regions\": %ld, \"seconds\": "
           "%.9f, \"checksum\": \"%llu\"}\n",
           method, size, arrays, arrays * regions, best, (unsigned long long)checksum(x));
    return 0;
}
