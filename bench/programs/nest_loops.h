/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of bench-loops: with the pragmas, and the same file once more without. */
#ifndef BENCH_NEST_LOOPS_H
#define BENCH_NEST_LOOPS_H

void loop_uneven(long n, long work, double *z), loop_uneven_serial(long n, long work, double *z);
void loop_compute(long n, long work, const float *x, float *y),
    loop_compute_serial(long n, long work, const float *x, float *y);
void loop_transfer(long n, const float *x, float *y), loop_transfer_serial(long n, const float *x, float *y);

#endif
