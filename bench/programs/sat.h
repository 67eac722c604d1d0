/* SPDX-License-Identifier: Apache-2.0 */
/* The summed-area table of bench-sat: values[n][m] to sums[n + 1][m + 1], whose row and column 0 are zero. */
#ifndef HEDDLE_BENCH_SAT_H
#define HEDDLE_BENCH_SAT_H

typedef void bench_sat(int n, int m, const float *values, float *sums);
extern bench_sat bench_serial_sat, bench_heddle_sat;

#endif
