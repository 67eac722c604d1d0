/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = m - 1; j > 0; j--) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 6:29: error: not a canonical loop: the test is not 'j < bound' or 'j <= bound'; rewrite the test that way
