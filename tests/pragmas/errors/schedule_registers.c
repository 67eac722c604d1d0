/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront schedule(registers)
    for (int i = 2; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 2][j] + 1;
        }
}
// expect: 4:26: error: schedule(registers) needs dependences on the left neighbour and on the row above, from one column to the right to two to the left; use schedule(peer) or leave it out
