/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    A[0][0] = n;
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 5:5: error: expected a 'for' loop after '#pragma heddle wavefront'; move the pragma to the line before the loop
