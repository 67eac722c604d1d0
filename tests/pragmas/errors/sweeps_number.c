/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront sweeps(9)
    for (int t = 0; t < 9; t++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[i][j] = A[i - 1][j] + 1;
}
// expect: 4:33: error: expected the variable of the outermost loop
