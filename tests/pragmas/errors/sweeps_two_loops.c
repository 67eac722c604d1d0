/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront sweeps(i)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + 1;
}
// expect: 7:13: error: not a perfect nest of three loops; 'heddle wavefront' needs a 'for' directly inside the second
