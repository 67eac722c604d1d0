/* SPDX-License-Identifier: Apache-2.0 */
#include "nest_loops.h"
#ifdef BENCH_SERIAL
#define LOOP(name) name##_serial
#else
#define LOOP(name) name
#endif

void LOOP(loop_uneven)(long n, long work, double *z) {
#pragma heddle for map(from: z[heddle_lo : heddle_count])
    for (long i = 0; i < n; i++) {
        const unsigned chance = (unsigned)i * 2654435761u;
        const long steps =
            (long)((double)work * (0.5 + (double)i / (double)n) * (0.5 + (double)(chance >> 16) / 65536.0));
        double v = 1 + (double)(i % 1000) * 1e-3;
        for (long j = 0; j < steps; j++)
            v = 0.5 * (v + 2.0 / v) + 1e-3;
        z[i] = v;
    }
}

void LOOP(loop_compute)(long n, long work, const float *x, float *y) {
#pragma heddle for map(to: x[heddle_lo : heddle_count]) map(from: y[heddle_lo : heddle_count])
    for (long i = 0; i < n; i++) {
        float v = x[i];
        for (long j = 0; j < work; j++)
            v = v * 0.999f + 0.001f * (float)(j & 3);
        y[i] = v;
    }
}

void LOOP(loop_transfer)(long n, const float *x, float *y) {
#pragma heddle for map(to: x[heddle_lo : heddle_count]) map(tofrom: y[heddle_lo : heddle_count])
    for (long i = 0; i < n; i++)
        y[i] = 2 * x[i] + y[i];
}
