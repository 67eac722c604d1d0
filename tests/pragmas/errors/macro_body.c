/* SPDX-License-Identifier: Apache-2.0 */
#define PUT(v) A[i][j] = (v)
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            PUT(A[i - 1][j]);
        }
}
// expect: 8:13: error: a reference to 'A', which the nest writes, comes out of a macro's body; write the subscripts out (macro arguments are fine)
