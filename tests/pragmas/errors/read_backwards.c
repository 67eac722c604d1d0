/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront keep(A: none)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + A[i + 1][j];
        }
}
// expect: 7:37: error: 'A[i + 1][j]' reads an element before its cell is computed, a dependence carried backwards, which needs the whole array: keep(…: all)
// expect: 7:13: note: 'A' is written here
