/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[0][0] = i + j;
        }
}
// expect: 7:13: error: 'A[0][0]' is the same element in every cell; use a scalar and reduction()
