/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], const int *S)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = S[A[i - 1][j]];
        }
}
/* the host knows enough of it */
void apart(int n, int m, int (*A)[m], const int *restrict S, const int *restrict T)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = S[A[i - 1][j]] + T[A[i][j - 1]];
#pragma heddle wavefront device(0)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = S[A[i - 1][j]] + T[A[i][j - 1]];
}
// expect: 7:23: error: cannot tell how much of 'S' to map; add map(to: S[0:count])
// expect: 16:23: note: this nest stays on the host: cannot tell how much of 'S' to map; add map(to: S[0:count])
// expect: 16:40: note: cannot tell how much of 'T' to map; add map(to: T[0:count])
// expect: 20:23: error: cannot tell how much of 'S' to map; add map(to: S[0:count])
// expect: 20:40: error: cannot tell how much of 'T' to map; add map(to: T[0:count])
