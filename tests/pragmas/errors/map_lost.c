/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront map(to: A[0:n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 4:34: error: 'A' is written and kept, but map(to) does not bring it back; use map(tofrom: …) or keep(A: none)
