/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            int k = i - 1; A[i][j] = A[k][j];
        }
}
// expect: 7:28: error: cannot tell how much of 'A' to map; add map(tofrom: A[0:count])
