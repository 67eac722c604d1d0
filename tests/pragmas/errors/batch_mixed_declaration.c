/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, int n, int *r)
{
#pragma heddle wavefront batch(p)
    for (int p = 0; p < count; p++) {
        int A[9][n], first = p;
        for (int j = 0; j < n; j++)
            A[0][j] = first;
        for (int i = 1; i < 9; i++)
            for (int j = 0; j < n; j++)
                A[i][j] = A[i - 1][j] + p;
        r[p] = A[8][n - 1];
    }
}
// expect: 6:9: error: arrays and other variables of a problem in one declaration; give the others one of their own
