/* SPDX-License-Identifier: Apache-2.0 */
/* forms: memory. Arrays that are parameters: what they say of their rows is mapped where subscripts do not tell. */
#include "run.h"

enum { N = 60, M = 41 };
static double a[N][N], x[M][N];
static int rank[N], T[N][M];
static void lu(int n, double A[n][n])
{
#pragma heddle wavefront
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                A[i][j] -= A[i][k] * A[k][j];
    }
}
/* each row of X solves L x = b in place */
static void solve(int m, int n, double X[m][n], double (*A)[n])
{
    for (int r = 0; r < m; r++) {
#pragma heddle wavefront map(to: A[0 : n])
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                X[r][i] -= A[i][j] * X[r][j];
    }
}
/* a table that the nest reads where another array says */
static void looked_up(int n, int m, int out[n][m], int table[N])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            int sum = 0;
            for (int k = 0; k < i; k++)
                sum += out[k][j];
            out[i][j] = (sum + table[out[i][j - 1] % N]) % 1000;
        }
}
int main(void)
{
    for (int i = 0; i < N; i++) {
        rank[i] = i * 37 % N;
        for (int j = 0; j < N; j++)
            a[i][j] = i == j ? N : 1.0 / (1 + i + j);
        for (int j = 0; j < M; j++)
            x[j][i] = i + j, T[i][j] = (i * 7 + j * 3) % 50;
    }
    lu(N, a);
    run_report("lu", a, sizeof a);
    solve(M, N, x, a);
    run_report("solve", x, sizeof x);
    looked_up(N, M, T, rank);
    run_report("looked_up", T, sizeof T);
    return 0;
}
