/* SPDX-License-Identifier: Apache-2.0 */
int h(int *);
void f(int n, int m, int (*A)[m], int *B)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = h(B);
        }
}
// expect: 8:25: error: 'B' is passed to a function that may write through it; make the parameter a pointer to const
