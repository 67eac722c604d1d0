/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_BENCH_BATCH_H
#define HEDDLE_BENCH_BATCH_H

#include "bench.h"

/* score: [n / side * (m / side)]; side divides n and m. */
void bench_serial_scores(int n, int m, const signed char *a, const signed char *b, int side, int *score);
void bench_heddle_scores(int n, int m, const signed char *a, const signed char *b, int side, int *score);

#endif
