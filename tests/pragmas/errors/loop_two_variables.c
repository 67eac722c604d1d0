/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1, k = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = k;
        }
}
// expect: 5:10: error: not a canonical loop: it declares more than its variable; declare the others before the loop
