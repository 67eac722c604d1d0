/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i % 3][j] = A[(i - 3) % 3][j] + A[(i - 1) % 3][j];
        }
}
// expect: 7:27: error: 'A[(i - 3) % 3][j]' reads 3 rows up, but 'A' has only 3 rows: the modulus is too small; use one of at least 4
