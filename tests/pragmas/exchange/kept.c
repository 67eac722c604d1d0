/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that stay in the order that they are written in. */
#include <stdio.h>

static double twice(double x) { return 2 * x; }

void fine(int n, int m, double (*C)[40][50], double A[n][m], double B[m][m]) {
#pragma heddle for // as written: nothing is gained
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 40; k++)
            for (int j = 0; j < 50; j++)
                C[i][k][j] = A[i][k] * B[k][j];
}

void dependent(int n, int m, double C[n][m], double B[m][m]) {
#pragma heddle for // as written: j reads what the j before it wrote
    for (int i = 0; i < n; i++)
        for (int j = 1; j < i; j++)
            for (int k = 0; k < m; k++)
                C[i][j] += C[i][j - 1] * B[k][j];
}

void carried(int n, int m, double C[n][m], double B[m][m]) {
#pragma heddle for // as written: last goes from j to j
    for (int i = 0; i < n; i++) {
        double last = 0;
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < m; k++)
                last += B[k][j];
            C[i][j] = last;
        }
    }
}

void bounds(int n, int m, double C[n][m], double B[m][m], const int *end) {
#pragma heddle for // as written: k ends where j says
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < j; k++)
                C[i][j] += B[k][j];
#pragma heddle for // as written: k ends where memory says
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < end[i]; k++)
                C[i][j] += B[k][j];
}

void calls(int n, int m, double C[n][m], double B[m][m]) {
#pragma heddle for // as written: what is called is not looked into
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                C[i][j] += twice(B[k][j]);
#pragma heddle for device(host) // as written: lines in their order
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++) {
                C[i][j] += B[k][j];
                printf("%g\n", C[i][j]);
            }
}

void jumps(int n, int m, double C[n][m], double B[m][m]) {
#pragma heddle for // as written: it may end early
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++) {
                if (B[k][j] < 0)
                    break;
                C[i][j] += B[k][j];
            }
#pragma heddle for // as written: it goes on early
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++) {
                if (B[k][j] < 0)
                    continue;
                C[i][j] += B[k][j];
            }
#pragma heddle for // as written: it may end early
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m && C[i][j] < 9; k++)
                C[i][j] += B[k][j];
}

void watched(int n, int m, double C[n][m], volatile double B[m][m]) {
#pragma heddle for device(host) // as written: volatile
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                C[i][j] += B[k][j];
}

void switched(int n, int m, double C[n][m], double B[m][m]) {
#pragma heddle for // as written: somebody says so
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
#pragma clang loop distribute(disable)
            for (int k = 0; k < m; k++)
                C[i][j] += B[k][j];
}

/* Nobody looks whether these overlap. */
void unseen(int n, int m, double *C, double *B, double **rows, const int *to) {
#pragma heddle for independent device(host) // as written: arrays without an end
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                C[i * m + j] += B[to[i] + k * m + j];
#pragma heddle for independent device(host) // as written: pointers out of memory
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                rows[i][j] += rows[n + k][j];
}

double summed(int n, int m, double B[m][m]) {
    double sum = 0;
#pragma heddle for reduction(+: sum) // as written: the sum goes from j to j
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                sum += B[k][j];
    return sum;
}

void pointer(int n, int m, double C[n][m], double B[m][m]) {
#pragma heddle for independent device(host) // as written: a pointer of the body may lead anywhere
    for (int i = 0; i < n; i++) {
        double *row = i ? C[i] : C[n - 1];
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                row[j] += B[k][j];
    }
}
