/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront map(tofrom: A[0:n][0:m][0:1])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 4:38: error: 'A' has 2 dimensions, but the section has 3
