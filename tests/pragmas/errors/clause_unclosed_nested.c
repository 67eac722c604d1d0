/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront map(tofrom: A[0:(n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = 1;
}
// expect: 4:45: error: expected ']' after an array section
