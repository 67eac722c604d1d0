/* SPDX-License-Identifier: Apache-2.0 */
/* The cell itself, and a cell of the same row that comes later. */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront sink(i, j) sink(i-1, j)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + 1;
#pragma heddle wavefront sink(i-1, j) sink(i, j+1)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + 1;
}
// expect: 5:31: error: this sink is not an earlier cell; dependences must be carried forward
// expect: 9:44: error: this sink is not an earlier cell; dependences must be carried forward
