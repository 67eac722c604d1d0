/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m + 1])
{
#pragma heddle wavefront schedule(peer-square, 64)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j + 1] + 1;
        }
}
// expect: 4:26: error: square tiles need dependences that do not reach to the right, and a row here looks 1 ahead in one above; use peer, barrier or flexible
