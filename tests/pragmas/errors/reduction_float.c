/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
    double x = 0;
#pragma heddle wavefront reduction(|: x)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = 1; x += 1;
        }
    (void)x;
}
// expect: 5:39: error: reduction operator '|' needs an integer, but 'x' has type 'double'
