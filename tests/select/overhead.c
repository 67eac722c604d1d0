/* SPDX-License-Identifier: Apache-2.0 */
/*
 * overhead [rounds]: median time of an empty region, of one with a small map, and of one inside `target data`, in
 * microseconds. overhead.sh compares plain libomptarget with the selector's policies.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 200 };

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *t, int n)
{
    qsort(t, (size_t)n, sizeof *t, by_size);
    return 1e6 * t[n / 2] / BATCH;
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 200;
    double *t = malloc((size_t)rounds * sizeof *t), result[3];
    static int a[16], b[16];
    for (int k = 0; k < rounds; k++) {
        t[k] = omp_get_wtime();
        for (int j = 0; j < BATCH; j++) {
#pragma omp target
            {
            }
        }
        t[k] = omp_get_wtime() - t[k];
    }
    result[0] = median(t, rounds);
    for (int k = 0; k < rounds; k++) {
        t[k] = omp_get_wtime();
        for (int j = 0; j < BATCH; j++) {
#pragma omp target map(tofrom : a)
            a[0]++;
        }
        t[k] = omp_get_wtime() - t[k];
    }
    result[1] = median(t, rounds);
#pragma omp target data map(tofrom : a, b)
    for (int k = 0; k < rounds; k++) {
        t[k] = omp_get_wtime();
        for (int j = 0; j < BATCH; j++) {
#pragma omp target
            a[0] += b[0];
        }
        t[k] = omp_get_wtime() - t[k];
    }
    result[2] = median(t, rounds);
    printf("%.3f %.3f %.3f\n", result[0], result[1], result[2]);
    return a[0] != rounds * BATCH;
}
