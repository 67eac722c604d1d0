/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront sink(i, j-1)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 7:23: error: 'A[i - 1][j]' depends on (i - 1, j - 0), which no sink() names; add it or remove them all
// expect: 7:13: note: 'A' is written here
