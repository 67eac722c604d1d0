/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront reduction(+: n)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            n += 1; A[i][j] = 1;
        }
}
// expect: 5:25: error: loop bound depends on 'n', which the body changes; copy it to another variable first
