/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = 0; j++;
        }
}
// expect: 7:26: error: not a canonical loop: the body modifies 'j' or takes its address; copy it to a local variable
