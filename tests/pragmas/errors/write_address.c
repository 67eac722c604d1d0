/* SPDX-License-Identifier: Apache-2.0 */
void g(int *);
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            g(&A[i][j]);  A[i][j] = A[i - 1][j];
        }
}
// expect: 8:16: error: 'A[i][j]' has its address taken, so what is written cannot be seen; assign to the element itself
// expect: 8:27: note: 'A' is written here
