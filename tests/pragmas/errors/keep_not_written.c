/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], int *B)
{
#pragma heddle wavefront keep(B: none) map(to: B[0:n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = B[i];
        }
}
// expect: 4:31: error: 'keep' of 'B', which is not written in the nest; name an array that the nest writes
