/* SPDX-License-Identifier: Apache-2.0 */
int g(int *);
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = g(&n);
        }
}
// expect: 8:26: error: address of 'n' taken, so it may be written; make the parameter a pointer to const, or copy it to a local variable of the body first
