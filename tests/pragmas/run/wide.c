/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Further along the row above: one column to the right, two to the left. */
#include "run.h"

static void three_point(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1]) % 10007;
}

/* Old values on the right and from the lower left; linear subscripts. */
static void knight(int n, int m, long *B)
{
#pragma heddle wavefront map(tofrom: B[0 : (n + 1) * m])
    for (int i = 1; i < n; i++)
        for (int j = 2; j < m - 1; j++)
            B[i * m + j] = (B[(i - 1) * m + j - 2] + 3 * B[(i - 1) * m + j + 1] + B[i * m + j + 1] + 7 * B[(i + 1) * m + j - 1]) % 10007;
}

/* A condition on the left, which keeps elements that do not exist from being read. */
static void left(int n, int m, short (*C)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            C[i][j] = (short)((C[i - 1][j] * 3 + (j > 1 ? C[i - 1][j - 2] : 5)) & 0xfff);
}

int main(void)
{
    enum { N = 33, M = 44 };
    static int A[N][M];
    static long B[N + 1][M];
    static short C[N][M];
    run_ints(&A[0][0], N * M, 1000);
    for (int k = 0; k < (N + 1) * M; k++)
        B[k / M][k % M] = (int)(run_random() % 100);
    for (int k = 0; k < N * M; k++)
        C[k / M][k % M] = (short)(run_random() % 100);
    three_point(N, M, A);
    knight(N, M, &B[0][0]);
    left(N, M, C);
    run_report("A", A, sizeof A);
    run_report("B", B, sizeof B);
    run_report("C", C, sizeof C);
    return 0;
}
