/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (float i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[(int)i][j] = 1;
        }
}
// expect: 5:10: error: not a canonical loop: the loop variable is not an integer; write for (int i = first; …)
