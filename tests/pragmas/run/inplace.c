/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. In place: successive over-relaxation, compound and conditional writes. */
#include "run.h"

static void sor(int n, int m, double (*A)[m])
{
    double w = 0.25;
#pragma heddle wavefront
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            A[i][j] += w * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1] - 4 * A[i][j]);
}

static void conditional(int n, int m, int (*A)[m], const int *mask)
{
#pragma heddle wavefront map(to: mask[0:m])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            if (mask[j] > 1)
                A[i][j] = (A[i - 1][j] + A[i][j - 1]) & 0xffff;
}

int main(void)
{
    enum { N = 19, M = 27 };
    static double A[N][M];
    static int B[N][M], mask[M];
    for (int k = 0; k < N * M; k++)
        A[k / M][k % M] = (int)(run_random() % 100);
    run_ints(&B[0][0], N * M, 1000);
    run_ints(mask, M, 4);
    sor(N, M, A);
    conditional(N, M, B, mask);
    run_report("A", A, sizeof A);
    run_report("B", B, sizeof B);
    return 0;
}
