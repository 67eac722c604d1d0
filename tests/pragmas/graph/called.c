/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that are functions: their tasks are the graph's. Called twice, one by another, with a wait inside, with values
 * that are the function's own, and from outside of any graph. */
#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 5, M = 12, N = PARTS * M, STEPS = 4 };

static double offset = 0.5, field[N];
static long calls;

/* From here and from a step. */
static void push(double *x, const double *v, double dt) {
    const double half = dt / 2;
    for (int p = 0; p < PARTS; p++) {
        const int b = p * M;
#pragma omp target teams distribute parallel for nowait depend(in : v[b : M]) depend(inout : x[b : M])                 \
    map(to : v[b : M]) map(tofrom : x[b : M])
        for (int i = b; i < b + M; i++)
            x[i] += dt * v[i] + half;
    }
}

static inline int pull(double *v, int first) {
    int made = 0;
    for (int p = first; p < PARTS; p++, made++) {
        double *const own = v + p * M;
        if (p % 2) {
#pragma omp task depend(inout : own[0 : M])
            {
                for (int i = 0; i < M; i++)
                    own[i] = own[i] * 0.75 + offset;
#pragma omp atomic
                calls++;
            }
            continue;
        }
#pragma omp target nowait depend(inout : own[0 : M]) map(tofrom : own[0 : M])
        {
            for (int i = 0; i < M; i++)
                own[i] -= i;
        }
    }
    return made;
}

static void count(void) {
#pragma omp task depend(inout : field)
    field[0] += 1;
}

/* No task of its own. */
static long both(double *x, double *v, int s) {
    count();
    const long made = pull(v, s % 2) + pull(v, PARTS - 1);
    push(x, v, 0.25 * s);
    return made;
}

/* What its tasks share is waited for. */
extern double mean(const double *x);
double mean(const double *x) {
    double sum = 0, part[PARTS];
    for (int p = 0; p < PARTS; p++) {
#pragma omp task shared(part) depend(in : x[p * M : M]) depend(out : part[p])
        {
            part[p] = 0;
            for (int i = 0; i < M; i++)
                part[p] += x[p * M + i];
        }
    }
#pragma omp target nowait map(tofrom : sum) map(to : x[0 : N]) depend(in : x[0 : N]) depend(inout : sum)
    {
        for (int i = 0; i < N; i++)
            sum += x[i] / 8;
    }
#pragma omp taskwait
    for (int p = 0; p < PARTS; p++)
        sum += part[p];
    return sum / N;
}

static double run(double *x, double *v) {
    double all = 0;
    long made = 0;
#pragma heddle graph
#pragma omp parallel
#pragma omp single
    for (int s = 0; s < STEPS; s++) {
        made += both(x, v, s);
#pragma omp task depend(in : x[0 : N]) depend(inout : v[0 : M])
        for (int i = 0; i < M; i++)
            v[i] += x[N - 1 - i] / 16;
        push(x, v, 0.125), push(v, x, 0.0625);
        if (s % 2)
            all = all / 2 + mean(x);
    }
    return all + (double)made;
}

/* The arrays stay on devices, and only tasks touch them. */
static void stay(double *x, double *v) {
#pragma heddle graph map(tofrom : x[0 : N], v[0 : N])
    {
        for (int s = 0; s < STEPS; s++) {
            both(x, v, s);
            push(x, v, 0.5);
        }
    }
}

int main(void) {
    double *x = malloc(N * sizeof *x), *v = malloc(N * sizeof *v);
    if (!x || !v)
        return 1;
    for (int i = 0; i < N; i++)
        x[i] = i % 7, v[i] = i % 5;
    for (int round = 0; round < 3; round++) {
        const double all = run(x, v);
        stay(x, v);
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += x[i] * (i % 3 + 1) - v[i];
        printf("%d %.12g %.12g %ld %g\n", round, all, sum, calls, field[0]);
        offset = -offset;
    }
    double last = 0;
/* as OpenMP has it (and see run-graph) */
#pragma omp parallel
#pragma omp single
    {
        push(x, v, 1);
#pragma omp taskwait
        last = mean(x);
    }
    printf("%.12g\n", last);
    free(x);
    free(v);
    return 0;
}
