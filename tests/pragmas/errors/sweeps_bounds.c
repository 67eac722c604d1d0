/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < 9; t++)
        for (int i = t; i < n; i++)
            for (int j = 1; j < m; j++)
                A[i][j] = A[i][j - 1] + 1;
}
// expect: 6:22: error: the inner loop's bounds depend on 't'; the nest must be rectangular: loop over the whole range and skip cells with 'if'
