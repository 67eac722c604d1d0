/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront sweeps(t) keep(A: last)
    for (int t = 0; t < 9; t++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[i][j] = A[i - 1][j] + 1;
}
// expect: 8:17: error: each sweep starts from what the one before left of 'A', which is not kept whole; say keep(…: all)
