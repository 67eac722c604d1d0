/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            int k = i - 1; A[i][j] = A[k][j];
        }
}
// expect: 7:38: error: 'A[k][j]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 7:28: note: 'A' is written here
