/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][2 * j] = A[i - 1][2 * j];
        }
}
// expect: 7:13: error: 'A[i][2 * j]' is not a uniform subscript; write an element at constant distance from (i, j): A[i + c][j + d], A[(i + c) * ld + j + d], A[i % 2][j], A[i] or A[j]
