/* SPDX-License-Identifier: Apache-2.0 */
/* a step or a bound that the nest may change */
void f(int n, int m, int (*A)[m], const int *step)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j += step[0]) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 7:32: error: not a canonical loop: the stride is not 1; use 'j++' and scale the subscripts
