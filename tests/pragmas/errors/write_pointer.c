/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], int *B)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            *B = A[i - 1][j]; A[i][j] = 1;
        }
}
// expect: 7:14: error: 'B' is written through other than by all its subscripts; assign to an element
