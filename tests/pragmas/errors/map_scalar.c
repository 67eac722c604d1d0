/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront map(tofrom: n)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = n;
        }
}
// expect: 4:38: error: 'n' is not an array; scalars are copied to the device, and come back through reduction()
