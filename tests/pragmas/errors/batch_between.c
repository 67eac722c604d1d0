/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[n][m])
{
#pragma heddle wavefront batch(k) map(tofrom: A[0:10])
    for (int k = 1; k < 9; k++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[k][i][j] = A[k][i - 1][j] + A[k - 1][i][j];
}
// expect: 8:47: error: 'A[k - 1][i][j]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 8:17: note: 'A' is written here
