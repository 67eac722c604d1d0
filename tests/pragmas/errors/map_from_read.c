/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, const int *a, int (*A)[m])
{
#pragma heddle wavefront map(from: a[0:n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + a[i];
}
// expect: 4:36: error: 'a' is not written, but map(from) does not send it; use map(to: …)
