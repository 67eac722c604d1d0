/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
    int x = 0;
#pragma heddle wavefront reduction(+: x)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            x += 2; A[i][j] = x;
        }
    (void)x;
}
// expect: 8:31: error: reduction variable 'x' read outside its own update; its value is known only after the nest
