/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            if (j > 1) A[i & 1][j] = A[(i - 1) & 1][j];
        }
}
// expect: 7:24: error: 'A[i & 1][j]' is not written on every path, so its old value is needed; assign it in every cell, or keep the whole array
