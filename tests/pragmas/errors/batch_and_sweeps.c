/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[n][m])
{
#pragma heddle wavefront batch(k) sweeps(k)
    for (int k = 0; k < 9; k++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[k][i][j] = A[k][i - 1][j] + k;
}
// expect: 4:26: error: the outermost loop counts sweeps or a batch; leave one of the clauses out
