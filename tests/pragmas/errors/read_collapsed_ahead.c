/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], int *F)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            F[j] = F[j + 2] + 1; A[i][j] = F[j];
        }
}
// expect: 7:20: error: dependence (1, -2) of 'F[j + 2]' reaches further than the left neighbour and the row above from one column to the right to two to the left, so all written arrays must be whole in memory, but 'F' has one dimension only; give it two
// expect: 7:13: note: 'F' is written here
