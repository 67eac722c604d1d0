/* SPDX-License-Identifier: Apache-2.0 */
void g(int *);
void f(int n, int m, int (*A)[m])
{
    int x = 0;
#pragma heddle wavefront reduction(+: x)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            g(&x); A[i][j] = 1;
        }
    (void)x;
}
// expect: 9:16: error: address of reduction variable 'x' taken; only update it
