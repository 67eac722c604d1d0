/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[n][m])
{
#pragma heddle wavefront sweeps(t)
    for (int t = 1; t < 9; t++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[t][i][j] = A[t][i][j - 1] + 1;
}
// expect: 8:17: error: 'A[t][i][j]' of sweep 't' is another element in every sweep, but sweeps work in place; put the pragma before the loop over 'i', without 'sweeps'
