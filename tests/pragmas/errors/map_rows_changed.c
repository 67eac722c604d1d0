/* SPDX-License-Identifier: Apache-2.0 */
/* An extent of a parameter that has changed since the function began says nothing. */
void f(int n, int m, int A[n][m], const int S[n])
{
    n = n / 2;
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = S[A[i - 1][j]];
        }
}
// expect: 9:23: error: cannot tell how much of 'S' to map; add map(to: S[0:count])
