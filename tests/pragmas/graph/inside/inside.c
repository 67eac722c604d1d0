/* SPDX-License-Identifier: Apache-2.0 */
/* A graph in a function that is called behind `omp single`, which runs where it is met; `before`: one before the
 * parallel region, without a word. */
#include <stdio.h>

enum { N = 64, STEPS = 5 };

static void steps(int *x) {
#pragma heddle graph
    for (int s = 0; s < STEPS; s++)
        for (int k = 1; k < N; k++) {
#pragma omp task depend(in : x[k - 1 : 1]) depend(inout : x[k : 1])
            x[k] = 3 * x[k] + x[k - 1];
        }
}

static void inside(int *x) {
#pragma omp parallel num_threads(2)
#pragma omp single
    steps(x);
}

static void before(int *x) {
#pragma heddle graph
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int s = 0; s < STEPS; s++)
            for (int k = 1; k < N; k++) {
#pragma omp task depend(in : x[k - 1 : 1]) depend(inout : x[k : 1])
                x[k] = 3 * x[k] + x[k - 1];
            }
    }
}

int main(int argc, char **argv) {
    int x[N], sum = 0;
    (void)argv;
    for (int k = 0; k < N; k++)
        x[k] = k;
    for (int step = 0; step < 2; step++)
        (argc > 1 ? before : inside)(x);
    for (int k = 0; k < N; k++)
        sum = (31 * sum + x[k]) % 1000003;
    printf("%d\n", sum);
    return 0;
}
