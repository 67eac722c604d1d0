/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < 9; t++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++) {
                A[i][j] = A[i - 1][j] + 1;
                t += A[i][j] > 9;
            }
}
// expect: 9:17: error: not a canonical loop: the body modifies 't' or takes its address; copy it to a local variable
