/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
    int x = 0;
#pragma heddle wavefront reduction(+: x)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i][j - 1]; x = A[i][j];
        }
    (void)x;
}
// expect: 8:36: error: this is not a '+' reduction of 'x'; update it with that operator only
