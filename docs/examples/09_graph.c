/* SPDX-License-Identifier: Apache-2.0 */
/* Ropes that swing, and now and then push each other: tasks with dependences, step after step. */
#include <stdio.h>
#include <stdlib.h>

enum { ROPES = 12, N = 4000, STEPS = 400 };
static const double DT = 0.2;

static double swing(int steps, double *x, double *v) {
    double energy = 0;
#pragma heddle graph map(tofrom : x[0 : ROPES * N], v[0 : ROPES * N])
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < steps; t++) {
        for (int r = 0; r < ROPES; r++) {
            const int a = r * N;
#pragma omp target teams distribute parallel for nowait depend(in : x[a : N]) depend(inout : v[a : N])                 \
    map(to : x[a : N]) map(tofrom : v[a : N])
            for (int i = 1; i < N - 1; i++)
                v[a + i] += DT * (x[a + i - 1] - 2 * x[a + i] + x[a + i + 1]);
        }
        for (int r = t / 100; r + 1 < ROPES && t % 100 >= 50; r += 3) { /* these two touch now */
            const int a = r * N, b = a + N;
#pragma omp target teams distribute parallel for nowait depend(in : x[a : 2 * N]) depend(inout : v[a : N], v[b : N])   \
    map(to : x[a : 2 * N]) map(tofrom : v[a : N], v[b : N])
            for (int i = 1; i < N - 1; i++) {
                const double push = DT * 0.01 * (x[a + i] - x[b + i]);
                v[a + i] -= push;
                v[b + i] += push;
            }
        }
        for (int r = 0; r < ROPES; r++) {
            const int a = r * N;
#pragma omp target teams distribute parallel for nowait depend(in : v[a : N]) depend(inout : x[a : N])                 \
    map(to : v[a : N]) map(tofrom : x[a : N])
            for (int i = 0; i < N; i++)
                x[a + i] += DT * v[a + i];
        }
        if (t == steps - 1)
            for (int r = 0; r < ROPES; r++) {
                const int a = r * N;
#pragma omp task depend(in : v[a : N]) depend(inout : energy)
                for (int i = 0; i < N; i++)
                    energy += v[a + i] * v[a + i] / 2;
            }
#pragma omp taskwait
    }
    return energy;
}

int main(void) {
    double *x = calloc((size_t)ROPES * N, sizeof *x), *v = calloc((size_t)ROPES * N, sizeof *v), sum = 0;
    if (!x || !v)
        return 1;
    for (int i = 0; i < ROPES * N; i++) {
        const double at = (double)(i % N) / (N - 1); /* along the rope */
        x[i] = 4 * at * (1 - at) * (i / N + 1);
    }
    const double energy = swing(STEPS, x, v);
    for (int i = 0; i < ROPES * N; i++)
        sum += x[i] < 0 ? -x[i] : x[i];
    printf("energy %.6f, mean deflection %.6f\n", energy, sum / (ROPES * N));
    free(x);
    free(v);
    return 0;
}
