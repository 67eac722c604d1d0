/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
    int last = 0;
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j]; last = A[i][j];
        }
    (void)last;
}
// expect: 8:36: error: 'last' is written by every cell; declare it inside the nest, or add reduction(op: last)
