/* SPDX-License-Identifier: Apache-2.0 */
/* Rows behind pointers, which the run time looks at: allocated one by one, parts of one block, and in any order. */
#include <stdlib.h>
#include "../run/run.h"

enum { N = 61, M = 37 };

static double **table(int n, int m, int order)
{
    double **t = malloc(n * sizeof *t), *all = calloc((size_t)n * m, sizeof *all);
    for (int i = 0; i < n; i++) {
        if (order == 0)
            t[i] = calloc(m, sizeof **t);
        else
            t[i] = all + (size_t)(order > 0 ? i : n - 1 - i) * m;
        for (int j = 0; j < m; j++)
            t[i][j] = (i * 5 + j * 3) % 17;
    }
    return t;
}

static double ***cube(int n, int m, int order)
{
    double ***t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++)
        t[i] = table(m, m, order);
    return t;
}

static void rows(int n, int m, double **x, double **y, const double *s)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i][j] = 2 * y[i][j] + s[j];
}

static void columns(int n, int m, double **w, double **old, double *d)
{
    int j, k;
    double now;
#pragma heddle for
    for (j = 1; j < m; j++)
        for (k = 0; k < n; k++) {
            now = d[j] + old[k][j] / 2;
            w[k][j] += now;
            old[k][j] = now;
        }
}

static void neighbours(int n, int m, double ***u, double ***r)
{
    double plane[M];
#pragma heddle for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            for (int k = 0; k < m; k++)
                plane[k] = r[i - 1][j][k] + r[i + 1][j][k] + r[i][j - 1][k] + r[i][j + 1][k];
            for (int k = 1; k < m - 1; k++)
                u[i][j][k] += plane[k - 1] - plane[k + 1] / 4;
        }
}

static void coarse(int n, double ***fine, double ***less)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                fine[2 * i][2 * j][2 * k] += less[i][j][k];
                fine[2 * i][2 * j + 1][2 * k] += less[i][j][k] / 2;
                fine[2 * i + 1][2 * j][2 * k + 1] += less[i][j][k] / 4;
            }
}

static double fixed_rows(int m, double **x, int at)
{
    double sum = 0;
#pragma heddle for reduction(+ : sum)
    for (int j = 0; j < m; j++) {
        x[at + 1][j] = x[at][j] + x[at - 1][m - 1 - j];
        sum += x[at][j];
    }
    return sum;
}

/* An array of pointers, and one row in all iterations; down, by two. */
static void pointers(double *s)
{
    double *row[N];
    for (int i = 0; i < N; i++)
        row[i] = s + i * M;
#pragma heddle for
    for (int i = N - 1; i >= 2; i -= 2)
        for (int j = 0; j < M; j++)
            row[i][j] += row[i - 1][j] - row[0][j];
}

int main(void)
{
    double s[M], sum = 0, *all = calloc(N * M, sizeof *all);
    for (int j = 0; j < M; j++)
        s[j] = j % 4;
    for (int k = 0; k < N * M; k++)
        all[k] = k % 13;
    for (int order = -1; order < 2; order++) {
        double **x = table(N, M, order), **y = table(N, M, order), ***u = cube(20, M, order), ***r = cube(20, M, -order);
        for (int again = 0; again < 3; again++) {
            rows(N, M, x, y, s);
            columns(N, M, x, y, s);
            sum += fixed_rows(M, x, 7);
            neighbours(20, M, u, r);
            coarse(10, r, u);
        }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                sum += x[i][j] * (i + 1) - y[i][j];
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < M * M; j++)
                sum += u[i][j / M][j % M] * (j % 5) - r[i][j / M][j % M];
    }
    pointers(all);
    run_report("sum", &sum, sizeof sum);
    run_report("all", all, N * M * sizeof *all);
    return 0;
}
