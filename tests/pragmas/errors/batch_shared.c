/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront batch(k)
    for (int k = 0; k < 9; k++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[i][j] = A[i - 1][j] + k;
}
// expect: 8:17: error: turns of a batch are independent, but 'A[i][j]' is not an element of turn 'k' alone; one subscript of every reference to 'A' has to be 'k' plus a constant, or leave 'batch' out and put the pragma before the loop over 'i'
