/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a region costs that does nothing, written as plain OpenMP: the medians, over --repeat batches, of an empty region, of one
 * with a small map, and of one on data that stays mapped. The suite `selector` compares plain libomptarget with the selector's
 * policies, tests/select/overhead.sh shows the same on x86_64 devices.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 3 };
static int a[16], b[16];

static double empty(int batch)
{
    const double start = omp_get_wtime();
    for (int j = 0; j < batch; j++) {
#pragma omp target
        {
        }
    }
    return omp_get_wtime() - start;
}

static double mapped(int batch)
{
    const double start = omp_get_wtime();
    for (int j = 0; j < batch; j++) {
#pragma omp target map(tofrom : a)
        a[0]++;
    }
    return omp_get_wtime() - start;
}

static double resident(int batch)
{
    const double start = omp_get_wtime();
    for (int j = 0; j < batch; j++) {
#pragma omp target
        a[0] += b[0];
    }
    return omp_get_wtime() - start;
}

static int by_size(const void *x, const void *y)
{
    const double s = *(const double *)x, t = *(const double *)y;
    return (s > t) - (s < t);
}

static double median_us(double (*run)(int), double *t, int repeat, int batch)
{
    for (int k = 0; k < repeat; k++)
        t[k] = run(batch);
    qsort(t, (size_t)repeat, sizeof *t, by_size);
    return 1e6 * t[repeat / 2] / batch;
}

int main(int argc, char **argv)
{
    int repeat = 200, batch = 200;
    double us[KINDS];
    for (int k = 1; k < argc; k++)
        if (!strncmp(argv[k], "--repeat=", 9) && atoi(argv[k] + 9) > 0)
            repeat = atoi(argv[k] + 9);
        else if (!strncmp(argv[k], "--batch=", 8) && atoi(argv[k] + 8) > 0)
            batch = atoi(argv[k] + 8);
        else if (strcmp(argv[k], "--json") != 0) {
            fprintf(stderr, "usage: bench-overhead [--repeat=N] [--batch=N] [--json]\n");
            return 2;
        }
    double *t = malloc((size_t)repeat * sizeof *t);
    if (!t)
        return 2;
    b[0] = 1;
    us[0] = median_us(empty, t, repeat, batch);
    us[1] = median_us(mapped, t, repeat, batch);
#pragma omp target data map(tofrom : a, b)
    us[2] = median_us(resident, t, repeat, batch);
    free(t);
    printf("{\"program\": \"bench-overhead\", \"size\": \"%dx%d\", \"seconds\": %.9f, \"empty_us\": %.3f, \"mapped_us\": %.3f, "
           "\"resident_us\": %.3f, \"checksum\": \"%d\"}\n",
           repeat, batch, 1e-6 * (us[0] + us[1] + us[2]), us[0], us[1], us[2], a[0]);
    return a[0] != 2 * repeat * batch;
}
