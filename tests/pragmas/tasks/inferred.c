/* SPDX-License-Identifier: Apache-2.0 */
/* Pools without a map clause: sections that subscripts show, whole arrays, globals, and scalars that tasks change. */
#include <stdio.h>
#include <stdlib.h>
enum { N = 64 };
static double table[N][N];
static int hits, weight[N];
static void touch(int i) { weight[i] += i; }
static void rowsum(int n, const double (*A)[n], double *s) {
#pragma heddle pool
    {
#pragma heddle taskloop
        for (int i = 0; i < n; i++) {
            double t = 0;
            for (int j = 0; j < n; j++)
                t += A[i][j];
            s[i] = t;
        }
    }
}
static void lu(int n, double A[n][n]) {
#pragma heddle pool
    {
        for (int k = 0; k < n; k++) {
#pragma heddle taskloop
            for (int i = k + 1; i < n; i++) {
                A[i][k] /= A[k][k];
                for (int j = k + 1; j < n; j++)
                    A[i][j] -= A[i][k] * A[k][j];
            }
#pragma heddle taskwait
        }
    }
}
int main(void) {
    double(*A)[N] = malloc(sizeof(double[N][N])), *s = malloc(N * sizeof *s);
    long total = 0;
    int order[N];
    for (int i = 0; i < N; i++) {
        order[i] = 0;
        for (int j = 0; j < N; j++)
            table[i][j] = A[i][j] = i == j ? N : (i * 7 + j * 3) % 5;
    }
    rowsum(N, (const double(*)[N])A, s);
    lu(N, A);
#pragma heddle pool
    {
        for (int i = 0; i < N; i++)
#pragma heddle task
        {
            table[i][0] += s[i];
            order[i] = N - i;
            touch(i);
#pragma omp atomic
            total += i;
#pragma omp atomic
            hits++;
        }
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += A[i][j] + table[i][j] + order[i] + weight[j];
    printf("%.6f %ld %d\n", sum, total, hits);
}
