/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], int *B)
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < 9; t++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++) {
                A[i & 1][j] = A[(i - 1) & 1][j] + 1;
                B[j] = A[i & 1][j];
            }
}
// expect: 8:17: error: each sweep starts from what the one before left of 'A', which holds a few rows only; give it all of them
