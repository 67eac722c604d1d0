/* SPDX-License-Identifier: Apache-2.0 */
/* Loops inside a `for` that the host runs in another order: every element still gets the same terms one after the other. */
#include "../run/run.h"
#include <math.h>

enum { MOST = 600 };
struct cell {
    float value, weight;
};

static void product(int n, int m, int l, double C[n][m], double A[n][l + 1], double (*B)[m], double *trace)
{
    int i, j, k;
    double sum;
#pragma heddle for
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            C[i][j] = 0;
            sum = j;
            for (k = 0; k < l; k++) {
                C[i][j] += A[i][k] * B[k][j];
                sum -= B[k][j] / 3;
            }
            C[i][j] += sum;
            C[i][j] *= 1.01;
        }
    trace[0] += C[n - 1][m - 1];
}

static void columns(long n, long m, float *A, float (*rows)[m], float *mean, float *dev)
{
#pragma heddle for
    for (long j = 0; j < m; j++) {
        mean[j] = 0;
        for (long i = 0; i < n; i++)
            mean[j] += A[i * m + j];
        mean[j] /= (float)n;
    }
#pragma heddle for
    for (long j = 0; j < m; j++) {
        float sum = 0, most = -1, x;
        for (long i = n - 1; i >= 0; i--) {
            x = rows[i][j] - mean[j];
            sum += x * x;
            if (x > most)
                most = x;
            rows[i][j] = most + x;
        }
        dev[j] = sqrtf(sum / (float)n) + most;
    }
}

static void triangle(int n, int m, double C[n][n], double A[n][m])
{
#pragma heddle for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= 1.5;
        for (int k = 0; k < m; k += 3)
            for (int j = 0; j <= i; j++)
                C[i][j] += A[i][k] * A[j][k];
    }
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            C[i][j] = 0;
            for (int k = 0; k < n; k++)
                C[i][j] += A[k][i % m] * A[k][0] * A[j][0] + A[k][0];
            C[i][j] /= n - 1.5;
        }
}

/* Both ways: p runs along rows, u down columns. */
static void sweep(int n, double p[n][n], double u[n][n], double v[n][n])
{
#pragma heddle for
    for (int i = 1; i < n - 1; i++) {
        p[i][0] = v[0][i] = 1;
        for (int j = 1; j < n - 1; j++)
            p[i][j] = (u[j][i - 1] - u[j][i + 1] + u[j][i]) / (p[i][j - 1] + 2);
        v[n - 1][i] = 1;
        for (int j = n - 2; j >= 1; j--)
            v[j][i] = p[i][j] * v[j + 1][i];
    }
}

/* Four loops; two structures; a scalar in the middle; terms that come to an element from elsewhere. */
static void deep(int n, struct cell *c, double (*C)[MOST], double (*B)[MOST])
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double all = 0;
            for (int k = 0; k < i; k++) {
                double part = c[k].value;
                for (int l = 0; l < 5; l++)
                    part += B[l + k][j] * c[k].weight;
                all += part;
                C[i][j] += part / 2;
            }
            C[i][j] += all;
        }
}

/* Several rows at once, with statements beside the product, and two products. */
static void gemm(int n, int m, int l, double C[n][m], double A[n][l + 1], double (*B)[m], double *y)
{
#pragma heddle for
    for (int i = 0; i < n; i++) {
        y[i] = C[i][0];
        for (int j = 0; j < m; j++)
            C[i][j] *= 0.75;
        for (int k = 0; k < l; k++)
            for (int j = 0; j < m; j++)
                C[i][j] += 1.5 * A[i][k] * B[k][j];
        y[i] -= C[i][m - 1];
    }
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            C[i][j] -= j;
            for (int k = 0; k < l; k++)
                C[i][j] -= A[i][k] * B[k][j];
            for (int k = l - 1; k >= 0; k--)
                C[i][j] += B[k][j] * i;
            C[i][j] /= 3;
        }
}

