// SPDX-License-Identifier: Apache-2.0
// Sections that nobody wrote: rectangles of what is written, rows of what is read, nests of parameters.
#include <stdio.h>
enum { N = 12, M = 15, K = 9 };

static void product(int ni, int nj, int nk, double c[N][M], double a[N][K], double b[K][M])
{
#pragma heddle for
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            c[i][j] = 0;
            for (int k = 0; k < nk; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

static void column(int n, const double *restrict x, double *y, double c[N][M])
{
#pragma heddle for
    for (int j = 1; j < n; j++) {
        y[j] = x[j] + x[j - 1];
        for (int i = 0; i < N; i++)
            c[i][j] += y[j];
    }
#pragma heddle for map(tofrom: y[heddle_lo : heddle_count])
    for (int j = 0; j < n; j++)
        for (int i = 0; i < N; i++)
            y[j] += c[i][3];
}

int main(void)
{
    static double a[N][K], b[K][M], c[N][M], x[M], y[M], sum;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j % K] = i - j, b[i % K][j] = i * j, x[j] = j;
    product(N, M, K, c, a, b);
    column(M, x, y, c);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum = sum * 0.75 + c[i][j] + y[j];
    printf("%.17g\n", sum);
    return 0;
}
