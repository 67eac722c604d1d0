/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i & 1][j] = A[(i - 1) & 1][j + 2];
        }
}
// expect: 7:27: error: dependence (1, -2) of 'A[(i - 1) & 1][j + 2]' reaches further than the left neighbour and the row above from one column to the right to two to the left, so all written arrays must be whole in memory, but 'A' holds a few rows only; give it all of them
// expect: 7:13: note: 'A' is written here
