/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Loops over sweeps: stars, with borders that exist only where they are read, the sweep's
   number in the body, tables by it, and nests that are no stars. */
#include "run.h"

static int star(int n, int m, int (*A)[m], const int *weight, int sweeps)
{
    int last = 0;
#pragma heddle wavefront sweeps(t) map(to: weight[0:sweeps]) reduction(max: last)
    for (int t = 0; t < sweeps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int old = A[i][j];
                A[i][j] = (A[i - 1][j] + A[i + 1][j] * 3 + A[i][j - 1] + A[i][j + 1] * 5 + old * weight[t]) % 10007;
                if (t == sweeps - 1 && A[i][j] > last)
                    last = A[i][j];
            }
    return last;
}

/* No row above and none below, no column on the right: what is not read need not exist. */
static void left(int n, int m, long *A, unsigned char sweeps)
{
#pragma heddle wavefront sweeps(round)
    for (unsigned char round = 1; round <= sweeps; round++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                A[i * (m + 1) + j + 1] += A[i * (m + 1) + j] % 13 + round;
    }
}

/* Two arrays that lean on each other. */
static long pair(unsigned n, unsigned m, int (*A)[m + 1], int (*B)[m], unsigned long from, unsigned long to)
{
    long sum = 0;
#pragma heddle wavefront sweeps(s) reduction(+: sum)
    for (unsigned long s = from; s < to; s++)
        for (unsigned i = 1; i < n; i++)
            for (unsigned j = 0; j < m; j++) {
                B[i][j] = (B[i - 1][j] + A[i][j + 1] * 2 + (int)s) % 4099;
                if (B[i][j] & 1)
                    A[i][j] = (A[i][j] + B[i][j]) % 509;
                sum += A[i][j];
            }
    return sum;
}

/* No stars: diagonal neighbours, and a neighbour read only sometimes. */
static void diagonal(int n, int m, int (*A)[m], int sweeps)
{
#pragma heddle wavefront sweeps(t) map(tofrom: A[0:n])
    for (int t = 0; t < sweeps; t++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i][j] + (i + 1 < n ? A[i + 1][j] : t)) % 10007;
}

int main(void)
{
    enum { N = 23, M = 31, SWEEPS = 7 };
    static int A[N][M], B[N][M], C[N + 1][M + 1], D[N][M], weight[SWEEPS];
    static long L[N * (M + 1)];
    run_ints(&A[0][0], N * M, 1000);
    run_ints(&B[0][0], N * M, 1000);
    run_ints(&C[0][0], (N + 1) * (M + 1), 1000);
    run_ints(&D[0][0], N * M, 1000);
    run_ints(weight, SWEEPS, 9);
    for (int k = 0; k < N * (M + 1); k++)
        L[k] = (long)(run_random() % 50);
    int last = star(N, M, A, weight, SWEEPS);
    star(N, M, A, weight, 0);
    left(N, M, L, SWEEPS);
    long sum = pair(N, M, C, B, 3, 9);
    diagonal(N, M, D, SWEEPS);
    run_report("A", A, sizeof A);
    run_report("B", B, sizeof B);
    run_report("C", C, sizeof C);
    run_report("D", D, sizeof D);
    run_report("L", L, sizeof L);
    run_report("last", &last, sizeof last);
    run_report("sum", &sum, sizeof sum);
    return 0;
}
