/* SPDX-License-Identifier: Apache-2.0 */
/* Target tasks between tasks of the host, which run once each: they count. What a device takes with it comes from
 * values that are still somewhere. */
#include <stdio.h>

enum { BODIES = 5, N = 48, STEPS = 4 };

static double x[BODIES * N], force[BODIES * N], seen[BODIES * N], again[BODIES * N], table[N];
static long ran[BODIES];

static void step(int s) {
#pragma heddle graph
#pragma omp parallel
#pragma omp single
    for (int b = 0; b < BODIES; b++) {
        const int me = b * N, other = (b + 1 + s) % BODIES * N;
#pragma omp target teams distribute parallel for nowait depend(in : x[me : N]) depend(inout : force[me : N])           \
    map(to : x[me : N], table[0 : N]) map(tofrom : force[me : N])
        for (int i = 0; i < N; i++)
            force[me + i] = force[me + i] * 0.5 + x[me + i] * table[i];
#pragma omp task depend(in : force[me : N]) depend(out : seen[me : N]) depend(inout : ran[b : 1])
        {
            ran[b]++;
            for (int i = 0; i < N; i++)
                seen[me + i] = force[me + i] + i;
        }
#pragma omp target nowait depend(in : seen[me : N]) depend(inout : force[me : N], force[other : N])                    \
    map(to : seen[me : N]) map(tofrom : force[me : N], force[other : N])
        {
            for (int i = 0; i < N; i++) {
                force[me + i] -= seen[me + N - 1 - i] / 8;
                force[other + i] += seen[me + i] / 8;
            }
        }
#pragma omp target teams distribute parallel for nowait depend(in : force[me : N]) depend(inout : x[me : N])           \
    map(to : force[me : N]) map(tofrom : x[me : N])
        for (int i = 0; i < N; i++)
            x[me + i] += force[me + i] / 16;
#pragma omp task depend(in : x[me : N], seen[me : N]) depend(out : again[me : N]) depend(inout : ran[b : 1])
        {
            ran[b]++;
            for (int i = 0; i < N; i++)
                again[me + i] = x[me + i] - seen[me + i];
        }
    }
}

int main(void) {
    double sum = 0;
    long tasks = 0;
    for (int i = 0; i < BODIES * N; i++)
        x[i] = i % 17, force[i] = i % 5;
    for (int i = 0; i < N; i++)
        table[i] = 1.0 / (1 + i);
    for (int s = 0; s < STEPS; s++) {
        step(s / 2);
        for (int i = 0; i < BODIES * N; i++)
            sum = sum * 0.5 + x[i] + force[i] * 2 + seen[i] * 3 + again[i] * 4;
    }
    for (int b = 0; b < BODIES; b++)
        tasks += ran[b];
    printf("%.12g %ld\n", sum, tasks);
    return 0;
}
