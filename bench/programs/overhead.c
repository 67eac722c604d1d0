/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the selector adds to a region that does nothing, written as plain OpenMP: an empty region, one with a small map,
 * and one on data that stays mapped. Processes differ by more than what is sought, so one process runs batches of both
 * in turns: the switch passes its regions on to libheddle, or straight to libomptarget. Medians over --repeat pairs of
 * batches. Without HEDDLE_POLICY both are plain.
 */
#include "overhead_switch.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 3 };
static int a[16], b[16];

static double empty(int batch) {
    const double start = omp_get_wtime();
    for (int j = 0; j < batch; j++) {
#pragma omp target
        {
        }
    }
    return omp_get_wtime() - start;
}

static double mapped(int batch) {
    const double start = omp_get_wtime();
    for (int j = 0; j < batch; j++) {
#pragma omp target map(tofrom : a)
        a[0]++;
    }
    return omp_get_wtime() - start;
}

static double resident(int batch) {
    const double start = omp_get_wtime();
    for (int j = 0; j < batch; j++) {
#pragma omp target
        a[0] += b[0];
    }
    return omp_get_wtime() - start;
}

static int by_size(const void *x, const void *y) {
    const double s = *(const double *)x, t = *(const double *)y;
    return (s > t) - (s < t);
}

static double median(double *t, int n) {
    qsort(t, (size_t)n, sizeof *t, by_size);
    return t[n / 2];
}

struct result {
    double plain,
        added; /* us per region: the median of plain batches; the median difference of two that follow each other */
};

static struct result compare(double (*run)(int), int repeat, int batch) {
    double *t = malloc(2 * (size_t)repeat * sizeof *t);
    if (!t)
        exit(2);
    for (int k = -repeat / 10 - 1; k < repeat; k++) {
        double seconds[2];
        for (int turn = 0; turn < 2; turn++) {
            overhead_direct = (turn + k) & 1;
            seconds[overhead_direct] = run(batch);
        }
        if (k < 0)
            continue;
        t[k] = seconds[1];
        t[repeat + k] = seconds[0] - seconds[1];
    }
    const double us = 1e6 / batch;
    const struct result r = {us * median(t, repeat), us * median(t + repeat, repeat)};
    free(t);
    return r;
}

int main(int argc, char **argv) {
    int repeat = 200, batch = 50;
    struct result r[KINDS];
    for (int k = 1; k < argc; k++)
        if (!strncmp(argv[k], "--repeat=", 9) && atoi(argv[k] + 9) > 0)
            repeat = atoi(argv[k] + 9);
        else if (!strncmp(argv[k], "--batch=", 8) && atoi(argv[k] + 8) > 0)
            batch = atoi(argv[k] + 8);
        else if (strcmp(argv[k], "--json") != 0) {
            fprintf(stderr, "usage: bench-overhead [--repeat=N] [--batch=N] [--json]\n");
            return 2;
        }
    if (!overhead_find()) {
        fprintf(stderr, "bench-overhead: no libomptarget\n");
        return 2;
    }
    b[0] = 1;
    r[0] = compare(empty, repeat, batch);
    r[1] = compare(mapped, repeat, batch);
#pragma omp target data map(tofrom : a, b)
    r[2] = compare(resident, repeat, batch);
    printf("{\"program\": \"bench-overhead\", \"size\": \"%dx%d\", \"seconds\": %.9f, \"empty_us\": %.3f, "
           "\"mapped_us\": %.3f, "
           "\"resident_us\": %.3f, \"empty_added_us\": %.3f, \"mapped_added_us\": %.3f, \"resident_added_us\": %.3f, "
           "\"checksum\": \"%d\"}\n",
           repeat, batch, 1e-6 * (r[0].plain + r[1].plain + r[2].plain), r[0].plain, r[1].plain, r[2].plain, r[0].added,
           r[1].added, r[2].added, a[0]);
    return a[0] != 4 * batch * (repeat + repeat / 10 + 1);
}
