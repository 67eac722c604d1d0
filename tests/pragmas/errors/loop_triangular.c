/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = i; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 6:22: error: the inner loop's bounds depend on 'i'; the nest must be rectangular: loop over the whole range and skip cells with 'if'
