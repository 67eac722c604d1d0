/* SPDX-License-Identifier: Apache-2.0 */
/* Scalars and structures that are mapped: they go from region to region and to tasks of the host, in a step that is a
 * few launches where one device runs it. One is also named by a clause, and one by a directive inside. */
#include <stdio.h>

enum { N = 48, STEPS = 5 };

struct state {
    double factor;
    int count, shift[2];
};

static double x[N], y[N];

static void step(int s, double *scale, struct state *all) {
    double most = *scale;
    struct state state = *all;
    int teams = 1 + s % 2;
    long odd = s;
#pragma heddle graph
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < 3; k++) {
#pragma omp target nowait map(tofrom : most, state) map(to : x) depend(in : x) depend(inout : most, state)
        {
            for (int i = 0; i < N; i++)
                most = x[i] > most ? x[i] : most + 0.125;
            state.count += k;
            state.shift[k % 2]++;
        }
#pragma omp target teams distribute parallel for nowait map(to : most, state) map(tofrom : y)                          \
    depend(in : most, state) depend(inout : y)
        for (int i = 0; i < N; i++)
            y[i] = y[i] * 0.5 + most * state.factor + state.shift[i % 2];
#pragma omp task shared(state, most) depend(in : y[0 : N]) depend(inout : state, most)
        {
            state.factor = 1 / (1 + y[k] * y[k]);
            most /= 2;
        }
#pragma omp target teams distribute parallel for nowait map(to : most, state, teams) map(tofrom : x) map(to : y)       \
    num_teams(teams) depend(in : most, state, y, teams) depend(inout : x)
        for (int i = 0; i < N; i++)
            x[i] = x[i] * 0.5 + y[i] * most / 64 - state.count + teams;
#pragma omp task shared(teams) depend(inout : teams)
        teams = 1 + k % 2;
#pragma omp target nowait map(tofrom : odd) map(to : x) depend(in : x) depend(inout : odd)
        {
#pragma omp parallel for reduction(+ : odd)
            for (int i = 0; i < N; i++)
                odd += (long)x[i] & 1;
        }
    }
    *scale = most + (double)odd + teams;
    *all = state;
}

int main(void) {
    double scale = 1;
    struct state all = {.factor = 0.25};
    for (int i = 0; i < N; i++)
        x[i] = i * 7 % 13, y[i] = i % 5;
    for (int s = 0; s < STEPS; s++) {
        step(s, &scale, &all);
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += x[i] * (i % 7) + y[i] * (i % 3);
        printf("%d %.12g %.12g %.12g %d %d %d\n", s, sum, scale, all.factor, all.count, all.shift[0], all.shift[1]);
    }
    return 0;
}
