/* SPDX-License-Identifier: Apache-2.0 */
#define ROWS for (int i = 1; i < n; i++)
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    ROWS
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 6:5: error: the loop comes out of a macro; write the 'for' out
