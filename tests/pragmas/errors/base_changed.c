/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], const int *B)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = *B; B++;
        }
}
// expect: 7:27: error: 'B' is changed or its address taken in the nest; use it by subscripts only
