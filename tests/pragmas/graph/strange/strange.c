/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that the translator cannot see: of a function in another file, of one that is called through a pointer, and of
 * a graph in another file. They run by themselves, in the program's order. Those of a parallel region of a function are
 * nobody else's. */
#include <stdio.h>

enum { PARTS = 4, M = 16, N = PARTS * M };

void other_tasks(double *x, double *y);
void other_targets(double *x);
void other_graph(double *x, double *y);
double other_team(const double *z);

static void halve(double *x) {
    for (int p = 0; p < PARTS; p++) {
#pragma omp task depend(inout : x[p * M : M])
        for (int i = p * M; i < (p + 1) * M; i++)
            x[i] /= 2;
    }
}
static void (*volatile pointer)(double *) = halve;

static void own(double *x, double *y, double by) {
    for (int p = 0; p < PARTS; p++) {
        const int b = p * M, c = (p + 1) % PARTS * M;
#pragma omp target teams distribute parallel for nowait depend(in : y[c : M]) depend(inout : x[b : M])                 \
    map(to : y[c : M]) map(tofrom : x[b : M])
        for (int i = 0; i < M; i++)
            x[b + i] += by * y[c + i];
    }
}

static void free_ones(double *x, double *y) {
#pragma heddle graph
    for (int s = 0; s < 3; s++) {
        own(x, y, 0.5);
        other_tasks(x, y);
        own(y, x, 0.25);
        other_targets(x);
        own(x, y, 0.125);
        pointer(x);
        other_graph(y, x);
        own(y, x, 1);
    }
}

static void held_ones(double *x, double *y) {
#pragma heddle graph map(tofrom : x[0 : N])
    for (int s = 0; s < 3; s++) {
        double *const same = x;
        own(x, y, 0.5);
        pointer(same);
        own(x, y, 0.125);
#pragma omp taskwait
        other_targets(same);
        own(x, y, 0.25);
    }
}

static double teams(double *x, double *y, const double *z) {
    double sum = 0;
#pragma heddle graph
    for (int s = 0; s < 3; s++) {
        own(x, y, 0.5);
        sum += other_team(z);
        own(y, x, 0.25);
    }
    return sum;
}

int main(void) {
    static double x[N], y[N], z[N];
    for (int i = 0; i < N; i++)
        x[i] = i % 7, y[i] = i % 5, z[i] = i % 3;
    for (int round = 0; round < 3; round++) {
        free_ones(x, y);
        held_ones(x, y);
        double sum = teams(x, y, z);
        for (int i = 0; i < N; i++)
            sum += x[i] * (i % 3 + 1) - y[i];
        printf("%.12g\n", sum);
    }
#pragma omp parallel
#pragma omp single
    free_ones(x, y); /* tasks of a team: the graph's run as they are met */
    printf("%.12g %.12g\n", x[3], y[N - 1]);
    return 0;
}
