/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j]; if (A[i][j]) goto out;
        }
out:;
}
// expect: 7:49: error: 'goto' leaves the nest, whose cells run in parallel; compute a condition instead, or reduce over it
