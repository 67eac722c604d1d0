/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], const int *S)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = S[A[i - 1][j]];
        }
}
// expect: 7:23: error: cannot tell how much of 'S' to map; add map(to: S[0:count])
