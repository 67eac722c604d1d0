/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront sweeps(t)
    for (int t = 9; t > 0; t--)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[i][j] = A[i - 1][j] + 1;
}
// expect: 5:21: error: not a canonical loop: the test is not 't < bound' or 't <= bound'; rewrite the test that way
