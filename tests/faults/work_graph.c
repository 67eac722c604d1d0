/* SPDX-License-Identifier: Apache-2.0 */
/* A graph, in a file of its own: its plain form is built without OpenMP, whose tasks it is made of. */
#include "work.h"

enum { BODIES = 4, N = 32, STEPS = 3, ROUNDS = 2 };

static long x[BODIES * N], f[BODIES * N], sum[BODIES];

static void steps(void) {
#pragma heddle graph
#pragma omp parallel
#pragma omp single
    for (int s = 0; s < STEPS; s++) {
        for (int b = 0; b < BODIES; b++) {
            const int me = b * N, other = (b + s + 1) % BODIES * N;
#pragma omp target teams distribute parallel for nowait depend(in : x[me : N], x[other : N])                           \
    depend(inout : f[me : N]) map(to : x[me : N], x[other : N]) map(tofrom : f[me : N])
            for (int i = 0; i < N; i++)
                f[me + i] = f[me + i] / 2 + x[me + i] - x[other + N - 1 - i];
        }
        for (int b = 0; b < BODIES; b++) {
            const int me = b * N;
#pragma omp task depend(in : f[me : N]) depend(inout : sum[b : 1])
            for (int i = 0; i < N; i++)
                sum[b] = sum[b] * 3 + f[me + i];
#pragma omp target teams distribute parallel for nowait depend(in : f[me : N]) depend(inout : x[me : N])               \
    map(to : f[me : N]) map(tofrom : x[me : N])
            for (int i = 0; i < N; i++)
                x[me + i] += f[me + i] % 11;
        }
        if (s == 1) {
#pragma omp taskwait
        }
    }
}

unsigned long WORK_GRAPH(void) {
    unsigned long all = 0;
    for (int i = 0; i < BODIES * N; i++)
        x[i] = i * 7 % 23, f[i] = i % 5;
    for (int b = 0; b < BODIES; b++)
        sum[b] = b;
    for (int round = 0; round < ROUNDS; round++)
        steps();
    for (int i = 0; i < BODIES * N; i++)
        all = all * 31 + (unsigned long)x[i] * 7 + (unsigned long)f[i];
    for (int b = 0; b < BODIES; b++)
        all = all * 31 + (unsigned long)sum[b];
    return all;
}

static void regions(long k) {
#pragma heddle graph
    for (int s = 0; s < STEPS; s++)
        for (int b = 0; b < BODIES; b++) {
            const int me = b * N, other = (b + s + 1) % BODIES * N;
#pragma omp target teams distribute parallel for nowait depend(in : x[other : N]) depend(inout : f[me : N])            \
    map(to : x[other : N]) map(tofrom : f[me : N])
            for (int i = 0; i < N; i++)
                f[me + i] = f[me + i] / 2 + x[other + N - 1 - i] + k;
#pragma omp target teams distribute parallel for nowait depend(in : f[me : N]) depend(inout : x[me : N])               \
    map(to : f[me : N]) map(tofrom : x[me : N])
            for (int i = 0; i < N; i++)
                x[me + i] += f[me + i] % 11;
        }
}

unsigned long WORK_ALONE(void) {
    unsigned long all = 0;
    for (int i = 0; i < BODIES * N; i++)
        x[i] = i * 7 % 23, f[i] = i % 5;
    for (int round = 0; round < ROUNDS; round++)
        regions(round);
    for (int i = 0; i < BODIES * N; i++)
        all = all * 31 + (unsigned long)x[i] * 7 + (unsigned long)f[i];
    return all;
}
