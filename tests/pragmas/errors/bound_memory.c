/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], const int *most)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < *most; j++)
            A[i][j] = A[i - 1][j];
}
// expect: 6:29: error: the nest may write what its head reads in memory, through 'A'; copy that to a variable before the nest
