/* SPDX-License-Identifier: Apache-2.0 */
/* forms: memory. Dependences beyond the neighbours: (2, 0), (0, 2), (1, -3). */
#include "run.h"

static void far(int n, int m, long (*A)[m])
{
#pragma heddle wavefront sink(i-2, j) sink(i, j-2) sink(i-1, j+3) schedule(barrier)
    for (int i = 2; i < n; i++)
        for (int j = 2; j < m - 3; j++)
            A[i][j] = (A[i - 2][j] * 3 + A[i][j - 2] + A[i - 1][j + 3]) % 10007;
}

int main(void)
{
    enum { N = 33, M = 44 };
    static long B[N][M];
    for (int k = 0; k < N * M; k++)
        B[k / M][k % M] = (int)(run_random() % 100);
    far(N, M, B);
    run_report("B", B, sizeof B);
    return 0;
}
