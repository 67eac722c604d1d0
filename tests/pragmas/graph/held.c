/* SPDX-License-Identifier: Apache-2.0 */
/* Data that the clause map keeps on devices from one step to the next: nobody else has its newest values. */
#include <stdio.h>

enum { N = 64, PARTS = 4, M = N / PARTS, STEPS = 6 };

static double x[N], y[N];

int main(void) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 13, y[i] = i % 5;
#pragma heddle graph map(tofrom : x[0 : N], y[0 : N])
    for (int s = 0; s < STEPS; s++) {
        for (int p = 0; p < PARTS; p++) {
            const int b = p * M, c = (p + s) % PARTS * M;
#pragma omp target teams distribute parallel for nowait depend(in : x[c : M]) depend(inout : y[b : M])                 \
    map(to : x[c : M]) map(tofrom : y[b : M])
            for (int i = 0; i < M; i++)
                y[b + i] = y[b + i] * 0.5 + x[c + i];
#pragma omp target teams distribute parallel for nowait depend(in : y[b : M]) depend(inout : x[c : M])                 \
    map(to : y[b : M]) map(tofrom : x[c : M])
            for (int i = 0; i < M; i++)
                x[c + i] -= y[b + i] / 4 + s;
        }
#pragma omp taskwait
    }
    for (int i = 0; i < N; i++)
        sum += x[i] * i + y[i] * (i % 7);
    printf("%.12g\n", sum);
    return 0;
}
