/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], const int *w)
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < 9; t++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[i][j] = A[i - 1][j] + w[t];
}
// expect: 8:41: error: cannot tell how much of 'w' to map; add map(to: w[0:count])
