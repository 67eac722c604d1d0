/* SPDX-License-Identifier: Apache-2.0 */
static int i;
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 6:10: error: not a canonical loop: the loop variable is declared outside; write for (int i = first; …)
