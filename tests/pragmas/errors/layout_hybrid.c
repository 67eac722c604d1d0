/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront layout(hybrid)
    for (int i = 2; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 2][j] + 1;
        }
}
// expect: 4:26: error: layout(hybrid) needs dependences on the upper, left and diagonal neighbour only; leave it out
