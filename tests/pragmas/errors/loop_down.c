/* SPDX-License-Identifier: Apache-2.0 */
/* without a sign, i >= 0 always holds */
void f(int n, unsigned m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (unsigned j = m - 1; j >= 0; j--) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 7:34: error: not a canonical loop: the test is not 'j < bound' or 'j <= bound'; rewrite the test that way
