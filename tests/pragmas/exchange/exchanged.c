/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that run in another order on processors. */
#include <math.h>

void product(int n, int m, double C[n][m], double A[n][m], double B[m][m]) {
    int i, j, k;
#pragma heddle for // j (line 9) inside k (line 11)
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            C[i][j] = 0;
            for (k = 0; k < m; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
}

void columns(int n, int m, double A[n][m], double *mean, double *dev) {
    int i, j;
#pragma heddle for // j (line 19) inside i (line 21)
    for (j = 0; j < m; j++) {
        mean[j] = 0;
        for (i = 0; i < n; i++)
            mean[j] += A[i][j];
        mean[j] /= n;
    }
#pragma heddle for // j (line 26) inside i (line 28)
    for (j = 0; j < m; j++) {
        double sum = 0;
        for (i = 0; i < n; i++)
            sum += (A[i][j] - mean[j]) * (A[i][j] - mean[j]);
        dev[j] = sqrt(sum / n);
    }
}

void rows(int n, int m, double C[n][n], double A[n][m]) {
#pragma heddle for // j (line 38) inside k (line 37)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += A[i][k] * A[j][k];
}

void mirrored(int n, int m, double C[n][n], double A[m][n]) {
#pragma heddle for // j (line 45) inside k (line 48)
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            const double weight = i + j;
            double sum = 0;
            for (int k = 0; k < m; k++)
                sum += A[k][i] * A[k][j];
            C[i][j] = weight * sum;
            C[j][i] = C[i][j];
        }
}

/* independent is about the directive's loop; arrays with an end are still looked at */
static double grid[50][70];
void asserted(int n, int m, int *to, double A[n][m], double B[m][m]) {
#pragma heddle for independent device(host) map(to: A[0 : n], B[0 : m], to[0 : n]) // j (line 60) inside k (line 61)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                grid[to[i]][j] += A[i][k] * B[k][j];
}

/* the own loop, where one inside does not */
void own(int n, int m, double C[n][m], double B[m][m]) {
#pragma heddle for // i (line 68) inside k (line 70)
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            for (int k = 0; k < m; k++)
                C[i][j] += C[i][j - 1] * B[k][j];
}

/* in a good order, but its sums are loaded and stored for each k */
void summed(int n, int m, double C[n][m], double A[n][m], double B[m][m]) {
#pragma heddle for // j (line 81) inside k (line 80)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            C[i][j] *= 2;
        for (int k = 0; k < m; k++)
            for (int j = 0; j < m; j++)
                C[i][j] += A[i][k] * B[k][j];
    }
}

/* A pointer to the row is the row. */
void row(int n, int m, double C[n][m], double B[m][m]) {
#pragma heddle for // j (line 91) inside k (line 92)
    for (int i = 0; i < n; i++) {
        double *c = C[i];
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                c[j] += B[k][j];
    }
}
