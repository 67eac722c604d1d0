/* SPDX-License-Identifier: Apache-2.0 */
/* Target tasks beside tasks of the host: bodies that are worked on in blocks, pairs of them that interact, scalars that
 * are mapped and reduced, arrays in two dimensions. */
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 9, N = 64, STEPS = 6, ROWS = 12, COLUMNS = 10 };

static double x[BODIES * N], f[BODIES * N];

static double spring(double a, double b) { return 0.25 * (a - b); }

static void step(double *at, double *force, int contacts, int first, double *energy) {
    double sum[BODIES];
#pragma heddle graph
#pragma omp parallel
#pragma omp single
    {
        for (int b = 0; b < BODIES; b++) {
#pragma omp target teams distribute parallel for nowait depend(in : at[b * N : N]) depend(out : force[b * N : N])     \
    map(to : at[b * N : N]) map(tofrom : force[b * N : N])
            for (int i = 0; i < N; i++) {
                const int k = b * N + i;
                force[k] = (i ? spring(at[k - 1], at[k]) : 0) + (i + 1 < N ? spring(at[k + 1], at[k]) : 0);
            }
        }
        for (int c = 0; c < contacts; c++) {
            const int p = (first + c) % BODIES, q = (first + c * 3 + 1) % BODIES;
            if (p == q)
                continue;
#pragma omp target nowait depend(in : at[p * N : N], at[q * N : N])                                                    \
    depend(inout : force[p * N : N], force[q * N : N])                                                                 \
    map(at[p * N : N], at[q * N : N], force[p * N : N], force[q * N : N])
            {
                for (int i = 0; i < N; i++) {
                    const double push = spring(at[p * N + i], at[q * N + N - 1 - i]) / 8;
                    force[p * N + i] -= push;
                    force[q * N + N - 1 - i] += push;
                }
            }
        }
        for (int b = 0; b < BODIES; b++) {
            if (b % 3 == 1) {
#pragma omp task depend(in : force[b * N : N]) depend(inout : at[b * N : N])
                for (int i = 0; i < N; i++)
                    at[b * N + i] += 0.5 * force[b * N + i];
            } else {
#pragma omp target teams distribute parallel for simd nowait map(to : force[b * N : N])                               \
    map(tofrom : at[b * N : N]) depend(in : force[b * N : N]) depend(inout : at[b * N : N])
                for (int i = 0; i < N; i++)
                    at[b * N + i] += 0.5 * force[b * N + i];
            }
            sum[b] = 0;
            double *const mine = &sum[b];
#pragma omp task depend(in : at[b * N : N]) depend(out : mine[0 : 1])
            for (int i = 0; i < N; i++)
                mine[0] += at[b * N + i] * at[b * N + i];
        }
#pragma omp taskwait
        *energy = 0;
        for (int b = 0; b < BODIES; b++)
            *energy += sum[b];
    }
}

/* A scalar goes round: reduced, then used by the next one. */
static double chain(void) {
    double a[N], scale = 1;
    long count = 0;
    for (int i = 0; i < N; i++)
        a[i] = i % 5;
#pragma heddle graph schedule(round_robin)
#pragma omp parallel
#pragma omp single
    for (int s = 0; s < STEPS; s++) {
#pragma omp target teams distribute parallel for nowait map(tofrom : count) map(to : a) reduction(+ : count)           \
    depend(in : a) depend(inout : count)
        for (int i = 0; i < N; i++)
            count += a[i] > scale;
#pragma omp target teams distribute parallel for nowait map(tofrom : a) map(to : count) depend(in : count)             \
    depend(inout : a)
        for (int i = 0; i < N; i++)
            a[i] += count % 7;
#pragma omp task depend(in : a) depend(inout : scale)
        scale += a[3] / 4;
#pragma omp taskwait
    }
    return scale + (double)count + a[N - 1];
}

static double grid(int rows, int columns, double (*g)[columns]) {
    double sum = 0;
#pragma heddle graph
    for (int s = 0; s < STEPS; s++)
        for (int r = 0; r < rows; r += 3) {
            const int n = r + 3 < rows ? 3 : rows - r;
#pragma omp target teams distribute parallel for collapse(2) nowait depend(inout : g[r : n][0 : columns])             \
    map(tofrom : g[r : n][0 : columns]) thread_limit(n + 1)
            for (int i = r; i < r + n; i++)
                for (int k = 0; k < columns; k++)
                    g[i][k] = g[i][k] * 1.5 + i - k;
            if (r) {
#pragma omp task depend(in : g[r - 1][0 : columns]) depend(inout : g[r][0 : columns])
                for (int k = 0; k < columns; k++)
                    g[r][k] += g[r - 1][k] / 2;
            }
        }
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            sum += g[i][k] * (i + 1) / (k + 1);
    return sum;
}

int main(void) {
    double energy, g[ROWS * COLUMNS];
    for (int i = 0; i < BODIES * N; i++)
        x[i] = (i * 37 % 101) / 101.0;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        g[i] = i % 7;
    for (int s = 0; s < 3 * STEPS; s++) {
        step(x, f, s % 5 < 2 ? 0 : s % 4, s / 4, &energy);
        printf("%d %.12g\n", s, energy);
    }
    double sum = 0;
    for (int i = 0; i < BODIES * N; i++)
        sum += x[i] * (i % 11) + f[i] * (i % 13);
    printf("sum %.12g\nchain %.12g\ngrid %.12g\n", sum, chain(), grid(ROWS, COLUMNS, (double(*)[COLUMNS])g));
    return 0;
}
