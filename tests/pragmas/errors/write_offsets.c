/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = 1; A[i][j - 1] = 2;
        }
}
// expect: 7:26: error: 'A[i][j - 1]' is written at another distance than before; all writes of an array in a nest must name the same element
// expect: 7:13: note: 'A' is written here
