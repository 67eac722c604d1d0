/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of bench-host: by heddle, the same file once more by OpenMP, and once more as it is written. */
#ifndef BENCH_NEST_HOST_H
#define BENCH_NEST_HOST_H

#define BENCH_HOST_LOOPS(X)                                                                                            \
    X(triad, "x[i] + s * y[i]: bound by memory where arrays are large")                                                \
    X(stencil, "five points of a grid of 512 columns")                                                                 \
    X(compute, "200 dependent operations an iteration")                                                                \
    X(triangle, "iteration i takes i operations: equal parts are not equal work")                                      \
    X(sum, "a reduction")                                                                                              \
    X(rows, "a sum over each row of a matrix of 512 columns, kept in an element")                                      \
    X(columns, "sums over the columns of such a matrix: an array is reduced")                                          \
    X(few, "a triad, then a loop of six long iterations")

/* n iterations; a and b are read, c is written. */
typedef double host_loop(long n, const double *a, const double *b, double *c);
#define BENCH_HOST_DECLARE(name, text) host_loop host_##name, host_##name##_omp, host_##name##_serial;
BENCH_HOST_LOOPS(BENCH_HOST_DECLARE)
enum { BENCH_HOST_COLUMNS = 512 /* of an iteration of stencil, rows and columns */ };

#endif
