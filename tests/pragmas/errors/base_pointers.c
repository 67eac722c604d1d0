/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int **A)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 7:13: error: 'A' holds pointers, and what they point to cannot be mapped; use a pointer to an array, T (*A)[columns], or one linear array
// expect: 7:23: error: 'A' holds pointers, and what they point to cannot be mapped; use a pointer to an array, T (*A)[columns], or one linear array
