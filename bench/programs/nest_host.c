/* SPDX-License-Identifier: Apache-2.0 */
#include "nest_host.h"
#if defined(BENCH_SERIAL)
#define LOOP(name) host_##name##_serial
#elif defined(BENCH_OMP)
#define LOOP(name) host_##name##_omp
#else
#define LOOP(name) host_##name
#endif

double LOOP(triad)(long n, const double *a, const double *b, double *c) {
    const double s = 0.5;
#ifdef BENCH_OMP
#pragma omp parallel for
#endif
#pragma heddle for map(to : a[heddle_lo : heddle_count], b[heddle_lo : heddle_count])                                  \
    map(from : c[heddle_lo : heddle_count])
    for (long i = 0; i < n; i++)
        c[i] = a[i] + s * b[i];
    return 0;
}

double LOOP(stencil)(long n, const double *a0, const double *b, double *c0) {
    const double(*a)[BENCH_HOST_COLUMNS] = (const double(*)[BENCH_HOST_COLUMNS])a0;
    double(*c)[BENCH_HOST_COLUMNS] = (double(*)[BENCH_HOST_COLUMNS])c0;
    (void)b;
#ifdef BENCH_OMP
#pragma omp parallel for
#endif
#pragma heddle for map(to : a[heddle_lo - 1 : heddle_count + 2]) map(tofrom : c[heddle_lo : heddle_count])
    for (long i = 1; i < n - 1; i++)
        for (int j = 1; j < BENCH_HOST_COLUMNS - 1; j++)
            c[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
    return 0;
}

double LOOP(compute)(long n, const double *a, const double *b, double *c) {
    (void)b;
#ifdef BENCH_OMP
#pragma omp parallel for
#endif
#pragma heddle for map(to : a[heddle_lo : heddle_count]) map(from : c[heddle_lo : heddle_count])
    for (long i = 0; i < n; i++) {
        double v = a[i];
        for (int k = 0; k < 100; k++)
            v = v * 0.999 + 0.001;
        c[i] = v;
    }
    return 0;
}

double LOOP(triangle)(long n, const double *a, const double *b, double *c) {
    (void)b;
#ifdef BENCH_OMP
#pragma omp parallel for
#endif
#pragma heddle for map(to : a[heddle_lo : heddle_count]) map(from : c[heddle_lo : heddle_count])
    for (long i = 0; i < n; i++) {
        double v = a[i];
        for (long k = 0; k < i; k++)
            v = v * 0.999 + 0.001;
        c[i] = v;
    }
    return 0;
}

double LOOP(sum)(long n, const double *a, const double *b, double *c) {
    double sum = 0;
    (void)c;
#ifdef BENCH_OMP
#pragma omp parallel for reduction(+ : sum)
#endif
#pragma heddle for map(to : a[heddle_lo : heddle_count], b[heddle_lo : heddle_count]) reduction(+ : sum)
    for (long i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

double LOOP(rows)(long n, const double *a0, const double *b, double *c) {
    const double(*a)[BENCH_HOST_COLUMNS] = (const double(*)[BENCH_HOST_COLUMNS])a0;
#ifdef BENCH_OMP
#pragma omp parallel for
#endif
#pragma heddle for map(to : a[heddle_lo : heddle_count], b[0 : BENCH_HOST_COLUMNS])                                    \
    map(from : c[heddle_lo : heddle_count])
    for (long i = 0; i < n; i++) {
        c[i] = 0;
        for (int j = 0; j < BENCH_HOST_COLUMNS; j++)
            c[i] += a[i][j] * b[j];
    }
    return 0;
}

double LOOP(columns)(long n, const double *a0, const double *b, double *c) {
    const double(*a)[BENCH_HOST_COLUMNS] = (const double(*)[BENCH_HOST_COLUMNS])a0;
    for (int j = 0; j < BENCH_HOST_COLUMNS; j++)
        c[j] = 0;
#ifdef BENCH_OMP
#pragma omp parallel for reduction(+ : c[0 : BENCH_HOST_COLUMNS])
#endif
#pragma heddle for map(to : a[heddle_lo : heddle_count], b[heddle_lo : heddle_count])                                  \
    reduction(+ : c[0 : BENCH_HOST_COLUMNS])
    for (long i = 0; i < n; i++)
        for (int j = 0; j < BENCH_HOST_COLUMNS; j++)
            c[j] += a[i][j] * b[i];
    return 0;
}

double LOOP(few)(long n, const double *a, const double *b, double *c) {
    LOOP(triad)(n, a, b, c);
#ifdef BENCH_OMP
#pragma omp parallel for
#endif
#pragma heddle for map(to : a[heddle_lo : heddle_count]) map(tofrom : c[heddle_lo : heddle_count])
    for (long i = 0; i < (n < 6 ? n : 6); i++) {
        double v = a[i];
        for (int k = 0; k < 2000; k++)
            v = v * 0.999 + 0.001;
        c[i] = v;
    }
    return 0;
}
