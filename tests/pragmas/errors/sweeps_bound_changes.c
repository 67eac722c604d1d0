/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < A[0][0]; t++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[i][j] = A[i][j - 1] + 1;
}
// expect: 5:25: error: the loop bound changes while the nest runs; copy it to a variable before the nest
