/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            static int k = 1; A[i][j] = k;
        }
}
// expect: 7:13: error: static variable 'k' inside the nest; its cells run in parallel
