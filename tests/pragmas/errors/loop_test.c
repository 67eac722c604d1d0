/* SPDX-License-Identifier: Apache-2.0 */
/* an unsigned variable goes round */
void f(unsigned n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (unsigned i = n; i != 1; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 6:26: error: not a canonical loop: the test is not 'i < bound' or 'i <= bound'; rewrite the test that way