/* Heads without a sign that go round: no turn then. */
static void round_about(size_t m, double C[m][m], double A[m][m])
{
#pragma heddle for
    for (size_t i = 0; i < m; i++) {
        for (size_t j = i - 3; j < m; j++)
            for (size_t k = 0; k < m; k++)
                C[i][j] += A[k][j];
        for (size_t j = 0; j < m; j++)
            for (size_t k = i - 2; k < m; k++)
                C[i][j] -= A[k][j] / 2;
    }
}

static double matrix[5][MOST][MOST];

static void fill(void)
{
    for (int k = 0; k < 5 * MOST * MOST; k++)
        (&matrix[0][0][0])[k] = (double)(run_random() % 1000) / 999 - 0.3;
}

/* The directive's loop goes inside: it sums up beside, and its variable is small. */
static long columns_of(int n, int (*M)[MOST])
{
    long sum = 0;
#pragma heddle for reduction(+ : sum)
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < 20; k++)
            M[k][j] += 2 * M[k + 20][j];
        sum += j;
    }
#pragma heddle for
    for (signed char j = -100; j < n % 100; j++)
        for (int k = 0; k < 20; k++)
            for (int l = 0; l < 9; l++)
                M[k][j + 100] += M[k + 20][l] * M[l + 40][j + 100];
#pragma heddle for
    for (int i = 0; i < 8; i++)
        for (signed char j = -100; j < n % 100; j++) {
            int sum_of = 0;
            for (int k = 0; k < 20; k++)
                sum_of += M[i + 20][k] * M[k + 30][j + 100];
            M[i][j + 100] = sum_of;
        }
    return sum;
}

int main(void)
{
    static const int sizes[][3] = {{1, 1, 1}, {3, 7, 5}, {5, 8, 0}, {9, 263, 4}, {11, 264, 3}, {6, 265, 9}, {17, MOST, 18}};
    static float A[MOST * MOST / 8], mean[MOST], dev[MOST];
    static struct cell cells[MOST];
    double trace = 0;
    fill();
    for (int s = 0; s < 7; s++) {
        const int n = sizes[s][0], m = sizes[s][1], l = sizes[s][2];
        product(n, m, l, (void *)matrix[0], (void *)matrix[1], (void *)matrix[2], &trace);
        run_report("product", matrix[0], sizeof(double) * (size_t)(n * m));
        gemm(n, m, l, (void *)matrix[0], (void *)matrix[1], (void *)matrix[2], matrix[3][0]);
        run_report("gemm", matrix[0], sizeof(double) * (size_t)(n * m));
        run_report("gemm", matrix[3], sizeof(double) * (size_t)n);
        run_floats(A, (size_t)(n * m));
        columns(n, m, A, (void *)A, mean, dev);
        run_report("columns", A, sizeof *A * (size_t)(n * m));
        run_report("dev", dev, sizeof *dev * (size_t)m);
    }
    run_report("trace", &trace, sizeof trace);
    for (int n = 0; n < MOST; n += 83) {
        static int M[80][MOST];
        run_ints(&M[0][0], sizeof M / sizeof(int), 10);
        const long sum = columns_of(n, M);
        run_report("columns_of", M, sizeof M);
        run_report("sum", &sum, sizeof sum);
    }
    for (int n = 1; n < 80; n += 13) {
        triangle(n, 2 * n + 1, (void *)matrix[3], (void *)matrix[1]);
        run_report("triangle", matrix[3], sizeof(double) * (size_t)(n * n));
        sweep(n + 1, (void *)matrix[0], (void *)matrix[1], (void *)matrix[2]);
        run_report("p", matrix[0], sizeof(double) * (size_t)((n + 1) * (n + 1)));
        run_report("v", matrix[2], sizeof(double) * (size_t)((n + 1) * (n + 1)));
        for (int k = 0; k < n; k++)
            cells[k] = (struct cell){(float)k, 1 / (float)(k + 1)};
        deep(n, cells, matrix[4], matrix[1]);
        round_about((size_t)n, (void *)matrix[3], (void *)matrix[1]);
        run_report("round", matrix[3], sizeof(double) * (size_t)(n * n));
        run_report("deep", matrix[4], sizeof(double) * MOST * (size_t)n);
    }
    return 0;
}
